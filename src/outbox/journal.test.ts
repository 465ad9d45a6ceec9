import assert from 'node:assert/strict'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { eventually } from '../../test/support/wait.ts'
import { type LeftJournals, startJournal, takeJournals } from './journal.ts'
import { batchName, newSenderName } from './sender-names.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'stentor-journal-'))
after(() => rmSync(dataDir, { recursive: true }))

function started() {
  const sender = newSenderName()
  const journal = startJournal(dataDir, sender)
  const directory = join(dataDir, 'journals', sender)
  const fileOf = (batch: number) => join(directory, `${batch}.log`)
  const linesOf = (batch: number) => readFileSync(fileOf(batch), 'utf8').split('\n').slice(0, -1)
  return { sender, journal, directory, fileOf, linesOf }
}

function left(sender: string): LeftJournals {
  const found = takeJournals(dataDir, sender)
  assert.ok(found)
  return found
}

describe('sender journal', () => {
  it('writes the start of a message before its body may be sent', () => {
    const { journal, linesOf } = started()
    journal.open().begin(7, -8)
    assert.deepEqual(linesOf(1), ['b 7', 'b -8'])
    journal.close()
  })

  it('writes what has ended together with the next start and before it', () => {
    const { journal, linesOf } = started()
    const batch = journal.open()
    batch.begin(1)
    batch.end(1, { answer: 'yes' })
    assert.deepEqual(linesOf(1), ['b 1'])
    batch.begin(2)
    assert.deepEqual(linesOf(1), ['b 1', 'e 1 {"answer":"yes"}', 'b 2'])
    journal.close()
  })

  it("writes the end of a batch's messages when its connection continues with another batch", () => {
    const { journal, linesOf } = started()
    const [first, second] = [journal.open(), journal.open()]
    first.begin(1)
    second.begin(2)
    first.end(1, {})
    second.end(2, {})
    first.begin(3)
    assert.deepEqual(
      [linesOf(1), linesOf(2)],
      [
        ['b 1', 'e 1 {}', 'b 3'],
        ['b 2', 'e 2 {}'],
      ],
    )
    journal.close()
  })

  it('refuses to start a message while the end of another cannot be written', () => {
    const { journal, directory, linesOf } = started()
    const [first, second] = [journal.open(), journal.open()]
    // The file of the first is made with its first line: there is no place for it.
    rmSync(directory, { recursive: true })
    first.end(1, {})
    assert.throws(() => second.begin(2), { code: 'ENOENT' })
    assert.equal(existsSync(directory), false)
    mkdirSync(directory)
    second.begin(3)
    assert.deepEqual(linesOf(1).at(-1), 'e 1 {}')
    assert.deepEqual(linesOf(2), ['b 2', 'b 3'])
    journal.close()
  })

  it('writes what has ended even when no other message starts', async () => {
    const { journal, linesOf } = started()
    const batch = journal.open()
    batch.begin(1)
    batch.end(1, {})
    await eventually(() => linesOf(1).length >= 2)
    assert.deepEqual(linesOf(1), ['b 1', 'e 1 {}'])
    journal.close()
  })

  it('deletes the file of a closed batch and does not write it later', () => {
    const { sender, journal, fileOf } = started()
    const [closed, other] = [journal.open(), journal.open()]
    closed.begin(1)
    closed.end(1, {})
    closed.close()
    other.begin(2)
    assert.ok(!existsSync(fileOf(1)))
    journal.close()
    const { entriesOf, release } = left(sender)
    assert.equal(entriesOf(closed.name, 1), undefined)
    assert.deepEqual(entriesOf(other.name, 2)?.get(0), { state: 'started' })
    release(true)
  })

  it('returns entries as written, whatever the answer contains', () => {
    const { sender, journal } = started()
    const batch = journal.open()
    const answer = { id: -5, reply: '250 \u2028\u0085\r\n"}', nested: { e: 'é' } }
    batch.begin(-5, 6)
    batch.end(-5, answer)
    journal.close()
    const { entriesOf, release } = left(sender)
    assert.deepEqual(entriesOf(batch.name, -5)?.get(0), { state: 'ended', ended: answer })
    assert.deepEqual(entriesOf(batch.name, 6)?.get(0), { state: 'started' })
    release(true)
  })

  it('ignores truncated lines', () => {
    const { sender, journal, fileOf } = started()
    journal.open().begin(12)
    journal.close()
    // The process died while it wrote; before, the disk had taken a part, and then all was written again.
    appendFileSync(fileOf(1), 'b 34?\nb 345\ne 345 {"a":1?\ne 345 {"a":1}\nb 67')
    const { entriesOf, release } = left(sender)
    const words = [12, 34, 345, 67].map((id) => entriesOf(batchName(sender, 1), id)?.get(0))
    assert.deepEqual(words, [{ state: 'started' }, undefined, { state: 'ended', ended: { a: 1 } }, undefined])
    release(true)
  })
})
