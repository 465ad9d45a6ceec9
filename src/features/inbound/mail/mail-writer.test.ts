import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import pino from 'pino'
import { openDatabasePool } from '../../../database/connection/connect.ts'
import { createAccountTokenKeys } from '../../../lib/crypto/tokens.ts'
import type { ReceivedMail } from './ingest.ts'
import { startMailWriter } from './mail-writer.ts'

const mail = (bytes: number): ReceivedMail => ({
  id: '019b78c9-0a80-70fa-807f-3375bd03d3e7',
  receivedAt: 0,
  addresses: [{ type: 'unsubscribe', account: 1, stamp: '019b78c9-0a80-70fa-807f-3375bd03d3e7' }],
  raw: Buffer.alloc(bytes, 'x'),
})

suite('inbound mails while the database is unreachable', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-mail-'))
  // No server listens there.
  const { db, close } = openDatabasePool('postgres://nobody@127.0.0.1:1/none', { max: 1 })
  const masterKeys = [{ number: 0, key: randomBytes(32) }]
  const writer = await startMailWriter({
    db,
    masterKeys,
    dataDir,
    log: pino({ level: 'silent' }),
    tokens: createAccountTokenKeys(masterKeys),
    publicHost: 'stentor.example',
    resolveTxt: async () => [],
    spoolLimit: 10_000,
  })
  after(async () => {
    await writer.close()
    await close()
    await rm(dataDir, { recursive: true, force: true })
  })

  test('are on disk once accepted and are refused beyond the spool limit', async () => {
    assert.deepEqual(await writer.write(mail(2000)), ['spooled'])
    assert.ok(writer.spooled() > 2000)
    assert.equal((await readdir(join(dataDir, 'spool', 'mail'))).length, 1)
    await assert.rejects(writer.write(mail(20_000)), /the mail spool is full/)
    assert.deepEqual(await writer.write(mail(2000)), ['spooled'])
  })
})
