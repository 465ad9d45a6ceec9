import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { groupCommit } from './group-commit.ts'

/** A keeper whose groups end when they are told to. */
function heldKeeper() {
  const groups: { items: number[]; end(error?: Error): void }[] = []
  const keep = (items: number[]): Promise<void> =>
    new Promise((resolve, reject) =>
      groups.push({ items, end: (error) => (error === undefined ? resolve() : reject(error)) }),
    )
  return { groups, keep }
}

test('keeps together what comes together, and gathers while all groups are under way', async () => {
  const { groups, keep } = heldKeeper()
  const commit = groupCommit(keep, { most: 3, atOnce: 2 })
  const first = [1, 2, 3, 4].map((item) => commit.add(item))
  await nextTurn()
  assert.deepEqual(
    groups.map(({ items }) => items),
    [[1, 2, 3], [4]],
  )
  const later = [5, 6].map((item) => commit.add(item))
  await nextTurn()
  assert.equal(groups.length, 2)
  groups[1]?.end()
  await first[3]
  assert.deepEqual(groups[2]?.items, [5, 6])
  groups[0]?.end()
  groups[2]?.end()
  await Promise.all([...first, ...later, commit.idle()])
})

test('tells every item of a group what became of it, and goes on', async () => {
  const { groups, keep } = heldKeeper()
  const commit = groupCommit(keep, { most: 10, atOnce: 1 })
  const failing = [commit.add(1), commit.add(2)]
  await nextTurn()
  groups[0]?.end(new Error('no'))
  for (const { status } of await Promise.allSettled(failing)) assert.equal(status, 'rejected')
  const next = commit.add(3)
  await nextTurn()
  groups[1]?.end()
  await next
  await commit.idle()
})
