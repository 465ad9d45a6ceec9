import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../../database/connection/connect.ts'
import type { SessionAccount, SessionStore, UserSession } from '../../../lib/sessions.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { parseAccountCode } from '../../accounts/accounts.ts'
import { digestSecretToken } from '../sign-in/secrets.ts'
import { SESSION_IDLE_MS, SESSION_MAX_AGE_MS } from './sessions.ts'

/** Lifetime of a cached session: the maximum delay before its end takes effect. */
const CACHE_TTL_MS = 900
const USE_INTERVAL_MS = 60_000
const MAX_CACHED_SESSIONS = 10_000

interface SessionRow extends UserSession {
  lastUsedAt: Date
}

const accountJson = sql`
  'account', a.id, 'code', a.agency || a.customer, 'name', a.name, 'ratePerSecond', a.rate_per_second, 'rateBurst', a.rate_burst,
  'requireSecondFactor', a.require_second_factor, 'approval', a.approval, 'masks', a.mask_personal_data`

/** The live sessions that a condition finds. */
async function loadSessions(db: Db, sessionCondition: ReturnType<typeof sql>, now: number): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select s.id, s.person, p.name, p.email, p.operator, s.confirmed_at as "confirmedAt", s.last_used_at as "lastUsedAt",
      s.factor <> 'none' as "hasSecondFactor",
      coalesce((select jsonb_agg(jsonb_build_object('role', m.role, ${accountJson}) order by a.agency, a.customer)
        from memberships m join accounts a on a.id = m.account where m.person = p.id), '[]') as places
    from sessions s join people p on p.id = s.person
    where ${sessionCondition} and p.active and s.last_used_at > ${new Date(now - SESSION_IDLE_MS)} and s.created_at > ${new Date(now - SESSION_MAX_AGE_MS)}`.execute(
    db,
  )
  return rows
}

async function recordSessionUse(db: Db, { id, lastUsedAt }: SessionRow, now: number): Promise<void> {
  if (now - lastUsedAt.getTime() <= USE_INTERVAL_MS) return
  await db
    .updateTable('sessions')
    .set({ last_used_at: new Date(now) })
    .where('id', '=', id)
    .execute()
}

/** The sessions of the database, cached for less than a second of real time. */
export function createSessionStore({ db, clock }: { db: Db; clock: Clock }): SessionStore {
  // By the time of the machine, and by the service's own clock where that is moved.
  const cache = new LRUCache<string, { session: UserSession; at: number }>({
    max: MAX_CACHED_SESSIONS,
    ttl: CACHE_TTL_MS,
    ttlResolution: 0,
  })
  return {
    async find(token) {
      const now = clock.now()
      const cachedSession = cache.get(token)
      if (cachedSession && now - cachedSession.at < CACHE_TTL_MS) return cachedSession.session
      const startedAt = performance.now()
      const [row] = await loadSessions(db, sql`s.digest = ${digestSecretToken(token)}`, now)
      if (!row) return undefined
      await recordSessionUse(db, row, now)
      // The answer is as old as the query.
      cache.set(token, { session: row, at: now }, { ttl: Math.max(1, CACHE_TTL_MS - (performance.now() - startedAt)) })
      return row
    },
    async still(ids) {
      const rows = ids.length === 0 ? [] : await loadSessions(db, sql`s.id = any(${ids}::uuid[])`, clock.now())
      return new Map(rows.map((row) => [row.id, row]))
    },
    async account(code) {
      const identity = parseAccountCode(code)
      if (!identity) return undefined
      const { rows } = await sql<{ place: SessionAccount }>`
        select jsonb_build_object('role', null, ${accountJson}) as place from accounts a
        where a.agency = ${identity.agency} and a.customer = ${identity.customer}`.execute(db)
      return rows[0]?.place
    },
    forget: () => cache.clear(),
  }
}
