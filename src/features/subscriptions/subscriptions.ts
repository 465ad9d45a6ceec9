import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { retryOnConflict } from '../../database/locks/deadlocks.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem, notFoundProblem, Problem } from '../../lib/errors/problem.ts'
import { type FoundContact, findContacts, toFootprint } from '../contacts/records/find.ts'
import { putSubscriptions, type SubscriptionPutContext, type SubscriptionPutOutcome } from './put.ts'
import type { SubscriptionPut } from './read-put.ts'
import type { SubscriptionResource } from './subscription-schemas.ts'

interface SubscriptionRow {
  id: string
  application: string
  provider: SubscriptionResource['provider']['type']
  token: string
  keys: { p256dh: string; auth: string } | null
  culture: string | null
  protocol: string | null
  muted: boolean
  channels: (string | null)[]
  contact: Pick<FoundContact, 'id' | 'unicity' | 'hash'> | null
  createdAt: Date
  createdBy: { id: number; name: string } | null
  updatedAt: Date | null
  updatedBy: { id: number; name: string } | null
}

const selectUser = (column: RawBuilder<unknown>) =>
  sql`(select json_build_object('id', k.id, 'name', k.name) from api_keys k where k.account = s.account and k.id = ${column})`

async function selectSubscriptions(
  db: Db,
  account: AccountId,
  condition: RawBuilder<unknown>,
): Promise<SubscriptionResource[]> {
  const { rows } = await sql<SubscriptionRow>`
    select s.id, s.application, s.provider, s.token, s.keys, s.culture, s.protocol, s.muted, s.muted_channels as channels,
      case when c.id is not null then
        json_build_object('id', c.id, 'unicity', c.unicity, 'hash', encode(c.hash, 'hex')) end as contact,
      s.created_at as "createdAt", ${selectUser(sql`s.created_by`)} as "createdBy",
      s.updated_at as "updatedAt", ${selectUser(sql`s.updated_by`)} as "updatedBy"
    from subscriptions s left join contacts c on c.account = s.account and c.id = s.contact
    where s.account = ${account} and ${condition} order by s.created_at, s.id`.execute(db)
  return rows.map(toSubscriptionResource)
}

function toProviderResource({ provider, token, keys }: SubscriptionRow): SubscriptionResource['provider'] {
  if (provider !== 'webpush') return { type: provider, token }
  return { type: provider, endpoint: token, keys: keys ?? { p256dh: '', auth: '' } }
}

function toSubscriptionResource(row: SubscriptionRow): SubscriptionResource {
  const { id, application, culture, protocol, muted, channels, contact, createdAt, updatedAt } = row
  return {
    id,
    application,
    provider: toProviderResource(row),
    culture,
    protocol,
    muted: muted || channels.length > 0 ? { global: muted, channels } : null,
    contact: contact && toFootprint(contact),
    lifecycle: {
      creation: { date: createdAt.toISOString(), user: row.createdBy },
      ...(updatedAt && { modification: { date: updatedAt.toISOString(), user: row.updatedBy } }),
    },
  }
}

/** One subscription. Throws notFound, also for one of another account. */
export async function loadSubscription(db: Db, account: AccountId, id: string): Promise<SubscriptionResource> {
  const [subscription] = await selectSubscriptions(db, account, sql`s.id = ${id}`)
  if (!subscription) throw notFoundProblem('subscription', id)
  return subscription
}

/** The subscriptions of a contact in the order of their creation. */
export function listContactSubscriptions(db: Db, account: AccountId, contact: number): Promise<SubscriptionResource[]> {
  return selectSubscriptions(db, account, sql`s.contact = ${contact}`)
}

/** The contact that a query names. Throws 400 unless it has exactly one of the two, notFound. */
export async function loadQueriedContact(
  db: Db,
  account: AccountId,
  { unicity, hash }: { unicity?: string; hash?: string },
): Promise<number> {
  if ((unicity === undefined) === (hash === undefined))
    throw badRequestProblem('unicity', 'exactly one of unicity and hash is required')
  const lookup =
    hash === undefined ? { type: 'unicity' as const, value: unicity ?? '' } : { type: 'hash' as const, value: hash }
  const [contact] = await findContacts(db, account, [lookup])
  if (!contact) throw notFoundProblem('contact', lookup.value.slice(0, 200))
  return contact.id
}

/** `putSubscriptions` in a transaction of its own, which begins again when another one came between. */
export async function storeSubscriptionPuts(
  db: Db,
  account: AccountId,
  puts: readonly SubscriptionPut[],
  putting: SubscriptionPutContext,
): Promise<SubscriptionPutOutcome[]> {
  const runPuts = () => inTransaction(db, (tx) => putSubscriptions(tx, account, puts, putting))
  return db.isTransaction ? runPuts() : retryOnConflict(runPuts)
}

/** Puts one subscription and gives it as it is then. Throws notFound (application, contact), conflict `other-application`. */
export async function putSubscription(
  db: Db,
  account: AccountId,
  subscriptionPut: SubscriptionPut,
  putting: SubscriptionPutContext,
): Promise<SubscriptionResource> {
  const [outcome] = await storeSubscriptionPuts(db, account, [subscriptionPut], putting)
  if (outcome instanceof Problem) throw outcome
  return loadSubscription(db, account, outcome!.id)
}
