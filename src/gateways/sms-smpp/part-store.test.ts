import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { eventually } from '#test/support/wait.ts'
import { createSmsReplyPartStore, flushIncompleteReplies, type SmsReplyPart, storeSmsReplyPart } from './part-store.ts'

const root = await mkdtemp(join(tmpdir(), 'stentor-parts-'))
after(() => rm(root, { recursive: true, force: true }))

const part = (number: number, more: Partial<SmsReplyPart> = {}): SmsReplyPart => ({
  id: null,
  from: '+33601020304',
  to: '36111',
  reference: 7,
  total: 3,
  number,
  dataCoding: 0,
  octets: Buffer.from(String(number)).toString('base64'),
  ...more,
})

/** A store of its own, and what was passed on from it, as numbers of parts. */
function setUp(name: string) {
  let now = Date.now()
  const passed: number[][] = []
  const store = createSmsReplyPartStore(root, [name], { now: () => now })
  const pass = async (parts: SmsReplyPart[]) => {
    passed.push(parts.map(({ number }) => number))
  }
  return { store, passed, pass, later: (ms: number) => (now += ms) }
}

describe('parts of an SMS reply', () => {
  it('wait for each other in any order and are passed on once', async () => {
    const { store, passed, pass } = setUp('order')
    for (const number of [3, 1, 1, 3]) await storeSmsReplyPart(store, part(number), pass)
    assert.deepEqual(passed, [])
    await storeSmsReplyPart(store, part(2), pass)
    assert.deepEqual(passed, [[1, 2, 3]])
    assert.deepEqual(await readdir(store.directory), [])
  })

  it('of different messages are kept separate', async () => {
    const { store, passed, pass } = setUp('apart')
    await storeSmsReplyPart(store, part(1), pass)
    const others = [{ reference: 8 }, { from: '+33601020305' }, { to: '36112' }, { total: 2 }]
    for (const other of others) await storeSmsReplyPart(store, part(2, other), pass)
    await storeSmsReplyPart(createSmsReplyPartStore(root, ['another centre'], { now: () => 0 }), part(2), pass)
    assert.deepEqual(passed, [])
  })

  it('stored concurrently are passed on once', async () => {
    const { store, passed, pass } = setUp('race')
    for (let reference = 0; reference < 30; reference++)
      await Promise.allSettled([1, 2, 3].map((number) => storeSmsReplyPart(store, part(number, { reference }), pass)))
    await flushIncompleteReplies(store, pass)
    assert.equal(passed.length, 30)
    for (const numbers of passed) assert.deepEqual(numbers, [1, 2, 3])
  })

  it('remain stored when they cannot be passed on', async () => {
    const { store, passed, pass } = setUp('refused')
    await storeSmsReplyPart(store, part(1), pass)
    await storeSmsReplyPart(store, part(2), pass)
    const refuse = () => Promise.reject(new Error('the database is away'))
    await assert.rejects(storeSmsReplyPart(store, part(3), refuse), /away/)
    await storeSmsReplyPart(store, part(3), pass)
    assert.deepEqual(passed, [[1, 2, 3]])
  })

  it('are passed on incomplete after an hour', async () => {
    const { store, passed, pass, later } = setUp('lost')
    await storeSmsReplyPart(store, part(3), pass)
    await storeSmsReplyPart(store, part(1), pass)
    later(3_500_000)
    await flushIncompleteReplies(store, pass)
    assert.deepEqual(passed, [])
    later(200_000)
    await flushIncompleteReplies(store, pass)
    assert.deepEqual(passed, [[1, 3]])
    assert.deepEqual(await readdir(store.directory), [])
  })

  it('left half stored by a crash are passed on later', async () => {
    const { store, passed, pass, later } = setUp('crash')
    await storeSmsReplyPart(store, part(1, { total: 2 }), pass)
    // Never settles: the process died.
    void storeSmsReplyPart(store, part(2, { total: 2 }), () => new Promise(() => {}))
    await eventually(async () => (await readdir(store.directory)).some((name) => name.endsWith('.taken')))
    await flushIncompleteReplies(store, pass)
    assert.deepEqual(passed, [])
    later(700_000)
    await flushIncompleteReplies(store, pass)
    assert.deepEqual(passed, [[1, 2]])
  })
})
