import { getChannelTraits } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { readDetailCounts } from '../../events/counts/detail-counts.ts'
import { readSubjectContacts } from '../../events/counts/subject-counts.ts'
import { addToContactSet, type ContactSet } from '../../events/counts/summary-contacts.ts'
import type { ReportSubject } from './reported.ts'

/** Campaigns of a channel. */
export interface ReportedCampaigns extends Pick<ReportSubject, 'account' | 'channel'> {
  /** Number of messages each campaign sent, by its id. */
  sent: ReadonlyMap<number, number>
}

/** A set for each subject. */
type ContactSets = Map<number, ContactSet>

function getContactSet(sets: ContactSets, subject: number): ContactSet {
  const contactSet = sets.get(subject) ?? new Map()
  sets.set(subject, contactSet)
  return contactSet
}

/**
 * Counts the messages of campaigns that arrived, by campaign. `undefined` if no event reports arrivals. One contact has one message of
 * each.
 */
export async function countDeliveredMessages(
  db: Db,
  { account, channel, sent: sentCounts }: ReportedCampaigns,
): Promise<Map<number, number> | undefined> {
  const { arrivals } = getChannelTraits(channel)
  if (arrivals === null) return undefined
  const countedSubjects = { account, channels: [channel], subjects: [...sentCounts.keys()] }
  const [refusedSets, lostCounts] = [new Map() as ContactSets, new Map<number, number>()]
  for await (const { subject, detail, contacts } of readDetailCounts(db, countedSubjects, { facets: ['bounce'] })) {
    const [, verdict, , time] = detail
    const isLost = arrivals === 'bounces' ? time === 'async' && verdict === 'hard' : time === 'sync'
    if (isLost)
      lostCounts.set(
        subject,
        (lostCounts.get(subject) ?? 0) + addToContactSet(getContactSet(refusedSets, subject), contacts),
      )
  }
  if (arrivals === 'bounces')
    return new Map([...sentCounts].map(([id, sentTotal]) => [id, Math.max(0, sentTotal - (lostCounts.get(id) ?? 0))]))
  // What arrived in place of a message that was refused is not of what was sent.
  const arrivedCounts = new Map<number, number>()
  for await (const { subject, contacts } of readSubjectContacts(db, countedSubjects, ['deliveries']))
    arrivedCounts.set(
      subject,
      (arrivedCounts.get(subject) ?? 0) + addToContactSet(getContactSet(refusedSets, subject), contacts),
    )
  return new Map([...sentCounts].map(([id, sentTotal]) => [id, Math.min(sentTotal, arrivedCounts.get(id) ?? 0)]))
}
