import { sql } from 'kysely'
import { channelTraits } from '../../channels/channel-traits.ts'
import { loadChannel } from '../../channels/load-channel.ts'
import type { ContentVersionSource } from '../../channels/version-source.ts'
import type { Db } from '../../database/connection/connect.ts'
import { formatPostgresArray } from '../../database/rows/array-text.ts'
import { stoppingBounceCodes } from '../../features/contacts/bounce-flags/bounce-codes.ts'
import type { SendCancellation } from '../../features/events/record/record.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import { type ExclusionSubject, listExclusions } from '../prepare/exclusions.ts'
import type { MessageRecipient, RecipientContactRow } from '../prepare/load-recipients.ts'
import { openSenderCache } from '../prepare/sender-cache.ts'

/** A contact, and why a message would not be handed over to it: in the order of the checks. */
export interface ContactEligibility {
  contact: RecipientContactRow
  exclusions: SendCancellation[]
}

/** Content to be sent, and its recipients. `contacts` ascending. */
export interface EligibilityRequest {
  account: AccountId
  source: ContentVersionSource
  contacts: readonly number[]
  /** If several contacts have one address, all but the lowest id are excluded, as in a campaign. */
  isCampaign: boolean
}

type EligibilityRow = RecipientContactRow &
  Pick<MessageRecipient, 'redListOrigin' | 'stopped'> & { address: string | null }

const FAR_FUTURE = new Date('9999-12-31T00:00:00Z')

/** The facts that a claim would read of these contacts, in one statement; of one that is gone there are none. */
async function loadEligibilityRows(
  db: Db,
  { account, source, contacts }: EligibilityRequest,
): Promise<EligibilityRow[]> {
  const field = source.settings.field
  const { rows } = await sql<EligibilityRow>`
    select c.id, c.unicity, encode(c.hash, 'hex') as hash, c.fields, l.origin as "redListOrigin", b.code is not null as stopped,
      lower(c.fields ->> ${String(field)}) as address
    from unnest(${formatPostgresArray(contacts)}::bigint[]) as n (id)
    join contacts c on c.account = ${account} and c.id = n.id
    left join red_list l on l.account = ${account} and l.channel = ${channelTraits[source.channel].redList} and l.contact = c.id
    left join bounce_flags b on b.account = ${account} and b.contact = c.id and b.field = ${field}
      and b.code = any(${stoppingBounceCodes}::smallint[])
    order by c.id`.execute(db)
  return rows
}

/** A message that nobody sends. */
function buildUnsentMessage(
  account: AccountId,
  source: ContentVersionSource,
  contact: number,
  now: number,
): ClaimedMessage {
  return {
    id: contact,
    account,
    channel: source.channel,
    kind: 'message',
    sending: 0,
    sourceKind: 'action',
    source: 0,
    version: 0,
    contact,
    address: null,
    stamp: { id: '', thread: '', set: '', time: now },
    request: {},
    depth: 0,
    expiresAt: FAR_FUTURE,
    attempts: 0,
    firstTriedAt: null,
    firstPostponedAt: null,
    destination: null,
    isIdempotent: false,
    deliveries: null,
    reservations: null,
  }
}

/** Maps each address to its owner, among contacts in ascending order. */
function mapAddressOwners(rows: readonly EligibilityRow[]): Map<string, number> {
  const ownersByAddress = new Map<string, number>()
  for (const { id, address } of rows)
    if (address !== null && !ownersByAddress.has(address)) ownersByAddress.set(address, id)
  return ownersByAddress
}

/** Judges contacts as messages to them would be at their claim, by the same exclusions. Nothing is written. */
export async function checkContactEligibility(
  { db, clock }: { db: Db; clock: Clock },
  judging: EligibilityRequest,
): Promise<ContactEligibility[]> {
  const { account, source, isCampaign } = judging
  const [channel, now] = [await loadChannel(source.channel), clock.now()]
  const { rules } = await openSenderCache(db, clock).account(account)
  const rows = await loadEligibilityRows(db, judging)
  const messages = new Map(rows.map(({ id }) => [id, buildUnsentMessage(account, source, id, now)]))
  const channelData = await channel.loadOwn?.(
    db,
    [...messages.values()].map((message) => ({ message, source })),
    now,
  )
  const ownersByAddress = isCampaign ? mapAddressOwners(rows) : new Map<string, number>()
  return rows.map(({ redListOrigin, stopped, address, ...contact }) => {
    const owner = address === null ? null : (ownersByAddress.get(address) ?? null)
    const exclusionSubject: ExclusionSubject = {
      message: messages.get(contact.id)!,
      channel,
      source,
      rules,
      now,
      own: channelData?.get(contact.id),
      facts: {
        actionDeleted: false,
        endsAt: null,
        contact,
        related: null,
        redListOrigin,
        stopped,
        addressOwner: owner === contact.id ? null : owner,
      },
    }
    return { contact, exclusions: listExclusions(exclusionSubject) }
  })
}
