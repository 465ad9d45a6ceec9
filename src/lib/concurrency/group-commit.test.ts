import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGroupCommit } from './group-commit.ts'

interface Item {
  n: number
}

/** A `keep` whose groups end on demand, each item with itself unless an error is given for it. */
function heldKeeper() {
  const groups: { items: number[]; end(error?: Error): void; endWith(outcomes: (Item | Error)[]): void }[] = []
  const keep = (items: Item[]): Promise<(Item | Error)[]> =>
    new Promise((resolve, reject) =>
      groups.push({
        items: items.map(({ n }) => n),
        end: (error) => (error === undefined ? resolve(items) : reject(error)),
        endWith: resolve,
      }),
    )
  return { groups, keep }
}

test('items added together are grouped, and gathered while all groups are in progress', async () => {
  const { groups, keep } = heldKeeper()
  const commit = createGroupCommit(keep, { most: 3, atOnce: 2 })
  const first = [1, 2, 3, 4].map((n) => commit.add({ n }))
  await nextTurn()
  assert.deepEqual(
    groups.map(({ items }) => items),
    [[1, 2, 3], [4]],
  )
  const later = [5, 6].map((n) => commit.add({ n }))
  await nextTurn()
  assert.equal(groups.length, 2)
  groups[1]?.end()
  assert.deepEqual(await first[3], { n: 4 })
  assert.deepEqual(groups[2]?.items, [5, 6])
  groups[0]?.end()
  groups[2]?.end()
  await Promise.all([...first, ...later, commit.idle()])
})

test('every item of a failed group is rejected, and the next group continues', async () => {
  const { groups, keep } = heldKeeper()
  const commit = createGroupCommit(keep, { most: 10, atOnce: 1 })
  const failing = [commit.add({ n: 1 }), commit.add({ n: 2 })]
  await nextTurn()
  groups[0]?.end(new Error('no'))
  for (const { status } of await Promise.allSettled(failing)) assert.equal(status, 'rejected')
  const next = commit.add({ n: 3 })
  await nextTurn()
  groups[1]?.end()
  await next
  await commit.idle()
})

test('an error of one item does not affect the others', async () => {
  const { groups, keep } = heldKeeper()
  const commit = createGroupCommit(keep, { most: 10, atOnce: 1 })
  const items = [1, 2, 3].map((n) => commit.add({ n }))
  await nextTurn()
  groups[0]?.endWith([{ n: 1 }, new Error('not this one')])
  assert.deepEqual(
    (await Promise.allSettled(items)).map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  )
})

test('a gathering group waits until it is as large as the previous one or a timeout passes', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const { groups, keep } = heldKeeper()
  const commit = createGroupCommit(keep, { most: 10, atOnce: 4, gatherMs: 3 })
  const add = (count: number) => Array.from({ length: count }, (_, n) => commit.add({ n }))
  const made = async (): Promise<number[]> => {
    await nextTurn()
    return groups.map(({ items }) => items.length)
  }
  const all = add(3)
  assert.deepEqual(await made(), [3], 'the first does not wait')
  all.push(...add(2))
  assert.deepEqual(await made(), [3])
  all.push(...add(1))
  assert.deepEqual(await made(), [3, 3], 'three have come again')
  groups[0]?.end()
  all.push(...add(1))
  assert.deepEqual(await made(), [3, 3])
  context.mock.timers.tick(3)
  assert.deepEqual(await made(), [3, 3, 1])
  all.push(...add(1))
  assert.deepEqual(await made(), [3, 3, 1, 1], 'a single one does not wait')
  for (const group of groups.slice(1)) group.end()
  await Promise.all([...all, commit.idle()])
})
