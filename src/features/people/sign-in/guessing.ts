import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { toNetworkPrefix } from '../../../lib/net/networks.ts'
import { hashWithMasterKey } from './secrets.ts'

export const SIGN_IN_COUNTING_WINDOW_MS = 15 * 60 * 1000
const MAX_TRIES = { email: 5, browser: 5, address: 20, reset: 5, resets: 20 } as const

/** Scopes in which tries are counted. */
export type SignInTryScope = keyof typeof MAX_TRIES

/** The identity of a try. */
export interface SignInTry {
  email: string
  address: string
  /** The browser is known to be that of the email's person: its tries are counted by themselves. */
  browser?: string | undefined
}

/** A try that counts as failed until it is known not to. */
export interface CountedSignInTry {
  ids: number[]
}

interface TryCounter {
  scope: SignInTryScope
  name: string
}

/** Counters of a try: others cannot lock out a known browser. */
function listTryCounters({ email, address, browser }: SignInTry): TryCounter[] {
  if (browser !== undefined) return [{ scope: 'browser', name: `${browser} ${email}` }]
  return [
    { scope: 'email', name: email },
    { scope: 'address', name: toNetworkPrefix(address) },
  ]
}

function tooManyTriesProblem(waitMs: number): Problem {
  return new Problem(429, 'too-many-tries', 'Too many attempts. Wait, or request a new password.', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  })
}

async function countTry(db: Db, keys: MasterKeys, counters: readonly TryCounter[], now: number): Promise<number[]> {
  const scopeHashes = counters.map(({ scope, name }) => hashWithMasterKey(keys, scope, name))
  return inTransaction(db, async (tx) => {
    // Tries of one email or address are counted one after the other, with locks in one order: no concurrent try can slip through.
    const lockKeys = scopeHashes.map((scope) => scope.readInt32BE(0)).sort((a, b) => a - b)
    await sql`
      select pg_advisory_xact_lock(hashtext('stentor sign-in'), l.lock) from unnest(${lockKeys}::integer[]) as l (lock)`.execute(
      tx,
    )
    const { rows } = await sql<{ n: number; oldest: Date | null }>`
      select count(f.id)::integer as n, min(f.at) as oldest
      from unnest(${scopeHashes}::bytea[]) with ordinality as s (scope, place)
      left join sign_in_failures f on f.scope = s.scope and f.at > ${new Date(now - SIGN_IN_COUNTING_WINDOW_MS)}
      group by s.place order by s.place`.execute(tx)
    rows.forEach(({ n, oldest }, index) => {
      const counter = counters[index]
      if (counter && n >= MAX_TRIES[counter.scope])
        throw tooManyTriesProblem((oldest?.getTime() ?? now) + SIGN_IN_COUNTING_WINDOW_MS - now)
    })
    const insertedRows = await sql<{ id: number }>`
      insert into sign_in_failures (scope, at) select scope, ${new Date(now)} from unnest(${scopeHashes}::bytea[]) as s (scope)
      returning id`.execute(tx)
    return insertedRows.rows.map(({ id }) => id)
  })
}

/**
 * Counts a try as failed, before it is judged: of tries at once no more are judged than one after the other. Throws 429 with
 * Retry-After when there were too many.
 */
export async function countSignInTry(
  db: Db,
  keys: MasterKeys,
  tried: SignInTry,
  now: number,
): Promise<CountedSignInTry> {
  return { ids: await countTry(db, keys, listTryCounters(tried), now) }
}

/** Counts what is asked for without a password: mails with links. Throws 429. */
export async function countMailRequest(
  db: Db,
  keys: MasterKeys,
  { email, address }: SignInTry,
  now: number,
): Promise<void> {
  const counters: TryCounter[] = [
    { scope: 'reset', name: email },
    { scope: 'resets', name: toNetworkPrefix(address) },
  ]
  await countTry(db, keys, counters, now)
}

/** The try was right after all. */
export async function uncountSignInTry(db: Db, { ids }: CountedSignInTry): Promise<void> {
  await sql`delete from sign_in_failures where id = any(${ids}::bigint[])`.execute(db)
}
