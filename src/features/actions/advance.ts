import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { type Db, inTransaction, json } from '../../database/connect.ts'
import { contactId } from '../../lib/ids.ts'
import type { FlawShown } from './action-schemas.ts'
import { beginCampaigns, endCampaigns, finishCampaigns } from './campaign-run.ts'
import { cut } from './conclusion.ts'
import { type Attempt, completeValidation } from './production.ts'
import type { StoredValidation } from './stored.ts'
import { releaseTestSegments, TEST_MS } from './test-run.ts'

/** A validation that its request has left alone for so long is completed here. */
const FORSAKEN_MS = 10_000

/** A test that is to be closed. */
interface OverTest {
  id: number
  sent: number
  refused: number
  last_validation: StoredValidation
}

/** Tests of which every proof has its outcome, and those that took too long; held until the transaction ends. */
async function overTests(tx: Db, now: Date): Promise<OverTest[]> {
  const { rows } = await sql<OverTest>`
    select a.id, a.last_validation,
      (select coalesce(sum(sent), 0)::bigint from run_counts c where a.state = 36 and c.action = a.id and c.run = a.run) as sent,
      (select coalesce(sum(refused), 0)::bigint from run_counts c where a.state = 36 and c.action = a.id and c.run = a.run) as refused
    from actions a
    where a.deleted_at is null and a.last_validation is not null and (
      a.state = 36 and not exists (
        select from messages m where m.action = a.id and m.kind = 'test' and m.set = a.run and m.state <> 'held')
      or a.state in (30, 35, 36) and (a.last_validation->>'startedAt')::timestamptz <= ${new Date(now.getTime() - TEST_MS)})
    for update of a skip locked`.execute(tx)
  return rows
}

/** Proofs that no gateway accepted, by their stamps, in words. */
async function unsentProofs(tx: Db, tests: readonly OverTest[]): Promise<Map<number, FlawShown[]>> {
  const stamps = tests.flatMap(({ last_validation }) => last_validation.test?.stamps ?? [])
  const { rows } = await sql<{ action: number; contact: number | null; outcome: 'refused' | 'cancelled' }>`
    select s.action, s.contact, s.outcome from actions a
    join unnest(${stamps}::uuid[]) as n (stamp) on true
    join sent_messages s on s.account = a.account and s.stamp = n.stamp and s.action = a.id
    where a.id = any(${tests.map(({ id }) => id)}::integer[]) and s.outcome <> 'accepted'
    order by s.contact`.execute(tx)
  const words = { refused: 'the gateway refused the proof', cancelled: 'no proof was sent; its cancellation says why' }
  const flaws = rows.map(({ action, contact, outcome }) => {
    const message = `${contact === null ? 'the address of the test' : contactId(contact)}: ${words[outcome]}.`
    return { action, flaw: { type: outcome, message, part: null, position: null } }
  })
  return new Map(tests.map(({ id }) => [id, flaws.filter(({ action }) => action === id).map(({ flaw }) => flaw)]))
}

/** Closes tests that are over: 38 when a gateway accepted a proof, else 20. */
async function closeTests(db: Db, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const tests = await overTests(tx, now)
    if (tests.length === 0) return
    const unsent = await unsentProofs(tx, tests)
    const validations = tests.map(({ id, sent, refused, last_validation: last }) => {
      const errors = cut([...last.errors, ...(unsent.get(id) ?? [])])
      return json({
        ...last,
        result: sent > 0 ? 'passed' : 'failed',
        endedAt: now.toISOString(),
        sent,
        refused,
        errors,
      })
    })
    await sql`
      update actions a set state = n.state, last_validation = n.validation
      from unnest(${tests.map(({ id }) => id)}::integer[], ${tests.map(({ sent }) => (sent > 0 ? 38 : 20))}::smallint[],
        ${validations}::jsonb[]) as n (id, state, validation)
      where a.id = n.id`.execute(tx)
    await releaseTestSegments(
      tx,
      tests.map(({ id }) => id),
    )
  })
}

/** Validations whose request is gone. */
async function forsaken(db: Db, now: Date): Promise<Attempt[]> {
  const { rows } = await sql<Attempt>`
    select account, id as action, attempt from actions
    where state = 40 and deleted_at is null
      and (last_validation->>'startedAt')::timestamptz <= ${new Date(now.getTime() - FORSAKEN_MS)}`.execute(db)
  return rows
}

/**
 * Moves every action on that can go on by itself (actions.md 3): tests that are over, validations left alone, campaigns
 * that begin and end. Called several times a second; any number of processes may do so.
 */
export async function advanceActions(context: Pick<Context, 'db' | 'config' | 'clock' | 'renders'>): Promise<void> {
  const { db, clock } = context
  const now = new Date(clock.now())
  await closeTests(db, now)
  await beginCampaigns(db, now)
  await endCampaigns(db, now)
  await finishCampaigns(db, now)
  for (const attempt of await forsaken(db, now)) await completeValidation(context, attempt)
}
