import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { watchThreads } from '#test/fakes/threads.ts'
import { png } from '#test/support/files/pictures.ts'
import type { Problem } from '../../lib/errors/problem.ts'
import { createPictureSizer } from './sizer.ts'

const threads = watchThreads()
const picture = { type: 'image/png', bytes: await png(2000, 1000) }

const isUnreadable = ({ status, kind }: Problem): boolean => status === 400 && kind === 'unreadable-picture'

suite('reader of pictures', () => {
  test('refuses a picture that takes too long in two threads', async () => {
    const before = threads.started()
    await assert.rejects(createPictureSizer({ limitMs: 1 })(picture), isUnreadable)
    assert.equal(threads.started(), before + 2)
    assert.deepEqual(threads.working(), [])
  })

  test('reads a picture whose first thread was stopped in a second one', async (t) => {
    const before = threads.started()
    let first: Worker | undefined
    let hours = 0
    // Whenever the first thread is looked at, it has computed for an hour more; the second one takes no time.
    t.mock.method(Worker.prototype, 'cpuUsage', async function (this: Worker) {
      first ??= this
      return { user: this === first ? hours++ * 3_600_000_000 : 0, system: 0 }
    })
    const { width, height, copies } = await createPictureSizer({ limitMs: 20 })(picture)
    assert.deepEqual([width, height, copies.map((copy) => copy.width)], [2000, 1000, [640, 1280]])
    assert.equal(threads.started(), before + 2)
  })

  test('refuses a picture that cannot be read in its first thread', async () => {
    const before = threads.started()
    await assert.rejects(
      createPictureSizer()({ type: 'image/png', bytes: picture.bytes.subarray(0, 100) }),
      isUnreadable,
    )
    assert.equal(threads.started(), before + 1)
  })
})
