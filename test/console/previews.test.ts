import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { requestPreview, saveBeforePreviews } from '../../console/api/previews.ts'

const never = new AbortController().signal

/** A request that is answered when the test says so, with what became of each of its calls. */
function controlled() {
  const calls: { signal: AbortSignal; answer(text: string): void; fail(error: Error): void }[] = []
  const request = (signal?: AbortSignal): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    calls.push({ signal: signal ?? never, answer: resolve, fail: reject })
    return promise
  }
  return { calls, request }
}

suite('previews of a page', () => {
  test('go one after another, also after one that failed', async () => {
    const [first, second] = [controlled(), controlled()]
    const failed = assert.rejects(requestPreview(never, first.request), /broken/)
    const shown = requestPreview(never, second.request)
    await nextTurn()
    assert.deepEqual([first.calls.length, second.calls.length], [1, 0])
    first.calls[0]!.fail(new Error('broken'))
    await failed
    await nextTurn()
    second.calls[0]!.answer('second')
    assert.equal(await shown, 'second')
  })

  test('are given up for a save, and requested again after it, even one that failed', async () => {
    const [preview, save] = [controlled(), controlled()]
    const shown = requestPreview(never, preview.request)
    await nextTurn()
    const saved = assert.rejects(saveBeforePreviews(save.request), /refused/)
    assert.equal(preview.calls[0]!.signal.aborted, true)
    await nextTurn()
    assert.equal(preview.calls.length, 1)
    save.calls[0]!.fail(new Error('refused'))
    await saved
    await nextTurn()
    preview.calls[1]!.answer('shown')
    assert.equal(await shown, 'shown')
  })

  test('are not requested once nobody waits for them', async () => {
    const [first, second, third] = [controlled(), controlled(), controlled()]
    const left = new AbortController()
    const shown = requestPreview(never, first.request)
    const given = assert.rejects(requestPreview(left.signal, second.request), { name: 'AbortError' })
    const last = requestPreview(never, third.request)
    left.abort()
    first.calls[0]!.answer('first')
    await Promise.all([shown, given])
    await nextTurn()
    third.calls[0]!.answer('third')
    assert.equal(await last, 'third')
    assert.equal(second.calls.length, 0)
  })
})
