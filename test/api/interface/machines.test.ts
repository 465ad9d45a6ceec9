import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { loadMachineId } from '../../../src/lib/machine-id.ts'
import { MESSAGE_LEASE_MS } from '../../../src/sending/claim/renew-message-leases.ts'
import { claimMessageSlices } from '../../../src/sending/plan/message-slices.ts'
import { holdLostMessages } from '../../../src/sending/recover/hold-lost-messages.ts'
import {
  listOtherMachines,
  listSenderMachines,
  recordSenderMachine,
  retireMachine,
} from '../../../src/sending/senders/machines.ts'
import { createSenderName, getBatchName } from '../../../src/sending/senders/sender-names.ts'
import { runProgram } from '../../support/processes/process.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, clock, context, contact, gateway } = stage
const { db, pool } = context
const at = () => new Date(clock.now())
const [LOST, OTHER, GONE] = ['0a1b2c3d', '0a1b2c3e', '11112222']
// What is tried here begins when a campaign has left.
await call('PUT', '/settings/sending', { body: { testRequired: false } })

let campaigns = 0

/** A campaign to two contacts that senders of these machines have claimed, one slice each. */
async function claimedBy(machines: readonly string[]) {
  const campaign = ++campaigns
  const claimed: { action: string; addresses: string[] }[] = []
  for (const [place, machine] of machines.entries()) {
    const addresses = [1, 2].map((n) => `c${campaign}-${place}-${n}@shop.example`)
    const contacts = [await contact(addresses[0]!), await contact(addresses[1]!)]
    const { id } = await stage.planned(await stage.segment(contacts), 2)
    const turn = { limit: 1, now: clock.now(), leaseMs: MESSAGE_LEASE_MS }
    const messages = await claimMessageSlices(db, getBatchName(createSenderName(machine), 1), outboxLanes.bulk, turn)
    assert.equal(messages.length, 2)
    claimed.push({ action: id, addresses })
  }
  return claimed
}

const heldOf = async (action: string) => (await call('GET', `/settings/sending/held?action=${action}`)).body.length
const arrivals = (addresses: readonly string[]) => addresses.map((address) => gateway.to(address).length)

suite('a lost machine', () => {
  test('is listed with its claimed messages, and only its held messages are released', async () => {
    for (const id of [LOST, OTHER])
      await recordSenderMachine(db, { id, host: `host-${id}`, directory: '/srv/stentor' }, at())
    const [lost, other] = await claimedBy([LOST, OTHER])
    const known = await listSenderMachines(db)
    assert.deepEqual(
      known.map(({ id, host, claimed, held }) => ({ id, host, claimed, held })),
      [LOST, OTHER].map((id) => ({ id, host: `host-${id}`, claimed: 2, held: 0 })),
    )
    assert.deepEqual(await retireMachine(db, LOST, 'send', at()), { is: 'alive', seenAt: known[0]?.seenAt })
    clock.advance(MESSAGE_LEASE_MS + 1)
    await recordSenderMachine(db, { id: OTHER, host: 'host-other', directory: '/srv/stentor' }, at())
    await holdLostMessages(db, at())
    assert.deepEqual([await heldOf(lost!.action), await heldOf(other!.action)], [2, 2])
    assert.deepEqual(await retireMachine(db, LOST, 'send', at()), { is: 'settled', messages: 2 })
    await stage.settle()
    assert.deepEqual(
      [arrivals(lost!.addresses), arrivals(other!.addresses)],
      [
        [1, 1],
        [0, 0],
      ],
    )
    assert.deepEqual(
      (await listSenderMachines(db)).map(({ id, held }) => ({ id, held })),
      [{ id: OTHER, held: 2 }],
    )
    assert.deepEqual(await retireMachine(db, LOST, 'send', at()), { is: 'unknown' })
  })

  test('has its messages dropped on request, including those not yet held', async () => {
    await recordSenderMachine(db, { id: LOST, host: 'host', directory: '/srv/stentor' }, at())
    const [lost] = await claimedBy([LOST])
    clock.advance(MESSAGE_LEASE_MS + 1)
    assert.deepEqual(await retireMachine(db, LOST, 'drop', at()), { is: 'settled', messages: 2 })
    await stage.settle()
    assert.deepEqual([await heldOf(lost!.action), arrivals(lost!.addresses)], [0, [0, 0]])
    const { sent, held, pending } = (await stage.get(lost!.action)).monitor
    assert.deepEqual({ sent, held, pending }, { sent: 0, held: 2, pending: 0 })
  })

  test('is settled by a command, which reports why it refuses', async () => {
    await recordSenderMachine(
      db,
      { id: GONE, host: 'gone.example', directory: '/srv/stentor' },
      new Date(Date.now() - 3_600_000),
    )
    await recordSenderMachine(db, { id: OTHER, host: 'here.example', directory: '/srv/stentor' }, new Date())
    const dataDir = await mkdtemp(join(tmpdir(), 'stentor-command-'))
    const url = String(pool.options.connectionString)
    const run = (...words: string[]) =>
      runProgram(['machines', ...words], { STENTOR_DATABASE_URL: url, STENTOR_DATA_DIR: dataDir })
    const { out } = await run('list')
    assert.match(out, /11112222 .*gone\.example .*\/srv\/stentor/)
    const refused = await run('settle', GONE)
    assert.match(`${refused.status} ${refused.errors}`, /^1 stentor: .*--decision/)
    const alive = await run('settle', OTHER, '--decision', 'drop')
    assert.match(`${alive.status} ${alive.errors}`, /^1 stentor: .*0a1b2c3e was last seen at/)
    const settled = await run('settle', GONE, '--decision', 'drop')
    assert.equal(settled.errors, '')
    assert.deepEqual([settled.status, settled.out], [0, `Messages dropped: 0. The machine ${GONE} was removed.\n`])
    const { rows } = await pool.query(`select operation, object_id from audit where operation = 'machines settle'`)
    assert.deepEqual(rows, [{ operation: 'machines settle', object_id: GONE }])
    await rm(dataDir, { recursive: true })
  })
})

suite('a data directory', () => {
  test('has one stable id, and other live machines are detected', async (t) => {
    const [one, two] = [await mkdtemp(join(tmpdir(), 'stentor-m-')), await mkdtemp(join(tmpdir(), 'stentor-m-'))]
    t.after(() => Promise.all([one, two].map((directory) => rm(directory, { recursive: true }))))
    const id = loadMachineId(one)
    assert.match(id, /^[0-9a-f]{8}$/)
    assert.deepEqual(
      [loadMachineId(one), loadMachineId(two) === id, createSenderName(id).startsWith(`${id}-`)],
      [id, false, true],
    )
    const machine = { id, host: 'one.example', directory: one }
    await recordSenderMachine(db, machine, at())
    const since = new Date(clock.now() - 60_000)
    assert.deepEqual(
      (await listOtherMachines(db, loadMachineId(two), since)).filter((other) => other.id === id),
      [machine],
    )
    assert.deepEqual(
      (await listOtherMachines(db, id, since)).filter((other) => other.id === id),
      [],
    )
  })
})
