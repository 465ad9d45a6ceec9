import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { claimAbandonedJournals } from '../../../src/sending/recover/journal.ts'
import type { JournalEntry } from '../../../src/sending/recover/journal-lines.ts'
import { createSenderName, getBatchName } from '../../../src/sending/senders/sender-names.ts'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { programPath } from '../../support/processes/programs.ts'
import { eventually } from '../../support/wait.ts'

const SENDER = programPath('test/fakes/programs/mortal-sender.ts')
const CONNECTIONS = 6
/** The sender is killed as the sink has taken so many. */
const KILLED_AT = [1, 333, 1777]

interface Remains {
  received: Set<number>
  entryOf(id: number): JournalEntry | undefined
}

/** Lets a sender with a journal work on two batches, and kills it in the middle. */
async function killed(t: TestContext, count: number): Promise<Remains> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-mortal-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const received = new Set<number>()
  const sink = await startSink({
    keep: 'count',
    onMessage: ({ to }) => {
      received.add(Number(/\d+/.exec(to[0] ?? '')?.[0]))
      if (received.size === count) child.kill('SIGKILL')
    },
  })
  t.after(() => sink.close())
  const sender = createSenderName()
  const child = fork(SENDER, [String(sink.port), String(CONNECTIONS), dataDir, sender], { stdio: 'ignore' })
  await once(child, 'exit')
  // What it had written is still on its way to the sink.
  await eventually(() => sink.open() === 0)
  const left = claimAbandonedJournals(dataDir, sender)
  assert.ok(left)
  left.release(false)
  // The odd ones are those of its first batch.
  return { received, entryOf: (id) => left.entriesOf(getBatchName(sender, id % 2 === 1 ? 1 : 2), id)?.get(0) }
}

test('a killed sender leaves at most one message in doubt for each connection and knows all others', async (t) => {
  for (const count of KILLED_AT) {
    const { received, entryOf } = await killed(t, count)
    const words = Array.from({ length: 4 * count + 1000 }, (_, id) => ({ id, word: entryOf(id) }))
    const doubtful = words.filter(({ word }) => word?.state === 'started')
    const answered = words.filter(({ word }) => word?.state === 'ended')
    assert.ok(doubtful.length <= CONNECTIONS, `${doubtful.length} in doubt of ${received.size}`)
    assert.ok(answered.every(({ id }) => received.has(id)))
    const unknown = [...received].filter((id) => entryOf(id) === undefined)
    assert.deepEqual(unknown, [], 'arrived, and the journal says that they were never begun')
  }
})
