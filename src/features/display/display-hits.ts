import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { createUuidV7, formatContactId, formatUuid } from '../../lib/ids.ts'
import type { Footprint } from '../contacts/records/identification-schemas.ts'
import { type IpAddressDetail, truncateIpAddress } from '../events/hits/address.ts'
import { parseUserAgent } from '../events/hits/device.ts'
import type { PendingHitRequest } from '../events/hits/hit.ts'
import type { EventDetail, NewEvent } from '../events/record/new-event.ts'
import type { DisplayTag } from './tokens.ts'

/** A display of a tag: its contact and its stamp. */
export interface StampedDisplay extends DisplayTag {
  /** The contact of the tag, or else of the cookie. */
  contact: number | null
  stamp: string
  /** True if the page sent a nonce with picture and link, which gives both the same stamp. */
  isJoined: boolean
}

/** A request of a tag's picture or link in the form in which it waits to be stored: in memory, or as JSON in the spool. */
export interface DisplayHit extends PendingHitRequest {
  channel: 'display'
  token: StampedDisplay
  type: 'impression' | 'redirection'
  /** The target of a redirection; null for an impression. */
  url: string | null
}

/**
 * The stamp of a display: new, or with the page's nonce the same for picture and link of a tag (RFC 9562, 5.5). It does
 * not depend on the cookie, which one of the two requests may lack.
 */
export function deriveDisplayStamp(
  { account, content, placement, contact }: DisplayTag,
  nonce: string | undefined,
  now: number,
): string {
  if (nonce === undefined) return createUuidV7(now)
  const name = JSON.stringify(['display', account, content, placement, contact, nonce])
  const stampBytes = createHash('sha1').update(name).digest().subarray(0, 16)
  stampBytes.writeUInt8((stampBytes.readUInt8(6) & 0x0f) | 0x50, 6)
  stampBytes.writeUInt8((stampBytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return formatUuid(stampBytes)
}

/** The stored facts of a hit. */
interface HitDetails {
  n: number
  /** Number of the campaign. */
  subject: number
  campaign: string
  placement: string
  content: string
  name: string
  unicity: string | null
  hash: string | null
  receiver: Footprint | null
  is_erased: boolean
}

/**
 * Looks up what the tag of each hit names; for a deleted contact, its footprint in the latest activation that is stored here: a hit is
 * written, and no write waits for a store of older events.
 */
async function loadHitDetails(db: Db, hits: readonly DisplayHit[]): Promise<HitDetails[]> {
  const tokenColumn = (of: (token: StampedDisplay) => number | null) => hits.map(({ token }) => of(token))
  const { rows } = await sql<HitDetails>`
    select h.n::integer - 1 as n, d.number as subject, d.id as campaign, p.id as placement, c.id as content, c.name,
      k.unicity, encode(k.hash, 'hex') as hash, past.receiver, e.contact is not null as is_erased
    from unnest(${tokenColumn((token) => token.account)}::integer[], ${tokenColumn((token) => token.content)}::bigint[],
      ${tokenColumn((token) => token.placement)}::bigint[], ${tokenColumn((token) => token.contact)}::bigint[])
      with ordinality as h (account, content, placement, contact, n)
    join display_contents c on c.account = h.account and c.number = h.content
    join display_campaigns d on d.account = h.account and d.number = c.campaign
    join display_placements p on p.account = h.account and p.number = h.placement
    left join contacts k on k.account = h.account and k.id = h.contact
    left join erased_contacts e on e.account = h.account and e.contact = h.contact
    left join lateral (
      select detail #> '{activation,receiver}' as receiver from events v
      where k.id is null and v.account = h.account and v.contact = h.contact and v.kind = 'activations'
        and v.channel <> 'notification' and detail #>> '{activation,receiver,type}' = 'footprint'
      order by v.at desc limit 1) past on true`.execute(db)
  return rows
}

function buildReceiver(contact: number, { unicity, hash, receiver }: HitDetails): EventDetail {
  if (unicity !== null && hash !== null) return { type: 'footprint', id: formatContactId(contact), unicity, hash }
  return receiver === null ? { type: 'id', value: formatContactId(contact) } : { ...receiver }
}

function buildActivationDetail({ token, time }: DisplayHit, facts: HitDetails): EventDetail {
  const { stamp: id, contact } = token
  const { campaign, placement, content } = facts
  const receiver = contact === null ? null : buildReceiver(contact, facts)
  return {
    id: campaign,
    kind: 'impression',
    campaign,
    placement,
    content,
    receiver,
    stamp: { time, id, thread: id, set: id },
  }
}

/** The common members of both kinds of events. */
function buildBaseEvent({ token }: DisplayHit, { subject }: HitDetails): Omit<NewEvent, 'kind' | 'key' | 'detail'> {
  const { account, contact, stamp } = token
  return { account, channel: 'display', subject, contact, stamp, thread: stamp, isTest: false }
}

/** An impression; with a nonce once. */
function buildActivationEvent(hit: DisplayHit, facts: HitDetails): NewEvent {
  const { isJoined, stamp } = hit.token
  const detail = { activation: buildActivationDetail(hit, facts) }
  return { ...buildBaseEvent(hit, facts), kind: 'activations', key: isJoined ? stamp : null, detail }
}

/** A redirection; each request counts. */
function buildRedirectionEvent(hit: DisplayHit, facts: HitDetails, addressDetail: IpAddressDetail): NewEvent {
  const { time, userAgent, verdict, visitor, token } = hit
  const { classification, early: earlyVerdict } = verdict
  const ip = truncateIpAddress(hit.address, addressDetail)
  const link = { type: 'redirection', id: null, name: facts.name, url: hit.url ?? '' }
  const reactionDetails = { time, ip, userAgent, device: parseUserAgent(userAgent), classification }
  const event: NewEvent = {
    ...buildBaseEvent(hit, facts),
    kind: 'hits/redirection',
    key: null,
    classification,
    detail: { link, hit: reactionDetails },
    fallback: buildActivationDetail(hit, facts),
  }
  // Without a nonce the impression is unknown: none is looked for.
  if (!token.isJoined) return { ...event, stamp: null }
  return {
    ...event,
    watch: {
      hitAt: time,
      link: null,
      visitor: visitor === null ? null : Buffer.from(visitor, 'base64'),
      early: earlyVerdict,
    },
  }
}

/** The events of display hits; none for erased contacts. */
export async function buildDisplayEvents(
  db: Db,
  hits: readonly DisplayHit[],
  addressDetails: (account: AccountId) => Promise<IpAddressDetail>,
): Promise<NewEvent[]> {
  const detailsByIndex = new Map((await loadHitDetails(db, hits)).map((row) => [row.n, row]))
  const events = hits.map(async (hit, n) => {
    const hitDetails = detailsByIndex.get(n)
    if (!hitDetails || hitDetails.is_erased) return []
    if (hit.type === 'impression') return [buildActivationEvent(hit, hitDetails)]
    return [buildRedirectionEvent(hit, hitDetails, await addressDetails(hit.token.account))]
  })
  return (await Promise.all(events)).flat()
}
