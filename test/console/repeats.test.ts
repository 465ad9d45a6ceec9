import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiRefusal } from '../../console/api/refusal.ts'
import { sendWithRetries } from '../../console/api/repeats.ts'

const refusal = (status: number, kind: string, retryAfter?: string) =>
  new ApiRefusal(
    status,
    { type: `urn:stentor:problem:${kind}` },
    new Headers(retryAfter ? { 'retry-after': retryAfter } : {}),
  )
const full = refusal(503, 'overloaded', '2')

/** A service that refuses one request per refusal and then answers, with the bodies that it received. */
function refusing(...refusals: ApiRefusal[]) {
  const bodies: string[] = []
  return {
    bodies,
    async send(request: Request): Promise<Response> {
      bodies.push(await request.text())
      const next = refusals.shift()
      if (next) throw next
      return new Response('done')
    },
  }
}

const post = (signal?: AbortSignal) =>
  new Request('https://stentor.example/designs', { method: 'POST', body: 'text', ...(signal && { signal }) })

/** Advances the time, and lets the code that waits for it run. */
async function pass(t: TestContext, ms: number): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  t.mock.timers.tick(ms)
  for (let turn = 0; turn < 10; turn++) await nextTurn()
}

suite('a request of the console to an overloaded service', () => {
  test('is sent again with its body once Retry-After has passed', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    const { bodies, send } = refusing(full, full)
    const sent = sendWithRetries(post(), send)
    await pass(t, 1999)
    assert.deepEqual(bodies, ['text'])
    await pass(t, 1)
    await pass(t, 2000)
    assert.equal(await (await sent).text(), 'done')
    assert.deepEqual(bodies, ['text', 'text', 'text'])
  })

  test('is refused after ten seconds', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    const { bodies, send } = refusing(...Array.from({ length: 9 }, () => full))
    const sent = assert.rejects(sendWithRetries(post(), send), full)
    for (let repeat = 0; repeat < 5; repeat++) await pass(t, 2000)
    await sent
    assert.equal(bodies.length, 6)
  })

  test('is not sent again once its page is left', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    const { bodies, send } = refusing(full)
    const left = new AbortController()
    const sent = assert.rejects(sendWithRetries(post(left.signal), send), { name: 'AbortError' })
    await pass(t, 1000)
    left.abort()
    await sent
    await pass(t, 5000)
    assert.equal(bodies.length, 1)
  })

  test('is not sent again if it writes and may have taken effect, or was rejected', async () => {
    for (const answer of [
      refusal(503, 'unavailable', '5'),
      refusal(503, 'overloaded'),
      refusal(429, 'rate-limit', '1'),
    ]) {
      const { bodies, send } = refusing(answer)
      await assert.rejects(sendWithRetries(post(), send), answer)
      assert.equal(bodies.length, 1)
    }
    const { bodies, send } = refusing(refusal(404, 'not-found'))
    await assert.rejects(sendWithRetries(new Request('https://stentor.example/designs/1'), send))
    assert.equal(bodies.length, 1)
  })

  test('is sent again if it reads, even without Retry-After', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
    const { bodies, send } = refusing(refusal(503, 'unavailable', '5'), refusal(503, ''))
    const sent = sendWithRetries(new Request('https://stentor.example/designs/1'), send)
    await pass(t, 5000)
    await pass(t, 1000)
    assert.equal((await sent).status, 200)
    assert.equal(bodies.length, 3)
  })
})
