import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OutgoingMail, SendListener } from './gateway.ts'
import { addBatch, beginErrand, createQueue, type Errand, takeErrand } from './queue.ts'

const mail = (id: number): OutgoingMail => ({ id, envelope: { from: '', to: 'a@b.example' }, bytes: Buffer.from('') })
const yes = () => true

/** The first errands of a batch of their own. */
function taken(ids: number[], listener: Partial<SendListener>): Errand<OutgoingMail>[] {
  const queue = createQueue<OutgoingMail>()
  void addBatch(queue, ids.map(mail), { outcome: () => {}, ...listener })
  return ids.flatMap(() => takeErrand(queue) ?? [])
}

describe('queue › bodies that begin', () => {
  it('are told together when they are ready in one turn, and those of a later turn apart', async () => {
    const told: number[][] = []
    const [one, two, three] = taken([1, 2, 3], { beforeBody: (...ids) => told.push(ids) })
    assert.ok(one && two && three)
    const first = Promise.all([beginErrand(one, yes), beginErrand(two, yes)])
    assert.deepEqual(told, [])
    assert.deepEqual(await first, [true, true])
    assert.equal(await beginErrand(three, yes), true)
    assert.deepEqual(told, [[1, 2], [3]])
  })

  it('are not told of when their connection ended in the same turn', async () => {
    const told: number[][] = []
    const [one, two] = taken([1, 2], { beforeBody: (...ids) => told.push(ids) })
    assert.ok(one && two)
    let stands = true
    const both = Promise.all([beginErrand(one, () => stands), beginErrand(two, yes)])
    stands = false
    assert.deepEqual(await both, [false, true])
    assert.deepEqual(told, [[2]])
  })

  it('stay when the listener throws', async () => {
    const beforeBody = () => {
      throw new Error('disk full')
    }
    const begun = taken([1, 2], { beforeBody }).map((errand) => beginErrand(errand, yes))
    for (const { status } of await Promise.allSettled(begun)) assert.equal(status, 'rejected')
  })

  it('may begin where nobody listens', async () => {
    const [one] = taken([1], {})
    assert.ok(one)
    assert.equal(await beginErrand(one, yes), true)
  })
})
