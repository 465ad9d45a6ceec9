import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { badRequest, overloaded } from '../../lib/problem.ts'
import { isCommonPassword, MIN_CORE } from './common-passwords.ts'

/** OWASP's cheat sheet of password storage asks for no more; memory in KiB. */
const COST = { memory: 65_536, passes: 3, parallelism: 1 } as const
const TAG_BYTES = 32
const SALT_BYTES = 16
const MIN_LENGTH = 12
const MAX_LENGTH = 200
const MAX_HASHES = 4
const WAIT_MS = 2000
const TOO_COMMON =
  'is too easy to guess: without accents, repetitions, swapped letters such as 0 for o, and the digits and signs at its ends, it must ' +
  `have at least ${MIN_CORE} characters and be neither a common password nor the email. A sentence is best`

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

const derive = promisify(argon2)

interface Cost {
  memory: number
  passes: number
  parallelism: number
}

/** Hashes passwords, a few at a time: each takes 64 MiB and a core for a tenth of a second. */
export interface Passwords {
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

/** At most so many at a time; who waits longer than 2 s gets 503. */
function places() {
  let busy = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (busy >= MAX_HASHES) {
      const turn = Promise.withResolvers<boolean>()
      const go = () => turn.resolve(true)
      waiting.push(go)
      const late = new AbortController()
      const isMine = await Promise.race([
        turn.promise,
        delay(WAIT_MS, false, { signal: late.signal }).catch(() => false),
      ])
      late.abort()
      // A place may have been given in the moment that the time ran out.
      if (!isMine && waiting.includes(go)) {
        waiting.splice(waiting.indexOf(go), 1)
        throw overloaded('Too many people sign in at this moment; try again.')
      }
    } else busy++
    try {
      return await work()
    } finally {
      // The place goes to the next one, without a gap.
      const next = waiting.shift()
      if (next) next()
      else busy--
    }
  }
}

/** The hashing of one process. `cost`: of new hashes, and of what is compared with none. */
export function createPasswords(cost: Cost = COST): Passwords {
  const inPlace = places()
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
export async function checkPassword(password: string, email: string, pointer: string): Promise<void> {
  const { length } = [...password]
  if (length < MIN_LENGTH) throw badRequest(pointer, `must have at least ${MIN_LENGTH} characters`)
  if (length > MAX_LENGTH) throw badRequest(pointer, `must have at most ${MAX_LENGTH} characters`)
  if (await isCommonPassword(password, email)) throw badRequest(pointer, TOO_COMMON)
}
