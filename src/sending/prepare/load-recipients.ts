import { sql } from 'kysely'
import { channelTraits } from '../../channels/channel-traits.ts'
import { buildPreparedPrefix, type Db } from '../../database/connection/connect.ts'
import { formatPostgresArray } from '../../database/rows/array-text.ts'
import { stoppingBounceCodes } from '../../features/contacts/bounce-flags/bounce-codes.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'

/** A contact as a message sees it. */
export interface RecipientContactRow {
  id: number
  unicity: string
  hash: string
  fields: Record<string, unknown>
}

/** State of a message's recipient in the database when the message is claimed. */
export interface MessageRecipient {
  actionDeleted: boolean
  /** Milliseconds: from when on nothing of this campaign is handed over. */
  endsAt: number | null
  contact: RecipientContactRow | null
  related: RecipientContactRow | null
  /** Origin of the red list entry of the channel; null if there is none. */
  redListOrigin: number | null
  /** A flag on the address field that stops sends. */
  stopped: boolean
  /** Another contact of the campaign whose address it is, of a campaign's message that was not tried yet. */
  addressOwner: number | null
}

interface RecipientRow {
  id: number
  deleted: boolean
  ends_at: Date | null
  contact: number | null
  unicity: string | null
  hash: string | null
  fields: Record<string, unknown> | null
  r_contact: number | null
  r_unicity: string | null
  r_hash: string | null
  r_fields: Record<string, unknown> | null
  origin: number | null
  stopped: boolean
  /** Set for a campaign's message that was not tried yet: its address as runs store it, and the contact that has it there. */
  address: string | null
  owner: number | null
}

function buildContact(
  id: number | null,
  unicity: string | null,
  hash: string | null,
  fields: Record<string, unknown> | null,
): RecipientContactRow | null {
  return id === null || unicity === null || hash === null || fields === null ? null : { id, unicity, hash, fields }
}

/**
 * The facts of claimed messages, by message id, in one statement: what was committed before is seen, so a red list
 * entry made a second ago counts. `fieldOf` gives the address field of a message's version.
 */
export async function loadMessageRecipients(
  db: Db,
  messages: readonly ClaimedMessage[],
  fieldOf: (version: number) => number,
): Promise<Map<number, MessageRecipient>> {
  const mapColumn = (of: (message: ClaimedMessage) => string | number | null | undefined) =>
    formatPostgresArray(messages.map(of))
  const { rows } = await sql<RecipientRow>`${buildPreparedPrefix('facts')}
    select n.id, g.state = 'cancelled' as deleted, g.ends_at,
      c.id as contact, c.unicity, encode(c.hash, 'hex') as hash, c.fields,
      r.id as r_contact, r.unicity as r_unicity, encode(r.hash, 'hex') as r_hash, r.fields as r_fields,
      l.origin, b.code is not null as stopped, t.address, o.contact as owner
    from unnest(
      ${mapColumn(({ id }) => id)}::bigint[], ${mapColumn(({ account }) => account)}::integer[],
      ${mapColumn(({ sending }) => sending)}::bigint[], ${mapColumn(({ contact }) => contact)}::bigint[],
      ${mapColumn(({ request }) => request.related)}::bigint[], ${mapColumn(({ version }) => fieldOf(version))}::integer[],
      ${mapColumn(({ channel }) => channelTraits[channel].redList)}::text[],
      ${mapColumn(({ request, contact }) => request.copyTo ?? contact)}::bigint[],
      ${mapColumn(({ kind, attempts, stamp }) => (kind === 'campaign' && attempts === 0 ? stamp.set : null))}::uuid[]
    ) as n (id, account, sending, contact, related, field, channel, receiver, run)
    join sendings g on g.id = n.sending
    left join contacts c on c.account = n.account and c.id = n.contact
    left join contacts r on r.account = n.account and r.id = n.related
    left join red_list l on l.account = n.account and l.channel = n.channel and l.contact = n.receiver
    left join bounce_flags b on b.account = n.account and b.contact = n.receiver and b.field = n.field and b.code = any(${stoppingBounceCodes}::smallint[])
    cross join lateral (
      select case when n.run is not null and g.state <> 'cancelled' then md5(lower(c.fields->>n.field::text))::uuid end as address) t
    left join lateral (select contact from run_addresses where run = n.run and address = t.address limit 1) o on true`.execute(
    db,
  )
  const claimedOwners = await claimAddresses(
    db,
    messages,
    rows.filter(({ address, owner }) => address !== null && owner === null),
  )
  return new Map(
    rows.map((row) => [
      row.id,
      {
        actionDeleted: row.deleted,
        endsAt: row.ends_at?.getTime() ?? null,
        contact: buildContact(row.contact, row.unicity, row.hash, row.fields),
        related: buildContact(row.r_contact, row.r_unicity, row.r_hash, row.r_fields),
        redListOrigin: row.origin,
        stopped: row.stopped,
        addressOwner: findOtherOwner(row.contact, row.owner ?? claimedOwners.get(row.id) ?? null),
      },
    ]),
  )
}

function findOtherOwner(contact: number | null, owner: number | null): number | null {
  return owner === contact ? null : owner
}

/**
 * Takes for their contacts the addresses that came up since the campaign was planned; of several contacts with the same
 * one the lowest id has it. Gives who has each now, by message id.
 */
async function claimAddresses(
  db: Db,
  messages: readonly ClaimedMessage[],
  fresh: readonly Pick<RecipientRow, 'id' | 'contact' | 'address'>[],
): Promise<Map<number, number>> {
  if (fresh.length === 0) return new Map()
  const runsByMessage = new Map(messages.map(({ id, stamp }) => [id, stamp.set]))
  const { rows } = await sql<{ id: number; owner: number }>`
    with fresh as (
      select * from unnest(
        ${fresh.map(({ id }) => id)}::bigint[], ${fresh.map(({ id }) => runsByMessage.get(id))}::uuid[],
        ${fresh.map(({ address }) => address)}::uuid[], ${fresh.map(({ contact }) => contact)}::bigint[]
      ) as n (id, run, address, contact)
    ), owners as (
      insert into run_addresses as r (run, address, contact)
      select run, address, min(contact) from fresh group by run, address order by run, address
      -- Another sender may have taken it just now: then its row is given.
      on conflict (run, address) do update set contact = r.contact
      returning run, address, contact
    )
    select f.id, o.contact as owner from fresh f join owners o using (run, address)`.execute(db)
  return new Map(rows.map(({ id, owner }) => [id, owner]))
}
