import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { SmsReceipt } from '../../../gateways/gateway.ts'
import type { AccountId } from '../../../lib/account.ts'
import { classifySmsFailure } from '../../bounces/classify-sms-failure.ts'
import { clearSoftBounces } from '../../contacts/bounce-flags/bounce-flags.ts'
import { createSmsBounceEvent, createSmsDeliveryEvent } from '../../events/delivery-reports/sms-reports.ts'
import type { ActivatedSend } from '../../events/record/activations.ts'
import { recordEvents } from '../../events/record/effects.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import { findSmsActivations, type SmsSendKey } from '../../events/record/sms-activations.ts'

/** A receipt that waits in the inbox. */
export interface PendingSmsReceipt {
  id: number
  gateway: string
  owner: AccountId | null
  report: SmsReceipt
}

/** States that are not final. */
const INTERMEDIATE_STATES = ['ENROUTE', 'ACCEPTD']

interface MatchedReceipt {
  receipt: PendingSmsReceipt
  send: SmsSendKey
}

/** The sends of receipts, by their references; receipts without one are left out. */
async function matchReceipts(db: Db, receipts: readonly PendingSmsReceipt[]): Promise<MatchedReceipt[]> {
  const { rows } = await sql<SmsSendKey & { n: number }>`
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

function buildReceiptEvent({ gateway, report }: PendingSmsReceipt, activated: ActivatedSend): NewEvent {
  const { state, error } = report
  const receipt = { ...report, gateway }
  return state === 'DELIVRD'
    ? createSmsDeliveryEvent(activated, receipt)
    : createSmsBounceEvent(activated, receipt, classifySmsFailure(state, error))
}

/** A delivery resets the soft bounces counted for a number. Tests do not count. */
async function resetSoftBounces(tx: Db, delivered: readonly ActivatedSend[]): Promise<void> {
  const phoneFields = delivered.flatMap(({ send: { account, contact, field, kind } }) =>
    contact === null || field === null || kind === 'test' ? [] : [{ account, contact, field }],
  )
  for (const [account, accountPhones] of Map.groupBy(phoneFields, (place) => place.account))
    await clearSoftBounces(tx, account, accountPhones)
}

/**
 * Records the events of receipts, with their effects; returns the ids of the processed ones: the others are of messages
 * not recorded yet.
 */
export async function recordSmsReceipts(tx: Db, pendingReceipts: readonly PendingSmsReceipt[]): Promise<number[]> {
  const [ignoredIds, finalReceipts] = [[] as number[], [] as PendingSmsReceipt[]]
  for (const pendingReceipt of pendingReceipts) {
    if (INTERMEDIATE_STATES.includes(pendingReceipt.report.state)) ignoredIds.push(pendingReceipt.id)
    else finalReceipts.push(pendingReceipt)
  }
  const matchedReceipts = await matchReceipts(tx, finalReceipts)
  const activations = await findSmsActivations(
    tx,
    matchedReceipts.map(({ send }) => send),
  )
  const activatedReceipts = matchedReceipts.flatMap(({ receipt }, index) => {
    const activated = activations[index]
    return activated ? [{ receipt, activated }] : []
  })
  const recordedEvents = await recordEvents(
    tx,
    activatedReceipts.map(({ receipt, activated }) => buildReceiptEvent(receipt, activated)),
  )
  const delivered = activatedReceipts.filter(
    ({ receipt }, index) => recordedEvents[index] && receipt.report.state === 'DELIVRD',
  )
  await resetSoftBounces(
    tx,
    delivered.map(({ activated }) => activated),
  )
  // A receipt of a message whose events are past retention is processed without an event.
  return [...ignoredIds, ...matchedReceipts.map(({ receipt }) => receipt.id)]
}
