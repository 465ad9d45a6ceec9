import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import { type SmppAnswer, type SmppEvent, startSmppServer } from '#test/fakes/sms/smpp-server.ts'
import { placeOf, type Submitted } from '#test/fakes/sms/smpp-server-pdu.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { GatewayOutcome, OutgoingSms } from '../gateway.ts'
import { readSmppSettings } from './settings.ts'
import { openSmppGateway } from './smpp.ts'

/** A status 0 of another sequence, and octets that are no PDU. */
const garbled = [Buffer.from('00000012800000040000000000ffffff4100', 'hex'), Buffer.from('garbage, and a lot of it')]

const answers: SmppAnswer[] = [
  'drop',
  'take and drop',
  'take and stall',
  'stall',
  { status: 0x58 },
  { status: 0x14 },
  { status: 0x08 },
  { status: 0x0b },
  { status: 0x04 },
  { status: 0x0401 },
  { status: 0, afterMs: 3 },
  ...garbled.map((raw) => ({ raw })),
]

const COUNT = 120
const PARTS = 3

/** Every third message is long. */
const message = (id: number): OutgoingSms => ({
  id,
  to: `+3360100${String(id).padStart(4, '0')}`,
  from: 'SHOP',
  text: id % 3 === 0 ? String(id).padEnd(400, 'x') : `message ${id}`,
  encoding: 'gsm7',
})

const partsOf = (id: number): number => (id % 3 === 0 ? PARTS : 1)

/** What the server has of a message: how often each of its parts. */
function takenOf(submitted: readonly Submitted[], id: number): number[] {
  const mine = submitted.filter(({ destination }) => destination === message(id).to.slice(1))
  return Array.from({ length: partsOf(id) }, (_, part) => mine.filter((one) => placeOf(one).number === part + 1).length)
}

/** A sender as the program has it: what a batch leaves behind goes into the next one, until everything has an outcome. */
async function sendAll(
  gateway: ReturnType<typeof openSmppGateway>,
  begun: Set<number>,
): Promise<Map<number, GatewayOutcome>> {
  const outcomes = new Map<number, GatewayOutcome>()
  const ids = Array.from({ length: COUNT }, (_, id) => id)
  for (let rest = ids; rest.length > 0; rest = ids.filter((id) => !outcomes.has(id))) {
    const { taken, stop } = await gateway.send(rest.map(message), {
      beforeBody(id: number) {
        assert.ok(!begun.has(id), `${id} was begun twice`)
        begun.add(id)
      },
      outcome(outcome) {
        assert.ok(!outcomes.has(outcome.id), `${outcome.id} has two outcomes`)
        outcomes.set(outcome.id, outcome)
      },
    })
    assert.deepEqual(
      rest.slice(0, taken).filter((id) => !outcomes.has(id)),
      [],
      'taken, and no outcome',
    )
    if (stop) await delay(Math.min(stop.retryAfterMs ?? 0, 50))
  }
  return outcomes
}

async function round(seed: number): Promise<{ retries: number }> {
  const random = seeded(seed)
  let calm = false
  const behave = ({ kind }: SmppEvent): SmppAnswer => {
    if (calm || random() > 0.03) return undefined
    if (kind === 'bind') return random() < 0.5 ? 'drop' : { status: 0x0d }
    return kind === 'enquire' ? 'stall' : answers[Math.floor(random() * answers.length)]
  }
  const window = 1 + (seed % 8)
  const server = await startSmppServer({ behave, window })
  const cutter = setInterval(() => random() < 0.2 && server.cutAll(), 10)
  const settings = readSmppSettings({
    host: '127.0.0.1',
    port: server.port,
    window,
    connections: 1 + (seed % 3),
    long: seed % 2 === 0 ? 'sar' : 'udh8',
    answerMs: 60,
    reconnectMs: 2,
    patienceMs: 200,
    enquireMs: 40,
    enquireAnswerMs: 20,
  })
  const gateway = openSmppGateway('chaos', { settings, secrets: undefined }, { dataDir: tmpdir(), clock: systemClock })
  const begun = new Set<number>()
  setTimeout(() => (calm = true), 3000).unref()
  const outcomes = await sendAll(gateway, begun)
  clearInterval(cutter)
  await gateway.close(100)
  await server.close()

  const context = `seed ${seed}`
  assert.deepEqual(server.faults, [], context)
  for (const [id, outcome] of outcomes) {
    const taken = takenOf(server.submitted, id)
    const what = `${context}: ${id} is ${JSON.stringify(outcome)}, the server has ${taken}`
    assert.ok(
      taken.every((times) => times <= 1),
      `${what}: twice`,
    )
    const count = taken.filter((times) => times === 1).length
    if (outcome.result === 'accepted') {
      assert.equal(count, partsOf(id), what)
      const references = outcome.references ?? [outcome.reference]
      const known = server.submitted.filter(({ destination }) => destination === message(id).to.slice(1))
      assert.deepEqual([...references].sort(), known.map(({ messageId }) => messageId).sort(), what)
    }
    if (outcome.result === 'deferred') assert.equal(count, 0, what)
    if (outcome.result === 'refused') assert.ok(count < partsOf(id), what)
    if (outcome.result === 'doubtful') assert.ok(begun.has(id), what)
  }
  return { retries: server.binds.length }
}

it('every SMS gets one outcome that agrees with the message centre, whatever the message centre does', async () => {
  let binds = 0
  for (let seed = 1; seed <= 30; seed++) binds += (await round(seed)).retries
  assert.ok(binds > 60, `${binds} binds`)
})
