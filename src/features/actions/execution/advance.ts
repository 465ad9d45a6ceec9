import { type RawBuilder, sql } from 'kysely'
import { actionFamilies } from '../../../channels/families.ts'
import type { ServiceContext } from '../../../context.ts'
import { buildPreparedPrefix, type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { isSqlConditionTrue } from '../../../database/locks/holds.ts'
import { runEachIsolated, runTaskParts } from '../../../jobs/failures.ts'
import type { AccountId } from '../../../lib/account.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { findMessages } from '../../../sending/claim/find-messages.ts'
import {
  advanceSendings,
  type FinishedSendingRun,
  hasRunningSendings,
  hasSendingEnds,
  hasSendingEndsCondition,
  readSendingFigures,
  type SendingFigures,
  takeSendingEnds,
} from '../../../sending/plan/sendings.ts'
import type { ReportedFlaw } from '../../rendering/flaw-schemas.ts'
import { advanceExperiments, isExperimentActive } from '../experiments/decision.ts'
import type { StoredActionValidation } from '../resource/action-repository.ts'
import { completeValidation, type ValidationAttempt } from '../validation/production.ts'
import { ACTION_TEST_TIMEOUT_MS, releaseTestSegments } from '../validation/test-run.ts'
import { beginDueCampaigns, endCampaigns, isCampaignDue } from './campaign-run.ts'
import { truncateFlaws } from './conclusion.ts'

const sourceKinds = Object.values(actionFamilies).map(({ sourceKind }) => sourceKind)

/** A validation that its request has left alone for so long is completed here. */
const ABANDONED_MS = 10_000

/** A test that is to be closed. */
interface OverTest {
  id: number
  account: AccountId
  state: 30 | 35 | 36
  sending: number | null
  last_validation: StoredActionValidation
}

/** Tests whose proofs have come to their ends, and those that took too long; held until the transaction ends. */
async function overTests(tx: Db, finished: readonly number[], now: Date): Promise<OverTest[]> {
  const { rows } = await sql<OverTest>`${buildPreparedPrefix('tests-over')}
    select a.id, a.account, a.state, a.sending, a.last_validation from actions a
    where a.deleted_at is null and a.last_validation is not null and (
      a.state = 36 and a.sending = any(${finished}::bigint[])
      or a.state in (30, 35, 36) and (a.last_validation->>'startedAt')::timestamptz <= ${new Date(now.getTime() - ACTION_TEST_TIMEOUT_MS)})
    order by a.id for update of a`.execute(tx)
  return rows
}

/** The code that a reply of a mail server (RFC 5321, 2034) or of an SMPP peer begins with. */
const REPLY_CODE = /^(?:\d{3}(?: \d\.\d{1,3}\.\d{1,3})?|ESME_\w+)/

/** A proof that no gateway accepted: its contact, what became of it, and the code it was last put off with. */
interface UnsentProof {
  contact: number | null
  outcome: 'refused' | 'cancelled' | 'held' | 'unsent'
  code: string | null
}

/** The proofs of a test that no gateway accepted: those that came to an end, and those that wait still. */
async function unsentProofs(tx: Db, { account, last_validation }: OverTest): Promise<UnsentProof[]> {
  const proofs = await findMessages(tx, account, last_validation.test?.stamps ?? [])
  const unsent = [...proofs.values()].flatMap(({ contact, outcome, waits, lastReply }): UnsentProof[] => {
    if (outcome === 'accepted') return []
    const code = REPLY_CODE.exec(lastReply ?? '')?.[0] ?? null
    return [{ contact, outcome: outcome ?? (waits === 'held' ? 'held' : 'unsent'), code }]
  })
  return unsent.toSorted((a, b) => (a.contact ?? Number.POSITIVE_INFINITY) - (b.contact ?? Number.POSITIVE_INFINITY))
}

const fate: Readonly<Record<UnsentProof['outcome'], string>> = {
  refused: 'the gateway refused the proof',
  cancelled: 'no proof was sent; its cancellation says why',
  held: 'the connection broke before the gateway answered, so the proof is held',
  unsent: 'no gateway took the proof in time',
}

function flawOf({ contact, outcome, code }: UnsentProof): ReportedFlaw {
  const whose = contact === null ? 'the address of the test' : formatContactId(contact)
  const answer = code === null ? '' : `; the last answer was ${code}`
  return { type: outcome, message: `${whose}: ${fate[outcome]}${answer}.`, part: null, position: null }
}

/** Of a test that did not come to its proofs. */
const UNPREPARED: ReportedFlaw = {
  type: 'unsent',
  message: 'The test was not prepared in time: no process that plays the role "jobs" took it up, or none came through.',
  part: null,
  position: null,
}

/** What a test came to. */
async function verdictOf(tx: Db, test: OverTest, figures: SendingFigures | undefined) {
  const { state, last_validation: last } = test
  const { sent = 0, refused = 0 } = (state === 36 && figures) || {}
  const flaws = state === 36 ? (await unsentProofs(tx, test)).map(flawOf) : [UNPREPARED]
  return {
    ...last,
    result: sent > 0 ? 'passed' : 'failed',
    sent,
    refused,
    errors: truncateFlaws([...last.errors, ...flaws]),
  }
}

/** Whether a test makes its action tested: a gateway accepted a proof, and it was of all that is sent. */
const isTested = ({ last_validation: { test } }: OverTest, sent: number): boolean => sent > 0 && test?.version == null

/** Closes tests that are over: 38 when they make the action tested, else 20. `finished`: their sendings. */
async function closeTests(tx: Db, finished: readonly number[], now: Date): Promise<void> {
  const tests = await overTests(tx, finished, now)
  if (tests.length === 0) return
  const figures = await readSendingFigures(
    tx,
    tests.flatMap(({ sending }) => sending ?? []),
  )
  const verdicts = await Promise.all(tests.map((test) => verdictOf(tx, test, figures.get(test.sending ?? 0))))
  await sql`
    update actions a set state = n.state, last_validation = n.validation
    from unnest(${tests.map(({ id }) => id)}::integer[], ${verdicts.map(({ sent }, index) => (isTested(tests[index]!, sent) ? 38 : 20))}::smallint[],
      ${verdicts.map((verdict) => toJsonbText({ ...verdict, endedAt: now.toISOString() }))}::jsonb[]) as n (id, state, validation)
    where a.id = n.id`.execute(tx)
  await releaseTestSegments(
    tx,
    tests.map(({ id }) => id),
  )
}

/** Condition: a test takes too long, and no run may ever end for it. */
const isTestLate = (now: Date) => sql`exists (
  select from actions where deleted_at is null and state in (30, 35, 36)
    and (last_validation->>'startedAt')::timestamptz <= ${new Date(now.getTime() - ACTION_TEST_TIMEOUT_MS)})`

function hasLateTests(db: Db, now: Date): Promise<boolean> {
  return isSqlConditionTrue(db, 'tests-late', isTestLate(now))
}

/** Moves on what the outbox has finished, of every family: tests are closed, campaigns end. */
async function takeFinished(db: Db, now: Date): Promise<void> {
  if (!(await hasSendingEnds(db, sourceKinds)) && !(await hasLateTests(db, now))) return
  await inTransaction(db, async (tx) => {
    const ended = await takeSendingEnds(tx, sourceKinds)
    const of = (kind: FinishedSendingRun['kind']) =>
      ended.filter((run) => run.kind === kind).map(({ sending }) => sending)
    await closeTests(tx, of('test'), now)
    await endCampaigns(tx, of('campaign'), now)
  })
}

/** Condition on an action: its validation was left alone by its request. */
const isAbandoned = (now: Date) => sql`
  state = 40 and deleted_at is null
    and (last_validation->>'startedAt')::timestamptz <= ${new Date(now.getTime() - ABANDONED_MS)}`

async function abandonedValidations(db: Db, now: Date): Promise<ValidationAttempt[]> {
  const { rows } = await sql<ValidationAttempt>`${buildPreparedPrefix('validations-abandoned')}
    select account, id as action, attempt from actions where ${isAbandoned(now)}`.execute(db)
  return rows
}

/** Condition: an action may go on by itself. */
export function isActionDue(now: Date): RawBuilder<unknown> {
  return sql`${hasRunningSendings} or ${hasSendingEndsCondition(sourceKinds)} or ${isTestLate(now)} or ${isExperimentActive} or ${isCampaignDue(now)}
    or exists (select from actions where ${isAbandoned(now)})`
}

/**
 * Moves every action on that can go on by itself (actions.md 3): tests that are over, validations left alone, campaigns
 * that begin and end. Called several times a second; any number of processes may do so.
 */
export async function advanceActions(
  context: Pick<ServiceContext, 'db' | 'config' | 'clock' | 'renders'>,
): Promise<void> {
  const { db, clock } = context
  const now = new Date(clock.now())
  await runTaskParts(db, {
    'advance sendings': () => advanceSendings(db, now),
    'take finished sendings': () => takeFinished(db, now),
    'advance experiments': () => advanceExperiments(db, now),
    'begin campaigns': () => beginDueCampaigns(db, now),
    'complete validations': async () =>
      runEachIsolated(db, 'complete validations', await abandonedValidations(db, now), {
        subjectOf: ({ action }) => `action ${action}`,
        work: (attempt) => completeValidation(context, attempt),
      }),
  })
}
