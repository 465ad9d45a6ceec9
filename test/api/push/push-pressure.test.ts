import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatContactId } from '../../../src/lib/ids.ts'
import { apnsError } from '../../fakes/push/push-peer-apns.ts'
import { fcmError } from '../../fakes/push/push-peer-fcm.ts'
import { limit, pressureTools } from '../../support/stages/pressure.ts'
import { startPushStage } from '../../support/stages/push-stage.ts'

const stage = await startPushStage()
const { call, peers, application, notification, person, device, isKept, sendPushes, outcomes } = stage
const tools = pressureTools(stage)

const app = await application()
const sale = await notification(app)
const providers = ['firebase', 'apns', 'webpush'] as const

/** A contact with three devices, one of each provider. */
async function somebody() {
  const number = await person()
  const devices = []
  for (const provider of providers) devices.push(await device(app, number, provider))
  return { id: formatContactId(number), number, devices }
}

/** Asks for a push, and sends it; gives its stamp. */
async function push(id: string): Promise<string> {
  const recipient = { type: 'contact', value: { type: 'id', value: id } }
  const answer = await call('POST', `/notifications/${sale}/execution`, { body: { recipient } })
  assert.equal(answer.status, 200, answer.text)
  await sendPushes()
  return answer.body.id
}

const activations = [...providers].map((provider) => `activations ${provider}`).sort()
const stopped = ['cancellations marketing pressure']
const gone = (provider: string) => `bounces ${provider} hard 5.1.1`
const asked = () => providers.map((provider) => peers[provider].requests.length)

test('a push to three devices counts as 1 for pressure, and the next is stopped as a whole', async () => {
  await tools.rule([limit(1)])
  const { id } = await somebody()
  const stamp = await push(id)
  assert.deepEqual([await outcomes(stamp), await tools.counted(id)], [activations, 1])
  const before = asked()
  const second = await push(id)
  assert.deepEqual([await outcomes(second), await tools.counted(id)], [stopped, 1])
  assert.deepEqual(asked(), before, 'no service hears of it')
  assert.equal((await tools.cancellation(id))?.value['count'], 1)
  await tools.withoutRules()
})

test('a push refused by one device and accepted by two counts as 1 for pressure', async () => {
  await tools.rule([limit(1)])
  const { id, devices } = await somebody()
  peers.firebase.plan.push(fcmError(404, 'UNREGISTERED'))
  const stamp = await push(id)
  assert.deepEqual(await outcomes(stamp), [...activations, gone('firebase')].sort())
  assert.deepEqual(await Promise.all(devices.map(isKept)), [false, true, true])
  assert.deepEqual([await tools.counted(id), await outcomes(await push(id))], [1, stopped])
  await tools.withoutRules()
})

test('a push refused by all devices gives its pressure place back, and the next push passes', async () => {
  await tools.rule([limit(1)])
  const { id, number, devices } = await somebody()
  peers.firebase.plan.push(fcmError(404, 'UNREGISTERED'))
  peers.apns.plan.push(apnsError(410, 'Unregistered'))
  peers.webpush.plan.push({ status: 410 })
  const stamp = await push(id)
  assert.deepEqual(await outcomes(stamp), [...activations, ...[...providers].map(gone)].sort())
  assert.deepEqual(await Promise.all(devices.map(isKept)), [false, false, false])
  assert.equal(await tools.counted(id), 0)
  const [standing] = await tools.standing(id)
  assert.deepEqual([standing.count, standing.remaining], [0, 1])
  await device(app, number, 'http')
  assert.deepEqual(await outcomes(await push(id)), ['activations http'])
  assert.equal(await tools.counted(id), 1)
  await tools.withoutRules()
})

test('pushes have the same pressure counts without a rule', async () => {
  const [taken, refused] = [await somebody(), await somebody()]
  await push(taken.id)
  peers.firebase.plan.push(fcmError(400, 'INVALID_ARGUMENT'))
  peers.apns.plan.push(apnsError(413, 'PayloadTooLarge'))
  peers.webpush.plan.push({ status: 410 })
  await push(refused.id)
  assert.deepEqual([await tools.counted(taken.id), await tools.counted(refused.id)], [1, 0])
})

test('a push keeps its pressure place while one device waits for a retry', async () => {
  await tools.rule([limit(1)])
  const { id } = await somebody()
  peers.firebase.plan.push(fcmError(404, 'UNREGISTERED'))
  peers.apns.plan.push({ ...apnsError(503, 'ServiceUnavailable'), headers: { 'retry-after': '3600' } })
  peers.webpush.plan.push({ status: 410 })
  const stamp = await push(id)
  assert.deepEqual(await outcomes(stamp), [
    'activations firebase',
    'activations webpush',
    gone('firebase'),
    gone('webpush'),
  ])
  assert.deepEqual([await tools.counted(id), await outcomes(await push(id))], [1, stopped])
  await tools.withoutRules()
})
