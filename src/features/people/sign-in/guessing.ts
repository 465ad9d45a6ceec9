import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { toNetworkPrefix } from '../../../lib/net/networks.ts'
import { hashWithMasterKey } from './secrets.ts'

const WINDOW_MS = 15 * 60 * 1000
const MOST = { email: 5, browser: 5, address: 20, reset: 5, resets: 20 } as const

/** What tries are counted by. */
export type SignInTryScope = keyof typeof MOST

/** Whose try it is. */
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

interface Counter {
  scope: SignInTryScope
  name: string
}

/** What a try is counted by: others cannot lock a known browser out. */
function countersOf({ email, address, browser }: SignInTry): Counter[] {
  if (browser !== undefined) return [{ scope: 'browser', name: `${browser} ${email}` }]
  return [
    { scope: 'email', name: email },
    { scope: 'address', name: toNetworkPrefix(address) },
  ]
}

function tooMany(waitMs: number): Problem {
  return new Problem(429, 'too-many-tries', 'Too many tries: wait, or ask for a new password.', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  })
}

async function count(db: Db, keys: MasterKeys, counters: readonly Counter[], now: number): Promise<number[]> {
  const scopes = counters.map(({ scope, name }) => hashWithMasterKey(keys, scope, name))
  return inTransaction(db, async (tx) => {
    // Tries of one email or address are counted one after the other, in one order of locks: none slips through beside another.
    const locks = scopes.map((scope) => scope.readInt32BE(0)).sort((a, b) => a - b)
    await sql`
      select pg_advisory_xact_lock(hashtext('stentor sign-in'), l.lock) from unnest(${locks}::integer[]) as l (lock)`.execute(
      tx,
    )
    const { rows } = await sql<{ n: number; oldest: Date | null }>`
      select count(f.id)::integer as n, min(f.at) as oldest
      from unnest(${scopes}::bytea[]) with ordinality as s (scope, place)
      left join sign_in_failures f on f.scope = s.scope and f.at > ${new Date(now - WINDOW_MS)}
      group by s.place order by s.place`.execute(tx)
    rows.forEach(({ n, oldest }, index) => {
      const counter = counters[index]
      if (counter && n >= MOST[counter.scope]) throw tooMany((oldest?.getTime() ?? now) + WINDOW_MS - now)
    })
    const added = await sql<{ id: number }>`
      insert into sign_in_failures (scope, at) select scope, ${new Date(now)} from unnest(${scopes}::bytea[]) as s (scope)
      returning id`.execute(tx)
    return added.rows.map(({ id }) => id)
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
  return { ids: await count(db, keys, countersOf(tried), now) }
}

/** Counts what is asked for without a password: mails with links. Throws 429. */
export async function countMailRequest(
  db: Db,
  keys: MasterKeys,
  { email, address }: SignInTry,
  now: number,
): Promise<void> {
  const counters: Counter[] = [
    { scope: 'reset', name: email },
    { scope: 'resets', name: toNetworkPrefix(address) },
  ]
  await count(db, keys, counters, now)
}

/** The try was right after all. */
export async function uncountSignInTry(db: Db, { ids }: CountedSignInTry): Promise<void> {
  await sql`delete from sign_in_failures where id = any(${ids}::bigint[])`.execute(db)
}

/** Deletes what counts no more. */
export async function purgeSignInTries(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where('at', '<', new Date(now - WINDOW_MS))
    .execute()
}
