import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { MemberRole } from '../../../src/lib/account.ts'
import { toPublicSite } from '../../../src/lib/net/site.ts'
import type { Answer, CallOptions, Harness } from '../harness.ts'

/** A person who is signed in. */
export interface Colleague {
  id: string
  name: string
  email: string
  /** Headers of a request of theirs. */
  session: Record<string, string>
  call(method: string, url: string, options?: Pick<CallOptions, 'body' | 'headers'>): Promise<Answer>
}

/** Makes a person of the own account, or of another one, who is signed in. */
export async function colleague(
  { context, call, clock, own }: Harness,
  role: MemberRole,
  {
    account = own,
    email,
    name: called,
  }: { account?: { account: number; code: string }; email?: string; name?: string } = {},
): Promise<Colleague> {
  const { db, config } = context
  const [id, token, now] = [randomUUID(), randomBytes(32).toString('base64url'), new Date(clock.now())]
  const name = called ?? `${role} ${id.slice(0, 4)}`
  const site = toPublicSite(config.publicUrl)
  const address = email ?? `${role}.${id.slice(0, 8)}@desk.example`
  await sql`
    insert into people (id, email, name, locale, created_at) values (${id}, ${address}, ${name}, 'en', ${now})`.execute(
    db,
  )
  await sql`
    insert into memberships (account, person, role, source, created_at)
    values (${account.account}, ${id}, ${role}, 'hand', ${now})`.execute(db)
  await sql`
    insert into sessions (id, person, digest, factor, browser, address, created_at, last_used_at)
    values (${randomUUID()}, ${id}, ${createHash('sha256').update(token).digest()}, 'none', 'test', '127.0.0.1', ${now}, ${now})`.execute(
    db,
  )
  const session = {
    cookie: `${site.cookieName('session')}=${token}`,
    origin: site.origin,
    host: new URL(site.origin).host,
    'x-account': account.code,
  }
  return {
    id,
    name,
    email: address,
    session,
    call: (method, url, { headers, ...options } = {}) =>
      call(method, url, { ...options, key: null, headers: { ...session, ...headers } }),
  }
}
