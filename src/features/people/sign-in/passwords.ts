import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createWorkSlots } from '../../../lib/concurrency/places.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { isCommonPassword, MIN_PASSWORD_CORE_LENGTH } from './common-passwords.ts'

/** OWASP's cheat sheet of password storage asks for no more; memory in KiB. */
const COST = { memory: 65_536, passes: 3, parallelism: 1 } as const
const TAG_BYTES = 32
const SALT_BYTES = 16
const MIN_LENGTH = 12
const MAX_LENGTH = 200
const MAX_HASHES = 4
const TOO_COMMON =
  'is too easy to guess: without accents, repetitions, swapped letters such as 0 for o, and the digits and signs at its ends, it must ' +
  `have at least ${MIN_PASSWORD_CORE_LENGTH} characters and be neither a common password nor the email. A sentence is best`

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

const derive = promisify(argon2)

interface Cost {
  memory: number
  passes: number
  parallelism: number
}

/** Hashes passwords, a few at a time: each takes 64 MiB and a core for a tenth of a second. */
export interface PasswordHasher {
  /** A PHC string. Throws 503 when too many wait. */
  hash(password: string): Promise<string>
  /** Whether it is the password; `stored` null takes as long and is false. Throws 503 when too many wait. */
  verify(password: string, stored: string | null): Promise<boolean>
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

function tagOf(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFC'))
  return derive('argon2id', { message, nonce, tagLength: TAG_BYTES, ...cost })
}

/** The hashing of one process. `cost`: of new hashes, and of what is compared with none. */
export function createPasswordHasher(cost: Cost = COST): PasswordHasher {
  const inPlace = createWorkSlots(MAX_HASHES, 'Too many people sign in at this moment; try again.')
  const nothing = randomBytes(SALT_BYTES)
  return {
    async hash(password) {
      const nonce = randomBytes(SALT_BYTES)
      const tag = await inPlace(() => tagOf(password, nonce, cost))
      const { memory, passes, parallelism } = cost
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
    },
    async verify(password, stored) {
      const [, memory, passes, parallelism, nonce = '', tag = ''] = PHC.exec(stored ?? '') ?? []
      if (memory === undefined) {
        await inPlace(() => tagOf(password, nothing, cost))
        return false
      }
      const own = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
      const given = await inPlace(() => tagOf(password, Buffer.from(nonce, 'base64'), own))
      const known = Buffer.from(tag, 'base64')
      return known.length === given.length && timingSafeEqual(known, given)
    },
  }
}

/** Throws 400 for a password that nobody should have; `pointer`: where the body has it. */
export async function assertPasswordStrength(password: string, email: string, pointer: string): Promise<void> {
  const { length } = [...password]
  if (length < MIN_LENGTH) throw badRequestProblem(pointer, `must have at least ${MIN_LENGTH} characters`)
  if (length > MAX_LENGTH) throw badRequestProblem(pointer, `must have at most ${MAX_LENGTH} characters`)
  if (await isCommonPassword(password, email)) throw badRequestProblem(pointer, TOO_COMMON)
}
