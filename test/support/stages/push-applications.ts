import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Harness } from '../harness.ts'

/** What an application of a test has that is not as usual. */
export interface ApplicationOptions {
  account?: number
  active?: boolean
  providers?: readonly string[]
  routes?: readonly { name: string; value: string; default?: boolean }[]
  channels?: readonly { name: string; value: string; default?: boolean }[]
}

const named = (list: ApplicationOptions['routes']) =>
  list &&
  JSON.stringify(
    list.map(({ name, value, default: isDefault = false }) => ({
      name,
      value: { type: 'literal', value },
      default: isDefault,
    })),
  )

/** An application as it is stored; gives its id. */
export async function storedApplication(
  { context, own }: Pick<Harness, 'context' | 'own'>,
  options: ApplicationOptions = {},
): Promise<string> {
  const { account = own.account, active = true, providers = ['firebase'], routes, channels } = options
  const id = randomUUID()
  await sql`
    insert into applications (id, account, name, name_folded, active, routes, channels, registration_open, registration_identifiers,
      created_at, updated_at)
    values (${id}, ${account}, ${`App ${id}`}, ${`app ${id}`}, ${active}, ${named(routes) ?? null}, ${named(channels) ?? null}, true,
      '{id,unicity,hash}', now(), now())`.execute(context.db)
  for (const [position, type] of providers.entries())
    await sql`insert into application_providers (application, type, account, position, settings)
      values (${id}, ${type}, ${account}, ${position}, '{}')`.execute(context.db)
  return id
}

/** A device as it is stored; gives its id. */
export async function storedSubscription(
  { context, own }: Pick<Harness, 'context' | 'own'>,
  application: string,
  {
    account = own.account,
    contact = null,
    provider = 'firebase',
    token = randomUUID(),
  }: { account?: number; contact?: number | null; provider?: string; token?: string } = {},
): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into subscriptions (account, id, application, contact, provider, token, token_digest, created_at)
    values (${account}, ${id}, ${application}, ${contact}, ${provider}, ${token},
      substring(sha256(convert_to(${token}, 'UTF8')) for 16), now())`.execute(context.db)
  return id
}
