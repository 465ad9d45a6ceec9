import { sql } from 'kysely'
import { type Db, prepared } from '../../database/connection/connect.ts'
import { arrayText } from '../../database/rows/array-text.ts'
import type { ClaimedOfChannel } from '../channel.ts'
import { pushSourceOf } from './source.ts'

/** A route or a channel of an application, by its name. */
export interface NamedValue {
  name: string
  value: { value: string }
  default: boolean
}

/** What an application has for its notifications. */
export interface PushNames {
  routes: readonly NamedValue[] | null
  channels: readonly NamedValue[] | null
}

/** A subscription that may be sent to. */
export interface LiveDevice {
  id: string
  contact: number | null
  provider: 'firebase' | 'apns' | 'http' | 'webpush'
  /** Of webpush the endpoint. */
  token: string
  keys: { p256dh: string; auth: string } | null
  muted: boolean
  /** Null in it: the app's own default channel. */
  mutedChannels: readonly (string | null)[]
}

/** What a push message has to know at the claim. */
export interface PushFacts extends PushNames {
  /** Live devices that were put in the last 270 days, the latest first; none if the application is not active. */
  devices: readonly LiveDevice[]
  /** True if the contact has live devices that were silent for longer. */
  hasSilent: boolean
}

/** Of whom devices are asked for: those of a contact, or one by its id. */
export interface DeviceRequest {
  id: number
  account: number
  /** Null: of none, whose devices nobody has. */
  application: string | null
  contact: number | null
  subscription: string | null
}

/** The facts if there is no application. */
export const NO_PUSH_FACTS: PushFacts = { routes: null, channels: null, devices: [], hasSilent: false }

/** Apps put their device at each start. A device that was not put for this many days gets no pushes until it is put again. */
const SILENT_DAYS = 270

/**
 * Devices of the application of a request `n`. Not by "=": without statistics the index of all devices of an application
 * seems to be as good as those by contact and by id.
 */
const ofRequest = sql`
  select s.* from subscriptions s where s.account = n.account and s.application is not distinct from n.application`

/** The applications and live devices of requests, by their ids, in one statement. `now`: milliseconds. */
export async function loadDevices(
  db: Db,
  requests: readonly DeviceRequest[],
  now: number,
): Promise<Map<number, PushFacts>> {
  const column = (of: (request: DeviceRequest) => string | number | null) => arrayText(requests.map(of))
  const { rows } = await sql<PushFacts & { id: number }>`${prepared('push-devices')}
    select n.id, a.routes, a.channels, coalesce(d.devices, '[]') as devices, coalesce(d.silent, false) as "hasSilent"
    from unnest(
      ${column(({ id }) => id)}::bigint[], ${column(({ account }) => account)}::integer[],
      ${column(({ application }) => application)}::uuid[], ${column(({ contact }) => contact)}::bigint[],
      ${column(({ subscription }) => subscription)}::uuid[]
    ) as n (id, account, application, contact, subscription)
    join applications a on a.account = n.account and a.id = n.application
    left join lateral (
      select json_agg(json_build_object('id', s.id, 'contact', s.contact, 'provider', s.provider, 'token', s.token,
        'keys', s.keys, 'muted', s.muted, 'mutedChannels', s.muted_channels)
        order by coalesce(s.updated_at, s.created_at) desc, s.id) filter (where not s.silent) as devices,
        bool_or(s.silent) as silent
      from (select d.*, greatest(d.created_at, d.updated_at, d.put_at)
          < ${new Date(now)}::timestamptz - ${SILENT_DAYS} * interval '1 day' as silent from (
        ${ofRequest} and n.subscription is null and s.contact = n.contact
        union all
        ${ofRequest} and s.id = n.subscription and s.contact is not distinct from n.contact) d) s
      join application_providers p on p.application = n.application and p.type = s.provider
      where a.active) d on true`.execute(db)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

/** The facts that claimed push messages need, by message id. `now`: milliseconds. */
export async function loadPushFacts(
  db: Db,
  claimed: readonly ClaimedOfChannel[],
  now: number,
): Promise<Map<number, PushFacts>> {
  const requests = claimed.map(({ message: { id, account, contact, request }, source }) => {
    const { application } = pushSourceOf(source).content
    return { id, account, contact, application: application || null, subscription: request.subscription ?? null }
  })
  const facts = await loadDevices(db, requests, now)
  return new Map(requests.map(({ id }) => [id, facts.get(id) ?? NO_PUSH_FACTS]))
}
