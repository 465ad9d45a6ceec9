import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type { DeliverySenderOptions, DeliveryStep } from '../../fakes/programs/delivery-sender.ts'
import { DEVICES } from '../../fakes/push/devices.ts'
import { seededRun } from '../../fakes/scripts/seeded.ts'
import { COMPILE_CACHE } from '../../support/processes/compile-cache.ts'
import { programPath } from '../../support/processes/programs.ts'
import { startStage } from '../../support/stages/stage.ts'

const SENDER = programPath('test/fakes/programs/delivery-sender.ts')
const KILLS = 10
const MESSAGES = 36
/** What is in doubt may be tried again by then. */
const LATER_MS = 120_000
/** At most so many senders work to their end after the kills, each `LATER_MS` after the one before. */
const LAST_SENDERS = 8

const stage = await startStage()
const { call, clock, context, dataDir } = stage
const action = await stage.validated(await stage.action({ settings: { purpose: { type: 'service' } } }))

interface Message {
  address: string
  stamp: string
}

async function requestMessages(prefix: string): Promise<Message[]> {
  clock.advance(1001)
  const addresses = Array.from({ length: MESSAGES }, (_, n) => `${prefix}-${n}@devices.example`)
  const ids: string[] = []
  for (const address of addresses) ids.push(await stage.contact(address))
  const body = ids.map((id) => ({ recipient: { type: 'id', value: id } }))
  const answer = await call('POST', `/actions/${action}/executions`, { body })
  assert.equal(answer.status, 200, answer.text)
  const { rows } = await sql<Message>`
    select m.stamp, c.key as address from messages m join contacts c on c.id = m.contact
    where c.key = any(${addresses})`.execute(context.db)
  assert.equal(rows.length, MESSAGES)
  return rows
}

/** Starts a sender, and kills it at the given step; without one it works to its end. Gives the step it was killed at. */
async function runSender(options: DeliverySenderOptions, killedAt?: number): Promise<DeliveryStep | undefined> {
  const child = fork(SENDER, [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
  })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text))
  let steps = 0
  let last: DeliveryStep | undefined
  child.on('message', (step: DeliveryStep) => {
    if (++steps !== killedAt) return
    last = step
    kill()
  })
  const [code, signal] = await once(child, 'close')
  process.off('exit', kill)
  assert.deepEqual([code, signal], last === undefined ? [0, null] : [null, 'SIGKILL'], errors)
  return last
}

/** Whether a message is still to be sent. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await context.pool.query(`select from messages where state <> 'held' limit 1`)
  return rows.length > 0
}

/** Kills senders of these messages one after another, then lets others end their work. Gives what arrived, in order. */
async function killAndFinish(t: TestContext, prefix: string, isIdempotent: boolean): Promise<string[]> {
  const random = seededRun(t)
  const arrivals = join(dataDir, `${prefix}.arrivals`)
  writeFileSync(arrivals, '')
  const options = () => ({
    databaseUrl: String(context.pool.options.connectionString),
    dataDir: join(dataDir, prefix),
    arrivals,
    isIdempotent,
    now: clock.now(),
    seed: Math.floor(random() * 2 ** 31),
  })
  const killedAt: string[] = []
  for (let kills = 0; kills < KILLS; kills++) {
    killedAt.push((await runSender(options(), 1 + Math.floor(random() * 40))) ?? 'its end')
    clock.advance(LATER_MS)
  }
  for (let senders = 0; senders < LAST_SENDERS && (await isWaiting()); senders++) {
    await runSender(options())
    clock.advance(LATER_MS)
  }
  t.diagnostic(`killed at: ${killedAt.join(', ')}`)
  assert.ok(killedAt.filter((step) => step !== 'its end').length >= KILLS / 2, 'senders were killed at work')
  return readFileSync(arrivals, 'utf8').split('\n').filter(Boolean)
}

/** What the database knows of a message. */
interface Known {
  outcome: string | null
  state: string | null
  deliveries: Record<string, string> | null
  activations: string[]
}

async function knownOf(messages: readonly Message[]): Promise<Map<string, Known>> {
  const { rows } = await sql<Known & { stamp: string }>`
    select r.stamp, s.outcome, m.state, m.deliveries,
      array(select detail #>> '{activation,device}' from events e where e.stamp = r.stamp and e.kind = 'activations'
        order by 1) as activations
    from unnest(${messages.map(({ stamp }) => stamp)}::uuid[]) as r (stamp)
    left join messages m on m.stamp = r.stamp
    left join sent_messages s on s.stamp = r.stamp`.execute(context.db)
  return new Map(rows.map(({ stamp, ...known }) => [stamp, known]))
}

const sequences = Array.from({ length: DEVICES }, (_, sequence) => sequence)

suite('messages with several deliveries whose senders are killed', () => {
  test('without idempotence, nothing is sent twice and unsent deliveries are held', async (t) => {
    const messages = await requestMessages('once')
    const arrived = await killAndFinish(t, 'once', false)
    assert.equal(new Set(arrived).size, arrived.length, 'a delivery arrived twice')
    const known = await knownOf(messages)
    let held = 0
    for (const { address, stamp } of messages) {
      const { outcome, state, deliveries, activations } = known.get(stamp)!
      assert.ok(outcome === 'accepted' || state === 'held', `${address}: ${outcome} ${state}`)
      for (const sequence of sequences) {
        const isActivated = activations.filter((device) => device === `device ${sequence}`).length
        const isHeld = deliveries?.[sequence] === 'held' ? 1 : 0
        assert.equal(isActivated + isHeld, 1, `${address} ${sequence}: activated ${isActivated}, held ${isHeld}`)
        if (isActivated) assert.ok(arrived.includes(`${address} ${sequence}`), `${address} ${sequence} never arrived`)
        held += isHeld
      }
    }
    t.diagnostic(`${held} of ${MESSAGES * DEVICES} deliveries held`)
  })

  test('with idempotence, every delivery ends once and none is held', async (t) => {
    const messages = await requestMessages('again')
    const arrived = await killAndFinish(t, 'again', true)
    // The remote takes each once: what was sent again is no second one.
    const taken = new Set(arrived)
    assert.equal(taken.size, MESSAGES * DEVICES)
    const known = await knownOf(messages)
    for (const { address, stamp } of messages) {
      const { outcome, state, activations } = known.get(stamp)!
      assert.deepEqual([outcome, state], ['accepted', null], address)
      assert.deepEqual(
        activations,
        sequences.map((sequence) => `device ${sequence}`),
        address,
      )
    }
    t.diagnostic(`${arrived.length - taken.size} deliveries were sent again`)
  })
})
