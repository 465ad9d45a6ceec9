import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { parseContactId } from '../../../src/lib/ids.ts'
import type { Stage } from './stage.ts'

/** A limit of marketing messages over all channels in the last 7 days, but for what `more` says. */
export function limit(count: number, more: object = {}): object {
  return { type: 'limit', count, period: { type: 'rolling', unit: 'DAY', value: 7 }, ...more }
}

/** The last hour, or the current day, as a period. */
export const rollingHour = { type: 'rolling', unit: 'HOUR', value: 1 }
export const calendarDay = { type: 'calendar', unit: 'DAY', value: 1 }

let named = 0

/** What tests of marketing pressure do on a stage. */
export function pressureTools(stage: Stage) {
  const { call, clock, context, gateway, sendDue } = stage
  const { db } = context
  const made = async (path: string, body: object) => {
    const answer = await call('POST', `/marketing/pressure/${path}`, { body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const mail = async (settings: object = {}, more: object = {}): Promise<string> => {
    const id = await stage.action({ settings, ...more })
    const answer = await call('POST', `/actions/${id}/validation`, { body: { fortest: false } })
    assert.equal(answer.status, 204, answer.text)
    return id
  }
  const ask = async (action: string, contacts: readonly string[]): Promise<string[]> => {
    const body = contacts.map((value) => ({ recipient: { type: 'id', value } }))
    const answer = await call('POST', `/actions/${action}/executions`, { body })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.map(({ id }: { id: string }) => id)
  }
  return {
    topic: async (label = `Topic ${++named}`): Promise<string> => (await made('topics', { label })).id,
    /** Makes a rule that senders know at once; gives it whole. */
    async rule(expressions: readonly object[], { type = 'and', ...more }: { type?: string } & object = {}) {
      const rule = await made('rules', { label: `Rule ${++named}`, predicate: { type, expressions }, ...more })
      clock.advance(1000)
      return rule
    },
    /** Takes all rules away. */
    async withoutRules(): Promise<void> {
      await sql`delete from pressure_rules`.execute(db)
      clock.advance(1000)
    },
    contact: (): Promise<string> => stage.contact(`pressed${++named}@shop.example`),
    mail,
    ask,
    /** Asks for a message, and sends what is due; gives its outcome, or "waits". */
    async send(action: string, contact: string): Promise<string> {
      const [stamp] = await ask(action, [contact])
      await sendDue()
      return this.outcome(stamp!)
    },
    async outcome(stamp: string): Promise<string> {
      const { rows } = await sql<{ outcome: string }>`select outcome from sent_messages where stamp = ${stamp}`.execute(
        db,
      )
      return rows[0]?.outcome ?? 'waits'
    },
    /** What the last cancellation of a contact says. */
    async cancellation(contact: string) {
      const { rows } = await sql<{ detail: { cancellation: { type: string; value: Record<string, unknown> } } }>`
        select detail from events where kind = 'cancellations' and contact = ${parseContactId(contact)!} order by id desc limit 1`.execute(
        db,
      )
      return rows[0]?.detail.cancellation
    },
    /** How many messages count for a contact. */
    async counted(contact: string): Promise<number> {
      const { rows } = await sql<{ n: number }>`
        select coalesce(sum(b & 16383), 0)::integer as n
        from pressure_counters, unnest(buckets) as b where contact = ${parseContactId(contact)!}`.execute(db)
      return rows[0]?.n ?? 0
    },
    standing: async (contact: string) => (await call('GET', `/targets/${contact}/pressure`)).body,
    gateway,
  }
}
