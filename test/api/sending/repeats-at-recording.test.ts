import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { outboxLanes } from '../../../src/lib/lanes.ts'
import { claimMessages } from '../../../src/sending/claim/claim-messages.ts'
import type { MessageOutcome } from '../../../src/sending/record/outcome.ts'
import { recordOutcomes } from '../../../src/sending/record/record-outcomes.ts'
import { createSenderName } from '../../../src/sending/senders/sender-names.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const { call, clock, context, action, contact, validated } = await startStage()
const { db } = context

const STAMP = '019512a0-7c11-7d2e-9a42-0c1de0a5b001'

/** The first claimed message, which is accepted just now. */
async function claimed(sender: string) {
  const messages = await claimMessages(db, sender, outboxLanes.transactional, {
    limit: 10,
    now: clock.now(),
    leaseMs: 60_000,
  })
  assert.equal(messages.length, 1)
  const outcome: MessageOutcome = {
    id: messages[0]!.id,
    footprint: null,
    field: 1,
    at: clock.now(),
    ending: { type: 'accepted', address: 'ann@shop.example', reference: 'r1', gateway: 'gone', values: null },
  }
  return { messages: new Map(messages.map((message) => [message.id, message])), outcomes: [outcome] }
}

suite('a repeated request', () => {
  test('queues nothing while its message is being recorded as sent, and is answered like the first', async () => {
    await contact('ann@shop.example')
    const id = await validated(await action())
    const order = { recipient: { type: 'unicity', value: ['ann@shop.example'] }, stamp: { id: STAMP } }
    const first = await call('POST', `/actions/${id}/executions`, { body: [order] })
    clock.advance(1001)
    const sender = createSenderName()
    const { messages, outcomes } = await claimed(sender)
    const [entered, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const gate = {
      confirm: async () => {
        entered.resolve()
        await commit.promise
      },
      release: async () => undefined,
    }
    // The message has left the outbox, in a transaction that has not ended.
    const recording = recordOutcomes(db, { id: sender, reservations: { gate } }, messages, outcomes)
    await entered.promise
    const repeated = call('POST', `/actions/${id}/executions`, { body: [order] })
    await eventually(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length > 0
    })
    commit.resolve()
    await recording
    assert.deepEqual(await repeated.then(({ status, body }) => ({ status, body })), {
      status: 200,
      body: first.body,
    })
    const left = await sql`select id from messages`.execute(db)
    const sent = await sql`select outcome from sent_messages where stamp = ${STAMP}::uuid`.execute(db)
    const events = await call('GET', `/actions/${id}/events`)
    assert.deepEqual([left.rows, sent.rows], [[], [{ outcome: 'accepted' }]])
    // The first is of the proof.
    assert.deepEqual(
      events.body.map(({ type }: { type: string }) => type),
      ['activation', 'execution', 'activation'],
    )
  })
})
