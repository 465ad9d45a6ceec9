import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { type Db, inTransaction, json, prepared } from '../../database/connect.ts'
import { contactId } from '../../lib/ids.ts'
import type { FlawShown } from '../rendering/flaw-schemas.ts'
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
  state: 30 | 35 | 36
  sent: number
  refused: number
  last_validation: StoredValidation
}

/** Tests of which every proof has its outcome, and those that took too long; held until the transaction ends. */
async function overTests(tx: Db, now: Date): Promise<OverTest[]> {
  const { rows } = await sql<OverTest>`${prepared('tests-over')}
    select a.id, a.state, a.last_validation,
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

/** The code that a reply of a mail server (RFC 5321, 2034) or of an SMPP peer begins with. */
const REPLY_CODE = String.raw`^(?:\d{3}(?: \d\.\d{1,3}\.\d{1,3})?|ESME_\w+)`

/** A proof that no gateway accepted: its contact, what became of it, and the code it was last put off with. */
interface UnsentProof {
  action: number
  contact: number | null
  outcome: 'refused' | 'cancelled' | 'held' | 'unsent'
  code: string | null
}

/** Proofs that no gateway accepted, by their stamps: those that came to an end, and those that wait still. */
async function unsentProofs(tx: Db, tests: readonly OverTest[]): Promise<UnsentProof[]> {
  const { rows } = await sql<UnsentProof>`
    with proofs as (
      select a.account, a.id as action, n.stamp::uuid as stamp
      from actions a cross join jsonb_array_elements_text(a.last_validation -> 'test' -> 'stamps') as n (stamp)
      where a.id = any(${tests.map(({ id }) => id)}::integer[]))
    select p.action, s.contact, s.outcome, null as code
    from proofs p join sent_messages s on s.account = p.account and s.stamp = p.stamp and s.action = p.action
    where s.outcome <> 'accepted'
    union all
    select p.action, m.contact, case m.state when 'held' then 'held' else 'unsent' end,
      substring(m.last_reply from ${REPLY_CODE})
    from proofs p join messages m on m.account = p.account and m.stamp = p.stamp and m.action = p.action and m.kind = 'test'
    order by contact`.execute(tx)
  return rows
}

const fate: Readonly<Record<UnsentProof['outcome'], string>> = {
  refused: 'the gateway refused the proof',
  cancelled: 'no proof was sent; its cancellation says why',
  held: 'the connection broke before the gateway answered, so the proof is held',
  unsent: 'no gateway took the proof in time',
}

function flawOf({ contact, outcome, code }: UnsentProof): FlawShown {
  const whose = contact === null ? 'the address of the test' : contactId(contact)
  const answer = code === null ? '' : `; the last answer was ${code}`
  return { type: outcome, message: `${whose}: ${fate[outcome]}${answer}.`, part: null, position: null }
}

/** Of a test that did not come to its proofs. */
const UNPREPARED: FlawShown = {
  type: 'unsent',
  message: 'The test was not prepared in time: no process that plays the role "jobs" took it up, or none came through.',
  part: null,
  position: null,
}

/** Closes tests that are over: 38 when a gateway accepted a proof, else 20. */
async function closeTests(db: Db, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const tests = await overTests(tx, now)
    if (tests.length === 0) return
    const unsent = await unsentProofs(tx, tests)
    const validations = tests.map(({ id, state, sent, refused, last_validation: last }) => {
      const flaws = state === 36 ? unsent.filter(({ action }) => action === id).map(flawOf) : [UNPREPARED]
      const errors = cut([...last.errors, ...flaws])
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
  const { rows } = await sql<Attempt>`${prepared('validations-forsaken')}
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
