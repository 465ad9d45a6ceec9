import { sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../database/connection/connect.ts'
import { formatPostgresArray } from '../../database/rows/array-text.ts'
import type { ClaimedChannelMessage } from '../channel.ts'
import { requirePushSource } from './source.ts'

/** A route or a channel of an application, by its name. */
export interface PushNamedValue {
  name: string
  value: { value: string }
  default: boolean
}

/** Routes and channels that an application defines for its notifications. */
export interface PushRouteNames {
  routes: readonly PushNamedValue[] | null
  channels: readonly PushNamedValue[] | null
}

/** A subscription that may be sent to. */
export interface LivePushDevice {
  id: string
  contact: number | null
  provider: 'firebase' | 'apns' | 'http' | 'webpush'
  /** The endpoint for webpush. */
  token: string
  keys: { p256dh: string; auth: string } | null
  muted: boolean
  /** Null in it: the app's own default channel. */
  mutedChannels: readonly (string | null)[]
}

/** Data that a push message needs at the claim. */
export interface PushRecipient extends PushRouteNames {
  /** Live devices that were put in the last 270 days, the latest first; none if the application is not active. */
  devices: readonly LivePushDevice[]
  /** True if the contact has live devices that were silent for longer. */
  hasSilent: boolean
}

/** A request for devices: those of a contact, or one device by its id. */
export interface PushDeviceRequest {
  id: number
  account: number
  /** Null: of none, whose devices nobody has. */
  application: string | null
  contact: number | null
  subscription: string | null
}

/** The facts if there is no application. */
export const EMPTY_PUSH_RECIPIENT: PushRecipient = { routes: null, channels: null, devices: [], hasSilent: false }

/** Apps put their device at each start. A device that was not put for this many days gets no pushes until it is put again. */
const MAX_SILENT_DAYS = 270

/**
 * Devices of the application of a request `n`. Not by "=": without statistics the index of all devices of an application
 * seems to be as good as those by contact and by id.
 */
const requestDevicesQuery = sql`
  select s.* from subscriptions s where s.account = n.account and s.application is not distinct from n.application`

/** The applications and live devices of requests, by their ids, in one statement. `now`: milliseconds. */
export async function loadPushDevices(
  db: Db,
  requests: readonly PushDeviceRequest[],
  now: number,
): Promise<Map<number, PushRecipient>> {
  const toArrayColumn = (of: (request: PushDeviceRequest) => string | number | null) =>
    formatPostgresArray(requests.map(of))
  const { rows } = await sql<PushRecipient & { id: number }>`${buildPreparedPrefix('push-devices')}
    select n.id, a.routes, a.channels, coalesce(d.devices, '[]') as devices, coalesce(d.silent, false) as "hasSilent"
    from unnest(
      ${toArrayColumn(({ id }) => id)}::bigint[], ${toArrayColumn(({ account }) => account)}::integer[],
      ${toArrayColumn(({ application }) => application)}::uuid[], ${toArrayColumn(({ contact }) => contact)}::bigint[],
      ${toArrayColumn(({ subscription }) => subscription)}::uuid[]
    ) as n (id, account, application, contact, subscription)
    join applications a on a.account = n.account and a.id = n.application
    left join lateral (
      select json_agg(json_build_object('id', s.id, 'contact', s.contact, 'provider', s.provider, 'token', s.token,
        'keys', s.keys, 'muted', s.muted, 'mutedChannels', s.muted_channels)
        order by coalesce(s.updated_at, s.created_at) desc, s.id) filter (where not s.silent) as devices,
        bool_or(s.silent) as silent
      from (select d.*, greatest(d.created_at, d.updated_at, d.put_at)
          < ${new Date(now)}::timestamptz - ${MAX_SILENT_DAYS} * interval '1 day' as silent from (
        ${requestDevicesQuery} and n.subscription is null and s.contact = n.contact
        union all
        ${requestDevicesQuery} and s.id = n.subscription and s.contact is not distinct from n.contact) d) s
      join application_providers p on p.application = n.application and p.type = s.provider
      where a.active) d on true`.execute(db)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

/** The facts that claimed push messages need, by message id. `now`: milliseconds. */
export async function loadPushRecipients(
  db: Db,
  claimed: readonly ClaimedChannelMessage[],
  now: number,
): Promise<Map<number, PushRecipient>> {
  const requests = claimed.map(({ message: { id, account, contact, request }, source }) => {
    const { application } = requirePushSource(source).content
    return { id, account, contact, application: application || null, subscription: request.subscription ?? null }
  })
  const recipients = await loadPushDevices(db, requests, now)
  return new Map(requests.map(({ id }) => [id, recipients.get(id) ?? EMPTY_PUSH_RECIPIENT]))
}
