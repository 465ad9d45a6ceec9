import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { SmsReceipt } from '../../gateways/gateway.ts'
import type { AccountId } from '../../lib/account.ts'
import { clearSoft } from '../contacts/bounces.ts'
import type { Activated } from '../events/activations.ts'
import { recordEvents } from '../events/effects.ts'
import type { NewEvent } from '../events/new-event.ts'
import { findSmsActivations, type SmsKey } from '../events/sms-activations.ts'
import { undeliveredSms } from '../events/sms-bounces.ts'
import { smsBounce, smsDelivery } from '../events/sms-reports.ts'

/** A receipt that waits in the inbox. */
export interface WaitingReceipt {
  id: number
  gateway: string
  owner: AccountId | null
  report: SmsReceipt
}

/** States that are not the end of a message. */
const ON_ITS_WAY = ['ENROUTE', 'ACCEPTD']

interface Joined {
  receipt: WaitingReceipt
  send: SmsKey
}

/** The sends that receipts are of, by their references; a receipt for which there is none is not among them. */
async function join(db: Db, receipts: readonly WaitingReceipt[]): Promise<Joined[]> {
  const { rows } = await sql<SmsKey & { n: number }>`
    select n.n::integer, s.account, s.stamp
    from unnest(${receipts.map(({ gateway }) => gateway)}::text[], ${receipts.map(({ owner }) => owner)}::integer[],
      ${receipts.map(({ report }) => report.reference)}::text[]) with ordinality as n (gateway, owner, reference, n)
    cross join lateral (
      select account, stamp from sms_sends
      where gateway = n.gateway and reference = n.reference and (n.owner is null or account = n.owner)
      order by sent_at desc limit 1) s`.execute(db)
  return rows.flatMap(({ n, ...send }) => {
    const receipt = receipts[n - 1]
    return receipt ? [{ receipt, send }] : []
  })
}

function eventOf({ gateway, report }: WaitingReceipt, activated: Activated): NewEvent {
  const { state, error } = report
  const told = { ...report, gateway }
  return state === 'DELIVRD' ? smsDelivery(activated, told) : smsBounce(activated, told, undeliveredSms(state, error))
}

/** A number that got a message is good: what was counted against it is forgotten. Proofs say nothing. */
async function proveGood(tx: Db, delivered: readonly Activated[]): Promise<void> {
  const places = delivered.flatMap(({ send: { account, contact, field, kind } }) =>
    contact === null || field === null || kind === 'test' ? [] : [{ account, contact, field }],
  )
  for (const [account, own] of Map.groupBy(places, (place) => place.account)) await clearSoft(tx, account, own)
}

/**
 * Writes the events of receipts, with their effects; gives the ids of those that are done with: the others are of
 * messages whose record is still to come.
 */
export async function recordReceipts(tx: Db, waiting: readonly WaitingReceipt[]): Promise<number[]> {
  const [idle, ended] = [[] as number[], [] as WaitingReceipt[]]
  for (const one of waiting) {
    if (ON_ITS_WAY.includes(one.report.state)) idle.push(one.id)
    else ended.push(one)
  }
  const joined = await join(tx, ended)
  const activations = await findSmsActivations(
    tx,
    joined.map(({ send }) => send),
  )
  const told = joined.flatMap(({ receipt }, index) => {
    const activated = activations[index]
    return activated ? [{ receipt, activated }] : []
  })
  const written = await recordEvents(
    tx,
    told.map(({ receipt, activated }) => eventOf(receipt, activated)),
  )
  const delivered = told.filter(({ receipt }, index) => written[index] && receipt.report.state === 'DELIVRD')
  await proveGood(
    tx,
    delivered.map(({ activated }) => activated),
  )
  // Of a message whose events are past their retention a receipt has nothing to tell.
  return [...idle, ...joined.map(({ receipt }) => receipt.id)]
}
