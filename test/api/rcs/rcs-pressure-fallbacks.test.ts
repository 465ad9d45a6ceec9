import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limit, pressureTools } from '../../support/stages/pressure.ts'
import { startFallbackStage } from '../../support/stages/rcs-fallbacks.ts'

const stage = await startFallbackStage()
const { ask, call, kinds, profile, rbm, ready, texts, work } = stage
const tools = pressureTools(stage)
await call('PUT', '/settings/sending', { body: { stopMention: 'STOP 36000' } })

test('a refused RCS message sent as SMS counts as 1 for pressure, under channel rcs', async () => {
  await tools.rule([limit(5, { channels: ['rcs'] }), limit(5, { channels: ['sms'] }), limit(5)])
  const action = await ready({
    settings: { profile, purpose: { type: 'marketing' }, mp: { use: true, increment: true } },
  })
  const [one] = await ask(action)
  const counts = async () =>
    (await tools.standing(one!.id)).map(({ channels, count }: { channels: string[]; count: number }) => [
      channels,
      count,
    ])
  rbm.book.unreachable.add(one!.phone)
  await work()
  assert.deepEqual(await kinds(one!), ['activations', 'bounces', 'activations unreachable'])
  assert.equal(texts(one!.phone).length, 1)
  assert.deepEqual(await counts(), [
    [['rcs'], 1],
    [['sms'], 0],
    [[], 1],
  ])
})

test('a refused RCS message without a fallback gives its pressure place back', async () => {
  const action = await ready({
    settings: { profile, purpose: { type: 'marketing' }, mp: { use: true, increment: true } },
    fallback: null,
  })
  const [one] = await ask(action)
  rbm.book.unreachable.add(one!.phone)
  await work()
  assert.deepEqual([await kinds(one!), texts(one!.phone)], [['activations', 'bounces'], []])
  const standing = await tools.standing(one!.id)
  assert.deepEqual(
    standing.map(({ count }: { count: number }) => count),
    [0, 0, 0],
  )
})
