import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { loadPushDevices } from '../../../src/channels/push/devices.ts'
import { rowsRead } from '../../support/database/rows-read.ts'
import { startPushStage } from '../../support/stages/push-stage.ts'

const { context, own, application } = await startPushStage()
const { db } = context
const { account } = own

const DEVICES = 2000
const ASKED = 100

/** So many contacts, each with a device of an application. */
async function devicesOf(app: string): Promise<{ contact: number; id: string }[]> {
  const { rows } = await sql<{ contact: number; id: string }>`
    with made as (
      insert into contacts (account, unicity, key, hash, fields, created_at, updated_at)
      select ${account}, 'd' || n, 'd' || n, decode(md5('d' || n), 'hex'), '{}', now(), now() from generate_series(1, ${DEVICES}) as n
      returning id)
    insert into subscriptions (account, id, application, contact, provider, token, token_digest, created_at)
    select ${account}, gen_random_uuid(), ${app}, id, 'apns', md5(id::text), decode(md5(id::text), 'hex'), now() from made
    returning contact, id`.execute(db)
  return rows
}

suite('devices of claimed pushes', () => {
  test('are read by contact or id through an index, however many devices the application has', async () => {
    const app = await application(['apns'])
    const all = await devicesOf(app)
    const asked = all.slice(0, ASKED)
    const requests = asked.map(({ contact, id }, n) => ({
      id: n,
      account,
      application: app,
      contact,
      subscription: n % 2 === 0 ? null : id,
    }))
    const {
      answer: found,
      inOrder,
      byIndex,
    } = await db
      .transaction()
      .execute((tx) => rowsRead(tx, 'subscriptions', () => loadPushDevices(tx, requests, Date.now())))
    assert.deepEqual(
      requests.map(({ id }) => found.get(id)?.devices.map((device) => device.id)),
      asked.map(({ id }) => [id]),
    )
    assert.ok(inOrder + byIndex <= 2 * ASKED)
  })
})
