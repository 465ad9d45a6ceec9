import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Registry } from 'prom-client'
import { groupQueuesForMetrics } from '../../../src/features/deliverability/queues.ts'
import { createRequestMetrics } from '../../../src/http/middleware/request-metrics.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, contact, makeKey, other, own, registry, validated } = stage

/** Bytes that the figures of a process take at most. */
const MOST_BYTES = 300 * 1024

async function namesOf(key: string): Promise<string[]> {
  const { status, text } = await call('GET', '/metrics', { key })
  assert.equal(status, 200, text)
  return [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name).toSorted()
}

suite('/metrics', () => {
  test('shows a key what waits in its own account, and nothing of others or of the installation', async () => {
    const action = await validated(await stage.action())
    const recipient = { type: 'id', value: await contact('ann@shop.example') }
    assert.equal((await call('POST', `/actions/${action}/execution`, { body: { recipient } })).status, 200)
    const figures = [
      'stentor_outbox_messages',
      'stentor_queue_oldest_seconds',
      'stentor_queue_waiting_messages',
      'stentor_webhook_events_pending',
    ]
    const reader = await makeKey(own.account, ['read'])
    clock.advance(5001)
    assert.deepEqual([await namesOf(reader), await namesOf(other.key)], [figures, figures])
    const waiting = async (key: string) =>
      (await call('GET', '/metrics', { key })).text
        .split('\n')
        .filter((line) => /^stentor_(?:outbox|queue_waiting)/.test(line))
    assert.deepEqual(await waiting(reader), [
      'stentor_outbox_messages{state="queued",lane="1"} 1',
      'stentor_queue_waiting_messages{lane="1",destination=""} 1',
    ])
    assert.deepEqual(await waiting(other.key), [])
    assert.match(
      await registry.metrics(),
      /^stentor_http_requests_total\{method="GET",route="\/metrics",status="200"\} \d/m,
    )
  })

  test('needs a key with the right to read', async () => {
    assert.equal((await call('GET', '/metrics', { key: null })).status, 401)
    assert.equal((await call('GET', '/metrics', { key: await makeKey(own.account, ['write']) })).status, 403)
  })

  test('the figures of requests and queues stay below 300 KiB, whatever was asked and wherever messages wait', async () => {
    const many = new Registry()
    const figures = createRequestMetrics(many)
    let requests = 0
    for (let route = 0; route < 500; route++)
      for (const status of [200, 204, 400, 401, 403, 404, 409, 429, 500, 503]) {
        requests++
        const name = `/area${route % 40}/of-a-long-name/:id/with/parts/${route}`
        figures.note({ method: 'DELETE', route: name, status, seconds: 0.01 })
      }
    const text = await many.metrics()
    assert.ok(Buffer.byteLength(text) < (MOST_BYTES * 3) / 4, `${Buffer.byteLength(text)} bytes`)
    const counted = [...text.matchAll(/^stentor_http_requests_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count))
    assert.equal(
      counted.reduce((sum, count) => sum + count, 0),
      requests,
    )

    const oldest = new Date(0)
    const queues = Array.from({ length: 5000 }, (_, index) => ({
      account: 1,
      lane: index % 3,
      destination: `mx${index}.example`,
      postponed: 0,
      oldest,
      waiting: index + 1,
    }))
    const places = groupQueuesForMetrics(queues)
    assert.equal(places.length, 203)
    assert.deepEqual([places[0]?.destination, places[199]?.destination], ['mx4999.example', 'mx4800.example'])
    const smallest = places.slice(200)
    assert.deepEqual(smallest.map(({ lane, destination }) => `${lane} ${destination}`).sort(), [
      '0 other',
      '1 other',
      '2 other',
    ])
    assert.equal(places.flatMap((place) => place.queues).length, queues.length)
  })

  test('figures are read once in some seconds, however often they are requested', async () => {
    const key = await makeKey(own.account, ['read'])
    const answers = await Promise.all([0, 1, 2].map(() => call('GET', '/metrics', { key })))
    await stage.context.pool.query("update messages set created_at = created_at - interval '1 hour'")
    answers.push(await call('GET', '/metrics', { key }))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    clock.advance(5001)
    assert.notEqual((await call('GET', '/metrics', { key })).text, answers[0]?.text)
  })
})
