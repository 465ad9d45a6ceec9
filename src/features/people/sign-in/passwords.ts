import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createWorkSlots } from '../../../lib/concurrency/work-slots.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { isCommonPassword, MIN_PASSWORD_CORE_LENGTH } from './common-passwords.ts'

/** OWASP's cheat sheet of password storage asks for no more; memory in KiB. */
const HASH_COST = { memory: 65_536, passes: 3, parallelism: 1 } as const
const TAG_BYTES = 32
const SALT_BYTES = 16
const MIN_PASSWORD_LENGTH = 12
const MAX_PASSWORD_LENGTH = 200
const MAX_CONCURRENT_HASHES = 4
const TOO_COMMON_DETAIL =
  'is too easy to guess: ignoring accents, repetitions, substitutions such as 0 for o, and digits and symbols at either end, it must ' +
  `have at least ${MIN_PASSWORD_CORE_LENGTH} characters and be neither a common password nor the email address. A sentence works best`

const PHC_PATTERN = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

const deriveArgon2 = promisify(argon2)

interface Argon2Cost {
  memory: number
  passes: number
  parallelism: number
}

/** Hashes passwords, a few at a time: each takes 64 MiB and a core for a tenth of a second. */
export interface PasswordHasher {
  /** A PHC string. Throws 503 when too many wait. */
  hash(password: string): Promise<string>
  /** True if the password matches. A null `storedHash` takes as long and returns false. Throws 503 if too many wait. */
  verify(password: string, storedHash: string | null): Promise<boolean>
}

function encodeUnpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

function computeTag(password: string, nonce: Buffer, cost: Argon2Cost): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFC'))
  return deriveArgon2('argon2id', { message, nonce, tagLength: TAG_BYTES, ...cost })
}

/** The hashing of one process. `cost`: of new hashes, and of what is compared with none. */
export function createPasswordHasher(cost: Argon2Cost = HASH_COST): PasswordHasher {
  const runInSlot = createWorkSlots(MAX_CONCURRENT_HASHES, 'Too many users are signing in. Try again.')
  const decoySalt = randomBytes(SALT_BYTES)
  return {
    async hash(password) {
      const nonce = randomBytes(SALT_BYTES)
      const tag = await runInSlot(() => computeTag(password, nonce, cost))
      const { memory, passes, parallelism } = cost
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encodeUnpadded(nonce)}$${encodeUnpadded(tag)}`
    },
    async verify(password, storedHash) {
      const [, memory, passes, parallelism, nonce = '', tag = ''] = PHC_PATTERN.exec(storedHash ?? '') ?? []
      if (memory === undefined) {
        await runInSlot(() => computeTag(password, decoySalt, cost))
        return false
      }
      const storedCost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
      const computedTag = await runInSlot(() => computeTag(password, Buffer.from(nonce, 'base64'), storedCost))
      const storedTag = Buffer.from(tag, 'base64')
      return storedTag.length === computedTag.length && timingSafeEqual(storedTag, computedTag)
    },
  }
}

/** Throws 400 for a password that nobody should have; `pointer`: where the body has it. */
export async function assertPasswordStrength(password: string, email: string, pointer: string): Promise<void> {
  const { length } = [...password]
  if (length < MIN_PASSWORD_LENGTH)
    throw badRequestProblem(pointer, `must have at least ${MIN_PASSWORD_LENGTH} characters`)
  if (length > MAX_PASSWORD_LENGTH)
    throw badRequestProblem(pointer, `must have at most ${MAX_PASSWORD_LENGTH} characters`)
  if (await isCommonPassword(password, email)) throw badRequestProblem(pointer, TOO_COMMON_DETAIL)
}
