import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId, LockedObject } from '../../lib/account.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { createWebhookSecret } from '../../lib/crypto/webhook-signature.ts'
import { badRequestProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import {
  NoAnswerError,
  type OutboundPolicy,
  RefusedAddressError,
  resolveOutboundUrl,
} from '../../lib/net/guarded-client.ts'
import { parseResourceName } from '../../lib/text/names.ts'
import type { EventChannel } from '../events/kinds/event-kinds.ts'
import { registerListenerInterest, removeListenerInterest, waitForListenerInterests } from '../listeners/interests.ts'
import { purgeListenerRows } from '../listeners/own-rows.ts'
import { replaceListenedTypes } from '../notices/listening.ts'
import { type NoticeType, noticeTypes } from '../notices/notices.ts'
import type { WebhookVersion } from './bodies.ts'
import { SECRET_ROTATION_MS, sealWebhookSecret } from './signing.ts'
import {
  type CreatedWebhook,
  type RotatedWebhookSecret,
  type WebhookBody,
  type WebhookResource,
  webhookEventNames,
} from './webhook-schemas.ts'

/** Kind of webhooks among listeners. */
export const WEBHOOK_LISTENER_KIND = 'webhook'

const MAX_NAME_LENGTH = 255

/** Dependencies of changes of webhooks, in addition to the database. */
export interface WebhookDependencies {
  masterKeys: MasterKeys
  reach: OutboundPolicy
  now: Date
}

/** One webhook of an account. */
export interface WebhookKey {
  account: AccountId
  id: string
}

/** The settings that clients change. */
interface WebhookSettings {
  name: string
  url: string
  events: string[]
  channels: EventChannel[]
  classification: string[]
  active: boolean
  size: number
  waitMs: number
}

/** The settings and the version that a webhook is registered by. */
interface VersionedSettings extends WebhookSettings {
  version: WebhookVersion
}

interface WebhookRow extends VersionedSettings {
  id: string
  state: WebhookResource['state']
  pending: number
  dead: number
  lastSuccess: Date | null
  lastFailure: Date | null
  createdAt: Date
  updatedAt: Date
}

const webhookColumns = sql`w.id, w.name, w.url, w.events, w.channels, w.classification, w.active, w.version, w.batch_size as size,
  w.batch_wait_ms as "waitMs", w.state, w.last_success_at as "lastSuccess", w.last_failure_at as "lastFailure",
  w.created_at as "createdAt", w.updated_at as "updatedAt"`

function selectWebhooks(condition: RawBuilder<unknown>): RawBuilder<WebhookRow> {
  return sql<WebhookRow>`
    select ${webhookColumns}, d.dead, d.waiting + (select count(*) from listener_queue q where q.listener = w.id) as pending
    from webhooks w cross join lateral (
      select coalesce(sum(cardinality(events)) filter (where dead_at is null), 0)::bigint as waiting,
        coalesce(sum(cardinality(events)) filter (where dead_at is not null), 0)::bigint as dead
      from webhook_deliveries where webhook = w.id) d
    where ${condition}`
}

function toWebhookResource(row: WebhookRow): WebhookResource {
  const { id, name, url, events, channels, classification, active, state } = row
  return {
    id,
    name,
    url,
    events,
    channels,
    classification,
    active,
    batch: { size: row.size, waitMs: row.waitMs },
    state,
    statistics: {
      pending: row.pending,
      deadLetters: row.dead,
      lastSuccess: row.lastSuccess?.toISOString() ?? null,
      lastFailure: row.lastFailure?.toISOString() ?? null,
    },
    creationDate: row.createdAt.toISOString(),
    updateDate: row.updatedAt.toISOString(),
  }
}

/** Every webhook, by creation. */
export async function* listWebhooks(
  db: Db,
  account: AccountId,
  { after, limit }: { after: string | undefined; limit: number | undefined },
): AsyncGenerator<WebhookResource> {
  const query = sql<WebhookRow>`${selectWebhooks(sql`
    w.account = ${account} ${after === undefined ? sql`` : sql`and w.id > ${after}::uuid`}`)}
    order by w.id limit ${limit ?? null}::integer`
  for await (const row of streamRows(db, query)) yield toWebhookResource(row)
}

/** One webhook. Throws notFound. */
export async function loadWebhook(db: Db, { account, id }: WebhookKey): Promise<WebhookResource> {
  const { rows: webhookRows } = await selectWebhooks(sql`w.account = ${account} and w.id = ${id}`).execute(db)
  const [row] = webhookRows
  if (!row) throw notFoundProblem('webhook', id)
  return toWebhookResource(row)
}

/** A webhook that a change has locked: the settings it is registered by, and the webhook as it is shown. */
export interface LockedWebhook {
  settings: VersionedSettings
  shown: WebhookResource
}

/** Locks a webhook until the transaction ends and loads it. Throws notFound. */
export async function lockAndLoadWebhook(tx: Db, key: WebhookKey): Promise<LockedWebhook> {
  return { settings: await lockWebhook(tx, key), shown: await loadWebhook(tx, key) }
}

/** Locks a webhook until the transaction ends. Throws notFound. */
export async function lockWebhook(db: Db, { account, id }: WebhookKey): Promise<VersionedSettings> {
  const { rows: lockedRows } = await sql<VersionedSettings>`
    select ${webhookColumns} from webhooks w where w.account = ${account} and w.id = ${id} for update`.execute(db)
  const [row] = lockedRows
  if (!row) throw notFoundProblem('webhook', id)
  return row
}

const classNames = new Set(['human', 'genericrobot', 'mpp', 'gsr', 'all'])

/** Classes as they are stored: `human` when none is named, `all` alone when it is among them. */
function parseClassification(rawClasses: NonNullable<WebhookBody['classification']>): string[] {
  const rawNames = (typeof rawClasses === 'string' ? rawClasses.split(',') : rawClasses)
    .map((word) => word.trim())
    .filter(Boolean)
  const namedClasses = new Set(rawNames.map((word) => (word === 'none' ? 'human' : word)))
  const unknownClass = [...namedClasses].find((word) => !classNames.has(word))
  if (unknownClass !== undefined)
    throw badRequestProblem('/classification', `"${unknownClass}" is not one of ${[...classNames, 'none'].join(', ')}`)
  if (namedClasses.has('all')) return ['all']
  return namedClasses.size === 0 ? ['human'] : [...namedClasses]
}

/**
 * Checks that an address may be called. A name that does not resolve now is accepted: it is looked up, and checked, at
 * every connection. Throws 400 at /url.
 */
export async function parseWebhookUrl(rawUrl: string, reach: OutboundPolicy): Promise<string> {
  try {
    await resolveOutboundUrl(rawUrl, reach)
  } catch (error) {
    if (error instanceof RefusedAddressError) throw badRequestProblem('/url', error.message)
    if (!(error instanceof NoAnswerError)) throw error
  }
  return rawUrl
}

/** The changes in a request except name and address. Throws 400 with the pointer. */
function parseChanges({ events, channels, classification, active, batch }: WebhookBody): Partial<WebhookSettings> {
  return {
    ...(events !== undefined && { events: [...new Set(events)] }),
    ...(channels !== undefined && { channels: [...new Set(channels)] }),
    ...(classification !== undefined && { classification: parseClassification(classification ?? []) }),
    ...(active !== undefined && { active }),
    ...(batch?.size !== undefined && { size: batch.size }),
    ...(batch?.waitMs !== undefined && { waitMs: batch.waitMs }),
  }
}

/** Registers what a webhook wants, or that it wants nothing (null). Notices are written only for listeners. */
async function registerInterests(
  tx: Db,
  { account, id }: WebhookKey,
  listenedSettings: VersionedSettings | null,
): Promise<void> {
  const key = { account, kind: WEBHOOK_LISTENER_KIND, owner: id }
  const events =
    listenedSettings?.version === 2 && listenedSettings.events.length === 0
      ? webhookEventNames
      : (listenedSettings?.events ?? [])
  if (listenedSettings) await registerListenerInterest(tx, key, { ...listenedSettings, events, listener: id })
  else await removeListenerInterest(tx, key)
  const listenedTypes = noticeTypes.filter((type): type is NoticeType => events.includes(type))
  await replaceListenedTypes(tx, account, `webhook ${id}`, listenedTypes)
}

/** Waits until no event that is committed later can miss the webhooks of an account. Not to be called within a transaction. */
export function waitForWebhookListeners(db: Db, account: AccountId): Promise<void> {
  return waitForListenerInterests(db, account, WEBHOOK_LISTENER_KIND)
}

const defaultSettings = {
  events: [],
  channels: [],
  classification: ['human'],
  active: true,
  size: 1,
  waitMs: 0,
  version: 2,
} satisfies Omit<VersionedSettings, 'name' | 'url'>

/** Creates a webhook; its secret is shown only here. Throws 400 without a name, or for an address that may not be called. */
export async function createWebhook(
  db: Db,
  account: AccountId,
  body: WebhookBody,
  { masterKeys, reach, now }: WebhookDependencies,
): Promise<CreatedWebhook> {
  const name = parseResourceName(body.name, MAX_NAME_LENGTH)
  if (body.url === undefined) throw badRequestProblem('/url', 'is required')
  const url = await parseWebhookUrl(body.url, reach)
  const newSettings: VersionedSettings = { ...defaultSettings, ...parseChanges(body), name, url }
  const id = createUuidV7(now.getTime())
  const secret = createWebhookSecret()
  await inTransaction(db, async (tx) => {
    await sql`
      insert into webhooks (id, account, name, url, events, channels, classification, active, version, batch_size,
        batch_wait_ms, secret, created_at, updated_at)
      values (${id}, ${account}, ${name}, ${url}, ${newSettings.events}::text[], ${newSettings.channels}::text[],
        ${newSettings.classification}::text[], ${newSettings.active}, ${newSettings.version}, ${newSettings.size}, ${newSettings.waitMs},
        ${sealWebhookSecret(masterKeys, id, secret)}, ${now}, ${now})`.execute(tx)
    await registerInterests(tx, { account, id }, newSettings.active ? newSettings : null)
    return id
  })
  await waitForWebhookListeners(db, account)
  return { ...(await loadWebhook(db, { account, id })), secret }
}

/**
 * Changes the members given. `active: true` resumes a suspended one; `active: false` does not change a suspended
 * one. Holds when `waitForWebhookListeners`, called after the commit, has ended. Throws notFound, 400.
 */
export async function updateWebhook(
  tx: Db,
  { account, id, stored }: LockedObject<string, LockedWebhook>,
  body: WebhookBody,
  now: Date,
): Promise<LockedWebhook> {
  const settingsChanges = {
    ...(body.name !== undefined && { name: parseResourceName(body.name, MAX_NAME_LENGTH) }),
    ...(body.url !== undefined && { url: body.url }),
    ...parseChanges(body),
  }
  const nextSettings = { ...stored.settings, ...settingsChanges }
  const { rows: updatedRows } = await sql<{ listens: boolean }>`
    update webhooks set name = ${nextSettings.name}, url = ${nextSettings.url}, events = ${nextSettings.events}::text[],
      channels = ${nextSettings.channels}::text[], classification = ${nextSettings.classification}::text[], active = ${nextSettings.active},
      batch_size = ${nextSettings.size}, batch_wait_ms = ${nextSettings.waitMs}, updated_at = ${now}
    where account = ${account} and id = ${id} returning listens`.execute(tx)
  if (settingsChanges.active === true) {
    await sql`
      update webhooks set state = 'ok', failures = 0, failing_since = null, hold_until = null
      where account = ${account} and id = ${id} and state = 'suspended'`.execute(tx)
  }
  await registerInterests(tx, { account, id }, updatedRows[0]?.listens ? nextSettings : null)
  return { settings: nextSettings, shown: await loadWebhook(tx, { account, id }) }
}

/** Deletes a locked webhook with its undelivered events. */
export async function deleteWebhook(tx: Db, { account, id }: LockedObject<string, LockedWebhook>): Promise<void> {
  await sql`delete from webhooks where account = ${account} and id = ${id}`.execute(tx)
  await purgeListenerRows(tx, id)
  await registerInterests(tx, { account, id }, null)
}

/** Rotates the secret of a webhook; the new one is shown only here, the previous one signs too for 24 hours. Throws notFound. */
export async function rotateWebhookSecret(
  db: Db,
  { account, id }: WebhookKey,
  { masterKeys, now }: Pick<WebhookDependencies, 'masterKeys' | 'now'>,
): Promise<RotatedWebhookSecret> {
  const secret = createWebhookSecret()
  const { numAffectedRows } = await sql`
    update webhooks set previous_secret = secret, secret = ${sealWebhookSecret(masterKeys, id, secret)}, rotated_at = ${now},
      updated_at = ${now}
    where account = ${account} and id = ${id}`.execute(db)
  if (numAffectedRows === 0n) throw notFoundProblem('webhook', id)
  return { secret, previousUntil: new Date(now.getTime() + SECRET_ROTATION_MS).toISOString() }
}
