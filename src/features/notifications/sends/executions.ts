import { conflictProblem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { requireUsableSegments } from '../../actions/validation/readiness.ts'
import { MAX_TEST_CONTACTS, readTestContacts } from '../../actions/validation/test-run.ts'
import {
  type RestrictedTester,
  requireTesterContact,
  requireTesterProofCount,
} from '../../actions/validation/testers.ts'
import { requirePushVersion } from '../content/renders.ts'
import type { PushItem, PushReceiver, PushResult, PushTestItem } from '../item-schemas.ts'
import type { NotificationKey, StoredNotification } from '../stored.ts'
import { type ParsedPushItem, parsePushItems } from './push-items.ts'
import { findPushReceivers, parsePushReceiver } from './receivers.ts'
import { type PushSendContext, type RequestedPushes, sendPushes } from './sends.ts'

/** Items of an execution as they are asked of a notification. */
export function toRequestedPushes(items: readonly PushItem[], isList: boolean): RequestedPushes {
  return {
    kind: 'message',
    items: (row) => {
      const parsedItems = parsePushItems(items, isList)
      if (!row.active) throw conflictProblem('notification-inactive', `The notification ${row.id} is not active.`)
      return parsedItems
    },
  }
}

/** Sends a notification to whom each item names. Throws notFound, 400, and conflict when it or its application is not active. */
export function sendNotificationItems(
  context: PushSendContext,
  key: NotificationKey,
  { items, isList }: { items: readonly PushItem[]; isList: boolean },
): Promise<PushResult[]> {
  return sendPushes(context, key, toRequestedPushes(items, isList))
}

interface TestSegment {
  type: 'segment'
  value: number
}

function isSegment(recipient: PushReceiver | TestSegment): recipient is TestSegment {
  return 'type' in recipient && recipient.type === 'segment'
}

/** One item for each contact of a test segment, by id. Throws notFound, and conflict for one that no test goes to. */
async function listSegmentItems(
  { db, clock }: PushSendContext,
  { account }: StoredNotification,
  segment: number,
): Promise<PushReceiver[]> {
  const now = clock.now()
  await requireUsableSegments(db, account, [segment], { now: new Date(now), test: true })
  const segmentContacts = await readTestContacts(db, { account, segments: [segment] }, now, MAX_TEST_CONTACTS + 1)
  if (segmentContacts.length > MAX_TEST_CONTACTS)
    throw conflictProblem(
      'test-too-large',
      `A test goes to at most ${MAX_TEST_CONTACTS} contacts; select a smaller segment.`,
    )
  return segmentContacts.map(({ id }) => ({ type: 'id', value: formatContactId(id) }))
}

/** Throws 403 for a tester whose recipient is nobody in the account, or a device that nobody is known to have. */
async function requireAccountRecipient(
  { db }: PushSendContext,
  row: StoredNotification,
  { recipient, tester }: { recipient: PushReceiver; tester: RestrictedTester | null },
): Promise<void> {
  if (!tester) return
  const [foundReceiver] = await findPushReceivers(db, row, [parsePushReceiver(recipient, '/recipient', []) ?? null])
  requireTesterContact(tester, foundReceiver?.contact)
}

/**
 * Sends a version, or the master, for a look at it, also while the notification is inactive: it counts for nothing.
 * `tester`: whose tests have limits. Throws notFound, 400, 403, and conflict for the segment or the application.
 */
export function testNotification(
  context: PushSendContext,
  key: NotificationKey,
  { version, item, tester }: { version: string | null; item: PushTestItem; tester: RestrictedTester | null },
): Promise<PushResult[]> {
  const { recipient, ...otherMembers } = item
  async function items(row: StoredNotification): Promise<ParsedPushItem[]> {
    const itemTemplate = { ...otherMembers, version: requirePushVersion(row, version).id }
    if (!isSegment(recipient)) {
      await requireAccountRecipient(context, row, { recipient, tester })
      return parsePushItems([{ ...itemTemplate, recipient }], false)
    }
    const receivers = await listSegmentItems(context, row, recipient.value)
    requireTesterProofCount(tester, receivers.length)
    return receivers.flatMap((segmentRecipient) =>
      parsePushItems([{ ...itemTemplate, recipient: segmentRecipient }], false),
    )
  }
  return sendPushes(context, key, { kind: 'test', items })
}
