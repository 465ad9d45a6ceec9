import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { eventually } from '#test/support/wait.ts'
import { createSenderName, getBatchName } from '../senders/sender-names.ts'
import { type AbandonedJournals, claimAbandonedJournals, startSenderJournal } from './journal.ts'
import { formatJournalLine } from './journal-lines.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'stentor-journal-'))
after(() => rmSync(dataDir, { recursive: true }))

function started(sender = createSenderName()) {
  const journal = startSenderJournal(dataDir, sender)
  const directory = join(dataDir, 'journals', sender)
  const fileOf = (batch: number) => join(directory, `${batch}.log`)
  // Without their checksums.
  const linesOf = (batch: number) =>
    readFileSync(fileOf(batch), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => line.replace(/ [0-9a-f]{8}$/, ''))
  return { sender, journal, directory, fileOf, linesOf }
}

/** A sender with a name that is known before it starts. */
const SENDER = createSenderName()

function lineOf(letter: 'b' | 'e', id: number, ended?: unknown, batch = 1): string {
  return formatJournalLine(getBatchName(SENDER, batch), letter, id, ended)
}

function left(sender: string): AbandonedJournals {
  const found = claimAbandonedJournals(dataDir, sender)
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

  it('is whole if its process dies after a full disk took a part of a line', () => {
    const sender = createSenderName()
    const program = `
      import { startSenderJournal } from ${JSON.stringify(import.meta.resolve('./journal.ts'))}
      const batch = startSenderJournal(${JSON.stringify(dataDir)}, ${JSON.stringify(sender)})
      const [first, second] = [batch.open(), batch.open()]
      first.begin(1)
      first.end(1, { reply: 'x'.repeat(4096) })
      try { second.begin(2) } catch ({ code }) { process.stdout.write(code) }
      process.kill(process.pid, 'SIGKILL')`
    // The disk takes 4 KiB of a file. What the shell ignores its process ignores.
    const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" --input-type=module -e "$1"`
    const { stdout, signal } = spawnSync('sh', ['-c', limited, process.execPath, program], { encoding: 'utf8' })
    assert.deepEqual({ stdout, signal }, { stdout: 'EFBIG', signal: 'SIGKILL' })
    const { entriesOf, doubtOf, release } = left(sender)
    const [first, second] = [getBatchName(sender, 1), getBatchName(sender, 2)]
    assert.deepEqual(entriesOf(first, 1)?.get(0), { state: 'started' })
    assert.deepEqual([doubtOf(first), doubtOf(second)], [undefined, undefined])
    release(true)
  })

  it('does not leave an empty file if a full disk takes nothing', () => {
    const { sender, journal, fileOf } = started()
    const batch = journal.open()
    symlinkSync('/dev/full', fileOf(1))
    assert.throws(() => batch.begin(1), { code: 'ENOSPC' })
    assert.equal(existsSync(fileOf(1)), false)
    journal.close()
    left(sender).release(true)
  })

  it('proves by its silence that a message was not begun when its process died', () => {
    const { sender, journal } = started()
    const [begun, silent] = [journal.open(), journal.open()]
    begun.begin(1)
    begun.end(1, { a: 1 })
    begun.begin(2)
    journal.close()
    const { doubtOf, release } = left(sender)
    assert.deepEqual([doubtOf(begun.name), doubtOf(silent.name)], [undefined, undefined])
    release(true)
  })

  const [bytes, whole] = [
    Buffer.from(`${lineOf('b', 1)}${lineOf('e', 1, { a: 1 })}${lineOf('b', 23)}`),
    { 1: 'ended', 23: 'started' },
  ]
  const last = bytes.lastIndexOf('b 23')
  const before = { 1: 'ended', 23: undefined }
  const nothing = { 1: undefined, 23: undefined }
  const damages: { damage: string; content: Buffer; states: object }[] = [
    ...Array.from({ length: bytes.length - last - 1 }, (_, n) => ({
      damage: `the last line is cut to ${n + 1} octets`,
      content: bytes.subarray(0, last + n + 1),
      states: before,
    })),
    { damage: 'it is empty', content: Buffer.alloc(0), states: nothing },
    { damage: 'it is filled with NULs', content: Buffer.alloc(bytes.length), states: nothing },
    { damage: 'it is followed by NULs', content: Buffer.concat([bytes, Buffer.alloc(9)]), states: whole },
    {
      damage: 'its beginning is NULs',
      content: Buffer.concat([Buffer.alloc(10), bytes.subarray(10)]),
      states: { 1: 'ended', 23: 'started' },
    },
    { damage: 'an id is another', content: Buffer.from(String(bytes).replace('b 23', 'b 24')), states: before },
    {
      damage: 'a line is of another batch',
      content: Buffer.concat([bytes, Buffer.from(lineOf('b', 24, undefined, 2))]),
      states: whole,
    },
  ]
  for (const { damage, content, states } of damages) {
    it(`leaves what its own batch does not name in doubt if ${damage}`, () => {
      const { sender, journal, fileOf } = started(SENDER)
      const [damaged, other] = [journal.open(), journal.open()]
      damaged.begin(1)
      other.begin(5)
      journal.close()
      writeFileSync(fileOf(1), content)
      const { entriesOf, doubtOf, release } = left(sender)
      const found = [1, 23].map((id) => [id, entriesOf(damaged.name, id)?.get(0)?.state])
      assert.deepEqual(Object.fromEntries(found), states)
      assert.equal(doubtOf(damaged.name), 'the journal of the sender is damaged')
      assert.equal(doubtOf(other.name), undefined)
      release(true)
    })
  }

  it('leaves what it does not name in doubt if the machine has restarted since, in batches without a file too', () => {
    const { sender, journal, directory } = started()
    const [begun, silent] = [journal.open(), journal.open()]
    begun.begin(1)
    begun.end(1, { a: 1 })
    journal.close()
    const [boot = ''] = readdirSync(directory).filter((name) => name.startsWith('boot-'))
    renameSync(join(directory, boot), join(directory, 'boot-00000000-0000-4000-8000-000000000000'))
    const { entriesOf, doubtOf, release } = left(sender)
    assert.deepEqual(entriesOf(begun.name, 1)?.get(0), { state: 'ended', ended: { a: 1 } })
    const restarted = 'the machine restarted and the journal of the sender may lack lines'
    assert.deepEqual([doubtOf(begun.name), doubtOf(silent.name)], [restarted, restarted])
    release(true)
  })

  it('of an earlier version, without boot id and checksums, is read and leaves what it does not name in doubt', () => {
    const sender = createSenderName()
    const directory = join(dataDir, 'journals', sender)
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, '1.log'), 'b 1\ne 1 {"a":1}\nb 23\nb 4')
    const { entriesOf, doubtOf, release } = left(sender)
    const batch = getBatchName(sender, 1)
    assert.deepEqual(
      [1, 23, 4].map((id) => entriesOf(batch, id)?.get(0)),
      [{ state: 'ended', ended: { a: 1 } }, { state: 'started' }, undefined],
    )
    assert.ok(doubtOf(batch) && doubtOf(getBatchName(sender, 2)))
    release(true)
  })
})
