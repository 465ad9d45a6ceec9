import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type SinkAnswer, type SinkEvent, startSink } from '#test/fakes/mail/smtp-sink.ts'
import { seeded } from '#test/fakes/scripts/seeded.ts'
import type { GatewayOutcome } from '../gateway.ts'
import { readSmtpSettings } from './settings.ts'
import { openSmtpGateway } from './smtp.ts'

const answers: SinkAnswer[] = [
  'drop',
  { code: 421, text: '4.3.2 leaving' },
  { code: 451, text: '4.3.0 later' },
  { code: 550, text: '5.1.1 never' },
  { code: 550, text: 'in\nseveral\nlines' },
  { raw: 'nonsense\r\n' },
  { raw: '999 nonsense\r\n' },
  { code: 250, text: 'slow', afterMs: 3 },
]

/** Behind a pipelined envelope no client can distinguish a surplus reply from the next one; without PIPELINING it must. */
const twice: SinkAnswer = { raw: '250 ok\r\n250 ok\r\n' }

const stages: SinkEvent['stage'][] = ['mail', 'rcpt', 'data', 'body', 'final', 'rset']

const COUNT = 150

async function round(seed: number): Promise<void> {
  const random = seeded(seed)
  const pipelining = seed % 2 === 0
  const promised = new Set<string>()
  const behave = ({ stage, address }: SinkEvent): SinkAnswer => {
    if (!stages.includes(stage) || random() > 0.02) return undefined
    // A reply in the middle of a body would be taken for the final one, by any client.
    const choice = pipelining ? answers : [...answers, twice]
    const answer = stage === 'body' ? 'drop' : choice[Math.floor(random() * choice.length)]
    // A class 2 reply to the body is a promise, whatever else follows it.
    const yes = typeof answer === 'object' && ('raw' in answer ? answer.raw.startsWith('250') : answer.code === 250)
    if (stage === 'final' && yes) promised.add(address)
    return answer
  }
  const received: string[] = []
  const sink = await startSink({
    behave,
    pipelining,
    chunking: seed % 3 === 0,
    // Taken, and the network breaks before the reply is there.
    onMessage: ({ to }) => {
      received.push(...to)
      if (random() < 0.01) sink.cutAll()
    },
  })
  const settings = { host: '127.0.0.1', port: sink.port, tls: 'none', connections: 4, messages: 20, finalMs: 500 }
  const gateway = openSmtpGateway('chaos', readSmtpSettings(settings), undefined)
  const outcomes: GatewayOutcome[] = []
  const begun = new Set<number>()
  const batch = Array.from({ length: COUNT }, (_, id) => {
    return {
      id,
      envelope: { from: 'a@b.example', to: `c${id}@example.com` },
      bytes: Buffer.from(`Subject: ${id}\r\n\r\n.\r\n`),
    }
  })
  const { taken, stop } = await gateway.send(batch, {
    beforeBody: (...ids: number[]) => {
      for (const id of ids) {
        assert.ok(!begun.has(id), `${id} was begun twice`)
        begun.add(id)
      }
    },
    outcome: (outcome) => outcomes.push(outcome),
  })
  await gateway.close(100)
  await sink.close()

  const context = `seed ${seed}`
  if (stop === undefined) assert.equal(taken, COUNT, context)
  assert.deepEqual(
    outcomes.map(({ id }) => id).sort((a, b) => a - b),
    Array.from({ length: taken }, (_, id) => id),
    context,
  )
  assert.equal(new Set(received).size, received.length, `${context}: received twice`)
  for (const { id, result } of outcomes) {
    const address = `c${id}@example.com`
    const there = received.includes(address) || promised.has(address)
    if (result === 'accepted') assert.ok(there, `${context}: ${address} was accepted and is not there`)
    if (there)
      assert.ok(result === 'accepted' || result === 'doubtful', `${context}: ${address} is there and ${result}`)
    if (result === 'doubtful') assert.ok(begun.has(id), context)
  }
}

it('no message is lost, sent twice or given a wrong outcome, whatever the SMTP server does', async () => {
  for (let seed = 1; seed <= 40; seed++) await round(seed)
})
