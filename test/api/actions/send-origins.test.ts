import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordEvents } from '../../../src/features/events/record/effects.ts'
import { buildPushSource, loadPushSourceContext } from '../../../src/features/notifications/content/drafts.ts'
import { loadNotification } from '../../../src/features/notifications/stored.ts'
import { createUuidV7, parseContactId } from '../../../src/lib/ids.ts'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import type { SendOrigin } from '../../../src/lib/sources.ts'
import { storeContentVersion } from '../../../src/sending/plan/content-version.ts'
import { requestSends } from '../../../src/sending/plan/request-sends.ts'
import { storedApplication } from '../../support/stages/push-applications.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, sendDue } = stage

/** Asks for a message of a notification on behalf of something; gives its stamp. */
async function asked(source: number, contact: number, origin: SendOrigin): Promise<string> {
  const { db } = context
  const now = clock.now()
  const surroundings = await loadPushSourceContext(context, stage.own.account)
  const row = await loadNotification(db, { account: stage.own.account, id: source })
  const owner = { account: stage.own.account, sourceKind: 'notification' as const, source }
  const id = createUuidV7(now)
  const content = { source: buildPushSource(surroundings, row, row.versions[0]!), links: [] }
  await db.transaction().execute(async (tx) => {
    const version = await storeContentVersion(tx, owner, content, new Date(now))
    const lane = outboxLanes.transactional
    const push = { version: row.versions[0]!.id, application: row.application!, subscription: null }
    const { events } = await requestSends(
      tx,
      [
        {
          account: owner.account,
          channel: 'notification',
          kind: 'message',
          contact,
          address: null,
          version,
          lane,
          request: { data: { cart: 3 } },
          copies: [],
          notBefore: new Date(now),
          expiresAt: new Date(now + 1000),
          sending: { ...owner, version, lane },
          stamp: { id, thread: id, set: id, time: now },
          execution: { footprint: null, field: null, push, origin },
        },
      ],
      new Date(now),
    )
    await recordEvents(tx, events)
  })
  return id
}

test('a cancellation records the origin of its send as the execution does', async () => {
  const settings = { application: await storedApplication(stage) }
  const versions = [{ master: true, content: { title: 'Twenty off', body: 'Tonight only' } }]
  const body = { type: 'push-app', name: 'Sale', settings, versions }
  const { id } = (await call('POST', '/notifications', { body })).body
  assert.equal((await call('POST', `/notifications/${id}/activation`)).status, 204)
  const contact = parseContactId(await stage.contact('ada@orchard.example'))!
  for (const origin of [{ type: 'api' }, { type: 'workflow', id: 7 }] as const) {
    const stamp = await asked(id, contact, origin)
    await sendDue()
    const { rows: events } = await context.pool.query(
      'select kind, detail from events where stamp = $1 order by kind',
      [stamp],
    )
    assert.deepEqual(
      events.map(({ kind, detail: { execution, cancellation } }) => [
        kind,
        execution?.['origin'],
        cancellation?.['type'],
      ]),
      [
        ['cancellations', origin, 'no subscription'],
        ['executions', origin, undefined],
      ],
    )
  }
})
