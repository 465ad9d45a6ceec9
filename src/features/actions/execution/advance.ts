import { type RawBuilder, sql } from 'kysely'
import { actionFamilies } from '../../../channels/action-families.ts'
import type { ServiceContext } from '../../../context.ts'
import { buildPreparedPrefix, type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { isSqlConditionTrue } from '../../../database/rows/sql-condition.ts'
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
const ABANDONED_VALIDATION_MS = 10_000

/** A test that is to be closed. */
interface OverdueTest {
  id: number
  account: AccountId
  state: 30 | 35 | 36
  sending: number | null
  last_validation: StoredActionValidation
}

/** Tests whose proofs have come to their ends, and those that took too long; held until the transaction ends. */
async function lockOverdueTests(tx: Db, finished: readonly number[], now: Date): Promise<OverdueTest[]> {
  const { rows } = await sql<OverdueTest>`${buildPreparedPrefix('tests-over')}
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
async function listUnsentProofs(tx: Db, { account, last_validation }: OverdueTest): Promise<UnsentProof[]> {
  const proofs = await findMessages(tx, account, last_validation.test?.stamps ?? [])
  const unsentMessages = [...proofs.values()].flatMap(({ contact, outcome, waits, lastReply }): UnsentProof[] => {
    if (outcome === 'accepted') return []
    const code = REPLY_CODE.exec(lastReply ?? '')?.[0] ?? null
    return [{ contact, outcome: outcome ?? (waits === 'held' ? 'held' : 'unsent'), code }]
  })
  return unsentMessages.toSorted(
    (a, b) => (a.contact ?? Number.POSITIVE_INFINITY) - (b.contact ?? Number.POSITIVE_INFINITY),
  )
}

const OUTCOME_TEXTS: Readonly<Record<UnsentProof['outcome'], string>> = {
  refused: 'the gateway refused the proof',
  cancelled: 'no proof was sent; see the reason of its cancellation',
  held: 'the connection broke before the gateway answered, so the proof is held',
  unsent: 'no gateway accepted the proof in time',
}

function toUnsentFlaw({ contact, outcome, code }: UnsentProof): ReportedFlaw {
  const proofRecipient = contact === null ? 'the address of the test' : formatContactId(contact)
  const answerSuffix = code === null ? '' : `; the last answer was ${code}`
  return {
    type: outcome,
    message: `${proofRecipient}: ${OUTCOME_TEXTS[outcome]}${answerSuffix}.`,
    part: null,
    position: null,
  }
}

/** Flaw of a test whose proofs were never prepared. */
const UNPREPARED_FLAW: ReportedFlaw = {
  type: 'unsent',
  message: 'The test was not prepared in time: no process with the role "jobs" started it, or none completed it.',
  part: null,
  position: null,
}

/** Result of a test. */
async function buildTestResult(tx: Db, test: OverdueTest, figures: SendingFigures | undefined) {
  const { state, last_validation: lastValidation } = test
  const { sent: sentCount = 0, refused: refusedCount = 0 } = (state === 36 && figures) || {}
  const flaws = state === 36 ? (await listUnsentProofs(tx, test)).map(toUnsentFlaw) : [UNPREPARED_FLAW]
  return {
    ...lastValidation,
    result: sentCount > 0 ? 'passed' : 'failed',
    sent: sentCount,
    refused: refusedCount,
    errors: truncateFlaws([...lastValidation.errors, ...flaws]),
  }
}

/** True if the test makes its action tested: a gateway accepted a proof, and the test covered every content that is sent. */
const isTested = ({ last_validation: { test } }: OverdueTest, sentCount: number): boolean =>
  sentCount > 0 && test?.version == null

/** Closes tests that are over: 38 when they make the action tested, else 20. `finished`: their sendings. */
async function closeTests(tx: Db, finished: readonly number[], now: Date): Promise<void> {
  const tests = await lockOverdueTests(tx, finished, now)
  if (tests.length === 0) return
  const figures = await readSendingFigures(
    tx,
    tests.flatMap(({ sending }) => sending ?? []),
  )
  const testResults = await Promise.all(tests.map((test) => buildTestResult(tx, test, figures.get(test.sending ?? 0))))
  await sql`
    update actions a set state = n.state, last_validation = n.validation
    from unnest(${tests.map(({ id }) => id)}::integer[], ${testResults.map(({ sent: sentCount }, index) => (isTested(tests[index]!, sentCount) ? 38 : 20))}::smallint[],
      ${testResults.map((verdict) => toJsonbText({ ...verdict, endedAt: now.toISOString() }))}::jsonb[]) as n (id, state, validation)
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
async function processSendingEnds(db: Db, now: Date): Promise<void> {
  if (!(await hasSendingEnds(db, sourceKinds)) && !(await hasLateTests(db, now))) return
  await inTransaction(db, async (tx) => {
    const endedRuns = await takeSendingEnds(tx, sourceKinds)
    const listEndedSendings = (kind: FinishedSendingRun['kind']) =>
      endedRuns.filter((run) => run.kind === kind).map(({ sending }) => sending)
    await closeTests(tx, listEndedSendings('test'), now)
    await endCampaigns(tx, listEndedSendings('campaign'), now)
  })
}

/** Condition on an action: its validation was left alone by its request. */
const isValidationAbandoned = (now: Date) => sql`
  state = 40 and deleted_at is null
    and (last_validation->>'startedAt')::timestamptz <= ${new Date(now.getTime() - ABANDONED_VALIDATION_MS)}`

async function listAbandonedValidations(db: Db, now: Date): Promise<ValidationAttempt[]> {
  const { rows } = await sql<ValidationAttempt>`${buildPreparedPrefix('validations-abandoned')}
    select account, id as action, attempt from actions where ${isValidationAbandoned(now)}`.execute(db)
  return rows
}

/** Condition: an action may go on by itself. */
export function isActionDue(now: Date): RawBuilder<unknown> {
  return sql`${hasRunningSendings} or ${hasSendingEndsCondition(sourceKinds)} or ${isTestLate(now)} or ${isExperimentActive} or ${isCampaignDue(now)}
    or exists (select from actions where ${isValidationAbandoned(now)})`
}

/**
 * Advances every action that needs no user: overdue tests, abandoned validations, campaigns that start and end. Runs several times a
 * second; any number of processes may run it.
 */
export async function advanceActions(
  context: Pick<ServiceContext, 'db' | 'config' | 'clock' | 'renders'>,
): Promise<void> {
  const { db, clock } = context
  const now = new Date(clock.now())
  await runTaskParts(db, {
    'advance sendings': () => advanceSendings(db, now),
    'take finished sendings': () => processSendingEnds(db, now),
    'advance experiments': () => advanceExperiments(db, now),
    'begin campaigns': () => beginDueCampaigns(db, now),
    'complete validations': async () =>
      runEachIsolated(db, 'complete validations', await listAbandonedValidations(db, now), {
        subjectOf: ({ action }) => `action ${action}`,
        work: (attempt) => completeValidation(context, attempt),
      }),
  })
}
