import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { parseSmsNumber } from '../../../channels/sms/number.ts'
import { smsChannelTraits } from '../../../channels/sms/traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { SmsReply } from '../../../gateways/gateway.ts'
import type { AccountId } from '../../../lib/account.ts'
import { createSmsReplyEvent, type MatchedSmsReply } from '../../events/delivery-reports/sms-reports.ts'
import { recordEvents } from '../../events/record/effects.ts'
import { findSmsActivations } from '../../events/record/sms-activations.ts'
import { readStopWords } from '../../events/settings/event-settings.ts'
import { storeUnmatchedReport } from '../unmatched-reports.ts'
import { findPhoneHolders, phoneHolderKey } from './phone-holders.ts'
import { findSmsStopWord } from './sms-stop-words.ts'

/** A reply that waits in the inbox. */
export interface PendingSmsReply {
  id: number
  gateway: string
  owner: AccountId | null
  report: SmsReply
}

/** A send to the number of a reply, from where it went to. */
interface CandidateSend {
  account: AccountId
  stamp: string
  /** Sent within the time in which a reply answers it. */
  isRecent: boolean
}

/** A reply answers the latest message of the last 30 days; a shared number belongs to the accounts that used it within 13 months. */
const ANSWER_WINDOW = sql`interval '30 days'`
const SHARED_NUMBER_WINDOW = sql`interval '13 months'`

/** The sender's number as E.164; unchanged when it is not valid. */
function normalizeSender({ from }: SmsReply): string {
  return (parseSmsNumber(from) ?? parseSmsNumber(`+${from}`))?.e164 ?? from
}

/** The latest send of every account to the number of each reply, newest first, by the place of the reply. */
async function findCandidateSends(db: Db, replies: readonly PendingSmsReply[]): Promise<Map<number, CandidateSend[]>> {
  const { rows } = await sql<CandidateSend & { n: number }>`
    select n.n::integer, s.account, s.stamp, s.sent_at > n.at - ${ANSWER_WINDOW} as "isRecent"
    from unnest(
      ${replies.map(({ gateway }) => gateway)}::text[], ${replies.map(({ owner }) => owner)}::integer[],
      ${replies.map(({ report }) => normalizeSender(report))}::text[], ${replies.map(({ report }) => report.to)}::text[],
      ${replies.map(({ report }) => new Date(report.time))}::timestamptz[]
    ) with ordinality as n (gateway, owner, phone, called, at, n)
    cross join lateral (
      select distinct on (account) account, stamp, sent_at from sms_sends
      where address = n.phone and sent_at > n.at - ${SHARED_NUMBER_WINDOW} and (n.owner is null or account = n.owner)
        and (gateway = n.gateway or ltrim(sender, '+') = ltrim(n.called, '+'))
      order by account, sent_at desc) s
    order by n.n, s.sent_at desc`.execute(db)
  return Map.groupBy(rows, ({ n }) => n - 1)
}

/** The accounts that send from each number, as their profiles say. */
async function findNumberOwners(db: Db, numbers: readonly string[]): Promise<Map<string, AccountId[]>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ sender: string; account: AccountId }>`
    select distinct ltrim(p ->> 'sender', '+') as sender, a.id as account
    from accounts a cross join lateral jsonb_array_elements(coalesce(a.settings #> '{sending,profiles}', '[]')) as p
    where p ->> 'channel' = ${smsChannelTraits.name} and ltrim(p ->> 'sender', '+') = any(${numbers}::text[]) order by account`.execute(
    db,
  )
  const ownersByNumber = Map.groupBy(rows, ({ sender }) => sender)
  return new Map([...ownersByNumber].map(([number, list]) => [number, list.map(({ account }) => account)]))
}

/** The accounts that receive a reply, and the send it answers, by the first rule that finds any. */
function resolveAddressees(
  { owner, report }: PendingSmsReply,
  sends: readonly CandidateSend[],
  owners: ReadonlyMap<string, AccountId[]>,
): { account: AccountId; stamp: string | null }[] {
  const answeredSend = sends.find(({ isRecent }) => isRecent)
  if (answeredSend) return [answeredSend]
  const owningAccounts = owner === null ? (owners.get(report.to.replace(/^\+/, '')) ?? []) : [owner]
  const accounts = owningAccounts.length > 0 ? owningAccounts : sends.map(({ account }) => account)
  return accounts.map((account) => ({ account, stamp: null }))
}

/** The unique key of a reply: the network's id, else a digest of its content. */
function buildReplyKey({ gateway, report: { id, from, to, text, time } }: PendingSmsReply): string {
  if (id !== null) return `${gateway} ${id}`
  return `${gateway} ${createHash('sha256')
    .update(JSON.stringify([from, to, text, time]))
    .digest('base64url')}`
}

async function storeUnmatchedReplies(tx: Db, replies: readonly PendingSmsReply[]): Promise<void> {
  // They are few.
  for (const unmatchedReply of replies) {
    const replyDigest = createHash('sha256').update(buildReplyKey(unmatchedReply)).digest('hex').slice(0, 32)
    const content = Buffer.from(JSON.stringify({ gateway: unmatchedReply.gateway, ...unmatchedReply.report }))
    await storeUnmatchedReport(tx, {
      id: replyDigest,
      receivedAt: unmatchedReply.report.time,
      route: smsChannelTraits.name,
      kind: 'other',
      content,
    })
  }
}

/** Records the events of replies, with their effects. Returns how many matched no account: those are kept for operators. */
export async function recordSmsReplies(tx: Db, replies: readonly PendingSmsReply[]): Promise<number> {
  if (replies.length === 0) return 0
  const sends = await findCandidateSends(tx, replies)
  const ownersByNumber = await findNumberOwners(tx, [
    ...new Set(replies.map(({ report }) => report.to.replace(/^\+/, ''))),
  ])
  const received = replies.flatMap((reply, index) =>
    resolveAddressees(reply, sends.get(index) ?? [], ownersByNumber).map((matchedReply) => ({
      reply,
      phone: normalizeSender(reply.report),
      ...matchedReply,
    })),
  )
  const stampedReplies = received.flatMap(({ account, stamp }) => (stamp === null ? [] : [{ account, stamp }]))
  const activations = await findSmsActivations(tx, stampedReplies)
  const answeredSends = new Map(
    stampedReplies.map(({ account, stamp }, index) => [`${account} ${stamp}`, activations[index]]),
  )
  const contacts = await findPhoneHolders(tx, received)
  const stopWords = await readStopWords(
    tx,
    received.map(({ account }) => account),
  )
  const events = received.map(({ reply, account, stamp, phone }) => {
    const { time, text, to } = reply.report
    const holderContacts = contacts.get(phoneHolderKey({ account, phone })) ?? []
    const matchedReply: MatchedSmsReply = {
      account,
      time,
      text,
      to,
      from: phone,
      key: buildReplyKey(reply),
      keyword: findSmsStopWord(text, stopWords.get(account)),
      answered: answeredSends.get(`${account} ${stamp}`) ?? null,
      contact: holderContacts[0] ?? null,
    }
    return createSmsReplyEvent(matchedReply, holderContacts)
  })
  await recordEvents(tx, events)
  const matchedIds = new Set(received.map(({ reply }) => reply.id))
  const unmatched = replies.filter(({ id }) => !matchedIds.has(id))
  await storeUnmatchedReplies(tx, unmatched)
  return unmatched.length
}
