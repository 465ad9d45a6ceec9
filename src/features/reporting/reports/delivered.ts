import { getChannelTraits } from '../../../channels/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { readDetailCounts } from '../../events/counts/detail-counts.ts'
import { readSubjectContacts } from '../../events/counts/subject-counts.ts'
import { addToContactSet, type ContactSet } from '../../events/counts/summary-contacts.ts'
import type { ReportSubject } from './reported.ts'

/** Campaigns of a channel. */
export interface ReportedCampaigns extends Pick<ReportSubject, 'account' | 'channel'> {
  /** How many messages each sent, by its id. */
  sent: ReadonlyMap<number, number>
}

/** A set for each subject. */
type Sets = Map<number, ContactSet>

function setOf(sets: Sets, subject: number): ContactSet {
  const known = sets.get(subject) ?? new Map()
  sets.set(subject, known)
  return known
}

/** How many messages of campaigns arrived, by campaign; undefined where nothing tells. One contact has one message of each. */
export async function countDeliveredMessages(
  db: Db,
  { account, channel, sent }: ReportedCampaigns,
): Promise<Map<number, number> | undefined> {
  const { arrivals } = getChannelTraits(channel)
  if (arrivals === null) return undefined
  const counted = { account, channels: [channel], subjects: [...sent.keys()] }
  const [refused, lost] = [new Map() as Sets, new Map<number, number>()]
  for await (const { subject, detail, contacts } of readDetailCounts(db, counted, { facets: ['bounce'] })) {
    const [, verdict, , time] = detail
    const isLost = arrivals === 'bounces' ? time === 'async' && verdict === 'hard' : time === 'sync'
    if (isLost) lost.set(subject, (lost.get(subject) ?? 0) + addToContactSet(setOf(refused, subject), contacts))
  }
  if (arrivals === 'bounces') return new Map([...sent].map(([id, all]) => [id, Math.max(0, all - (lost.get(id) ?? 0))]))
  // What arrived in place of a message that was refused is not of what was sent.
  const arrived = new Map<number, number>()
  for await (const { subject, contacts } of readSubjectContacts(db, counted, ['deliveries']))
    arrived.set(subject, (arrived.get(subject) ?? 0) + addToContactSet(setOf(refused, subject), contacts))
  return new Map([...sent].map(([id, all]) => [id, Math.min(all, arrived.get(id) ?? 0)]))
}
