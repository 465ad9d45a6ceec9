import { conflict } from '../../../lib/errors/problem.ts'
import { contactId } from '../../../lib/ids.ts'
import { refuseSegments } from '../../actions/validation/readiness.ts'
import { MAX_TEST_CONTACTS, segmentContacts } from '../../actions/validation/test-run.ts'
import { refuseContact, refuseManyProofs, type Tester } from '../../actions/validation/testers.ts'
import { versionNamed } from '../content/renders.ts'
import type { PushItem, PushResult, PushTestItem, Receiver } from '../item-schemas.ts'
import type { NotificationKey, StoredNotification } from '../stored.ts'
import { type ReadItem, readItems } from './push-items.ts'
import { findReceivers, readReceiver } from './receivers.ts'
import { type AskedPushes, type SendContext, sendPushes } from './sends.ts'

/** Items of an execution as they are asked of a notification. */
export function askedItems(items: readonly PushItem[], isList: boolean): AskedPushes {
  return {
    kind: 'message',
    items: (row) => {
      const read = readItems(items, isList)
      if (!row.active) throw conflict('notification-inactive', `The notification ${row.id} is not active.`)
      return read
    },
  }
}

/** Sends a notification to whom each item names. Throws notFound, 400, and conflict when it or its application is not active. */
export function executeNotification(
  context: SendContext,
  key: NotificationKey,
  { items, isList }: { items: readonly PushItem[]; isList: boolean },
): Promise<PushResult[]> {
  return sendPushes(context, key, askedItems(items, isList))
}

interface TestSegment {
  type: 'segment'
  value: number
}

function isSegment(recipient: Receiver | TestSegment): recipient is TestSegment {
  return 'type' in recipient && recipient.type === 'segment'
}

/** One item for each contact of a test segment, by id. Throws notFound, and conflict for one that no test goes to. */
async function ofSegment(
  { db, clock }: SendContext,
  { account }: StoredNotification,
  segment: number,
): Promise<Receiver[]> {
  const now = clock.now()
  await refuseSegments(db, account, [segment], { now: new Date(now), test: true })
  const members = await segmentContacts(db, { account, segments: [segment] }, now, MAX_TEST_CONTACTS + 1)
  if (members.length > MAX_TEST_CONTACTS)
    throw conflict('test-too-large', `A test goes to at most ${MAX_TEST_CONTACTS} contacts; select a smaller segment.`)
  return members.map(({ id }) => ({ type: 'id', value: contactId(id) }))
}

/** Throws 403 for a tester whose recipient is nobody in the account, or a device that nobody is known to have. */
async function refuseElsewhere(
  { db }: SendContext,
  row: StoredNotification,
  { recipient, tester }: { recipient: Receiver; tester: Tester | null },
): Promise<void> {
  if (!tester) return
  const [found] = await findReceivers(db, row, [readReceiver(recipient, '/recipient', []) ?? null])
  refuseContact(tester, found?.contact)
}

/**
 * Sends a version, or the master, for a look at it, also while the notification is inactive: it counts for nothing.
 * `tester`: whose tests have limits. Throws notFound, 400, 403, and conflict for the segment or the application.
 */
export function testNotification(
  context: SendContext,
  key: NotificationKey,
  { version, item, tester }: { version: string | null; item: PushTestItem; tester: Tester | null },
): Promise<PushResult[]> {
  const { recipient, ...given } = item
  async function items(row: StoredNotification): Promise<ReadItem[]> {
    const asked = { ...given, version: versionNamed(row, version).id }
    if (!isSegment(recipient)) {
      await refuseElsewhere(context, row, { recipient, tester })
      return readItems([{ ...asked, recipient }], false)
    }
    const receivers = await ofSegment(context, row, recipient.value)
    refuseManyProofs(tester, receivers.length)
    return receivers.flatMap((one) => readItems([{ ...asked, recipient: one }], false))
  }
  return sendPushes(context, key, { kind: 'test', items })
}
