import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startPushStage } from '../../support/stages/push-stage.ts'
import { reportTools } from '../../support/stages/reports.ts'

const stage = await startPushStage()
const { call, device, peers, person, request, sendPushes } = stage
const app = await stage.application()
const { assertLists, behind } = reportTools(stage, '/notifications')

suite('reports of notifications', () => {
  test('count a message once for any number of devices, and each delivery in the series', async () => {
    const sale = await stage.notification(app)
    const [two, one, none, gone] = [await person(), await person(), await person(), await person()]
    for (const [contact, provider] of [
      [two, 'webpush'],
      [two, 'http'],
      [one, 'http'],
      [gone, 'firebase'],
    ] as const)
      await device(app, contact, provider)
    peers.firebase.plan.push({ status: 404, body: '{"error":{"details":[{"errorCode":"UNREGISTERED"}]}}' })
    await request(sale, [two, one, none, gone])
    assert.deepEqual((await assertLists(sale)).waiting, 4)
    await sendPushes()
    const shown = await assertLists(sale)
    const { audience, sent, refused, cancelled, delivered, usual } = shown
    assert.deepEqual([audience, sent, refused, delivered, usual], [4, 2, 1, null, null])
    assert.equal(cancelled.length, 1)
    assert.deepEqual(
      shown.series.map(({ sends }: { sends: number }) => sends),
      [4],
    )
    const contacts = (await behind(sale, 'sent')).map(({ id }) => id)
    assert.deepEqual(new Set(contacts).size, 2)
  })

  test('count a message refused by one of two devices as sent', async () => {
    const sale = await stage.notification(app)
    const contact = await person()
    await device(app, contact, 'webpush')
    await device(app, contact, 'http')
    peers.webpush.plan.push({ status: 410 })
    await request(sale, [contact])
    await sendPushes()
    const { audience, sent, refused, bounces } = await assertLists(sale)
    assert.deepEqual([audience, sent, refused], [1, 1, 0])
    assert.deepEqual(
      bounces.map(({ destination, verdict, count }: Record<string, unknown>) => [destination, verdict, count]),
      [[null, 'hard', 1]],
    )
  })

  test('have no list of deliveries', async () => {
    const sale = await stage.notification(app)
    const { status, body } = await call('GET', `/notifications/${sale}/report/contacts?of=delivered`)
    assert.deepEqual([status, body.errors?.[0]?.pointer], [400, 'of'])
  })
})
