import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OutgoingMail, SendBatchListener } from './gateway.ts'
import {
  awaitBeforeBody,
  createDeliveryQueue,
  enqueueDeliveryBatch,
  type QueuedDelivery,
  takeQueuedDelivery,
} from './queue.ts'

const mail = (id: number): OutgoingMail => ({ id, envelope: { from: '', to: 'a@b.example' }, bytes: Buffer.from('') })
const yes = () => true

/** The first deliveries of a batch of their own. */
function taken(ids: number[], listener: Partial<SendBatchListener>): QueuedDelivery<OutgoingMail>[] {
  const queue = createDeliveryQueue<OutgoingMail>()
  void enqueueDeliveryBatch(queue, ids.map(mail), { outcome: () => {}, ...listener })
  return ids.flatMap(() => takeQueuedDelivery(queue) ?? [])
}

describe('queue › message bodies that begin', () => {
  it('are announced together when ready in the same turn, and separately otherwise', async () => {
    const announced: number[][] = []
    const [one, two, three] = taken([1, 2, 3], { beforeBody: (...ids: number[]) => announced.push(ids) })
    assert.ok(one && two && three)
    const first = Promise.all([awaitBeforeBody(one, yes), awaitBeforeBody(two, yes)])
    assert.deepEqual(announced, [])
    assert.deepEqual(await first, [true, true])
    assert.equal(await awaitBeforeBody(three, yes), true)
    assert.deepEqual(announced, [[1, 2], [3]])
  })

  it('are not announced when their connection ended in the same turn', async () => {
    const announced: number[][] = []
    const [one, two] = taken([1, 2], { beforeBody: (...ids: number[]) => announced.push(ids) })
    assert.ok(one && two)
    let stands = true
    const both = Promise.all([awaitBeforeBody(one, () => stands), awaitBeforeBody(two, yes)])
    stands = false
    assert.deepEqual(await both, [false, true])
    assert.deepEqual(announced, [[2]])
  })

  it('do not begin when the listener throws', async () => {
    const beforeBody = () => {
      throw new Error('disk full')
    }
    const begun = taken([1, 2], { beforeBody }).map((delivery) => awaitBeforeBody(delivery, yes))
    for (const { status } of await Promise.allSettled(begun)) assert.equal(status, 'rejected')
  })

  it('can begin without a listener', async () => {
    const [one] = taken([1], {})
    assert.ok(one)
    assert.equal(await awaitBeforeBody(one, yes), true)
  })
})
