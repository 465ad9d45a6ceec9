import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { getActionFamily } from '../../../channels/action-families.ts'
import type { ChannelAuthoring } from '../../../channels/channel.ts'
import { getActionChannel } from '../../../channels/channel-traits.ts'
import { loadChannel } from '../../../channels/load-channel.ts'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem, conflictProblem } from '../../../lib/errors/problem.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { loadSegmentAudience } from '../../segments/members/segment-audience.ts'
import type { StoredContentVersions } from '../content/content-versions.ts'
import { beginCampaigns } from '../execution/campaign-run.ts'
import { truncateFlaws } from '../execution/conclusion.ts'
import { requireKnownVersion } from '../experiments/versions.ts'
import { findMissingParts } from '../resource/action-presenter.ts'
import {
  type ActionApproval,
  type ActionRef,
  type ActionTestRequest,
  lockAction,
  replaceActionSegments,
  type StoredAction,
  type StoredActionValidation,
} from '../resource/action-repository.ts'
import type { ActionOperation } from '../resource/state-tables.ts'
import { decideActionTransition } from '../resource/states.ts'
import { completeValidation, type ValidationAttempt } from './production.ts'
import { findConsentReasons, findTopicReasons, requireUsableSegments, resolveCampaignStart } from './readiness.ts'
import { MAX_TEST_CONTACTS, requestTestPreparation } from './test-run.ts'
import { type TestWaitLimit, waitForActionTest } from './test-wait.ts'
import { type RestrictedTester, requireTesterAddress, requireTesterProofCount } from './testers.ts'
import type { ActionValidationBody } from './validation-schemas.ts'

/** Longest wait for a validation for production, so that a send right after it works. */
const PRODUCTION_WAIT_MS = 5000
/** Longest wait for the end of a test before the response, and of a validation for production for the test before it. */
const TEST_WAIT_MS = 10_000
const TEST_BEFORE_VALIDATION_MS = 25_000

type ValidationContext = Pick<ServiceContext, 'db' | 'config' | 'clock' | 'renders' | 'log'>

function requireComplete(action: StoredAction): void {
  const missing = findMissingParts(action)
  if (missing.length > 0)
    throw conflictProblem(
      'action-incomplete',
      `Action ${getActionFamily(action.type).showId(action.id)} is missing ${missing.join(' and ')}.`,
    )
}

/** Throws as decide; of an action in 10 that lacks something, it says what, as that is why it is there. */
function requireCompleteTransition(operation: ActionOperation, action: StoredAction): void {
  if (action.state === 10 && action.deleted_at === null) requireComplete(action)
  decideActionTransition(operation, action)
  requireComplete(action)
}

/** Parses the request of a test. Throws 400 for an invalid address, and for a test without recipients. */
function parseTestRequest(
  { testSegments, mediaForTest, textandHtml, campaignAnalyser, variables, version }: ActionValidationBody,
  { readProofAddress, proofAddressForm }: ChannelAuthoring,
  versions: readonly { id: string }[],
): ActionTestRequest {
  const proofAddress = mediaForTest == null ? null : readProofAddress(mediaForTest.trim())
  if (proofAddress === undefined) throw badRequestProblem('/mediaForTest', `must be ${proofAddressForm}`)
  if (proofAddress === null && !testSegments?.length)
    throw badRequestProblem('/testSegments', 'is required, unless mediaForTest is given')
  requireKnownVersion(versions, version)
  return {
    mediaForTest: proofAddress,
    textandHtml: textandHtml ?? false,
    campaignAnalyser: campaignAnalyser ?? false,
    version: version ?? null,
    variables: Object.fromEntries((variables ?? []).map(({ key, value }) => [key, value])),
    stamps: [],
  }
}

/** Throws conflict `test-too-large` for more contacts than a test, or the tester, may have. */
async function requireTestableAudience(
  db: Db,
  account: AccountId,
  {
    segments,
    proofsEach,
    tester,
  }: { segments: readonly number[]; proofsEach: number; tester: RestrictedTester | null },
  now: Date,
): Promise<void> {
  if (segments.length === 0) return
  const audience = await loadSegmentAudience(db, account, { selected: segments, excluded: [] }, now.getTime())
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (select from (${audience}) as audience (id) limit ${MAX_TEST_CONTACTS + 1}) as audience`.execute(
    db,
  )
  const contactCount = rows[0]?.n ?? 0
  requireTesterProofCount(tester, contactCount * proofsEach)
  if (contactCount > MAX_TEST_CONTACTS) {
    throw conflictProblem(
      'test-too-large',
      `A test can be sent to at most ${MAX_TEST_CONTACTS} contacts. Select smaller segments.`,
    )
  }
}

function createStartedValidation(
  phase: StoredActionValidation['phase'],
  comments: string | null | undefined,
  now: Date,
): StoredActionValidation {
  const emptyResult = { recipients: 0, sent: 0, refused: 0, errors: [], findings: [] }
  return {
    phase,
    result: 'running',
    startedAt: now.toISOString(),
    endedAt: null,
    ...emptyResult,
    comments: comments ?? null,
  }
}

/** Asks for a test: state 30, and a job that goes on from there. */
async function startTest(
  context: ValidationContext,
  ref: ActionRef,
  { tester, ...body }: ActionValidationBody & { tester: RestrictedTester | null },
): Promise<void> {
  const { account, id } = ref
  const now = new Date(context.clock.now())
  await inTransaction(context.db, async (tx) => {
    const action = await lockAction(tx, ref)
    requireCompleteTransition('test', action)
    const { authoring } = await loadChannel(getActionChannel(action.type))
    const { contentFormat, experiment } = action.settings
    const versions = experiment?.versions ?? []
    const testRequest = parseTestRequest(body, authoring, versions)
    const segments = body.testSegments ?? []
    await requireUsableSegments(tx, account, segments, { now, test: true })
    requireTesterAddress(tester, testRequest.mediaForTest)
    const contentCount = testRequest.version === null ? Math.max(versions.length, 1) : 1
    const proofsEach = (testRequest.textandHtml && contentFormat === 2 ? 2 : 1) * contentCount
    await requireTestableAudience(tx, account, { segments, proofsEach, tester }, now)
    const attempt = action.attempt + 1
    const validation = toJsonbText({ ...createStartedValidation('test', body.comments, now), test: testRequest })
    await tx
      .updateTable('actions')
      .set({ state: 30, attempt, last_validation: validation })
      .where('id', '=', id)
      .execute()
    await replaceActionSegments(tx, action, { test: segments })
    await requestTestPreparation(tx, id)
  })
}

/**
 * Asks for the validation for production: state 40. Throws 404, 410, and conflict for what stands in the way. Gives the attempt that is to be completed. One that has waited for
 * a test goes by its outcome, also where the account asks for no test.
 */
export async function requestProductionValidation(
  { db, clock }: Pick<ValidationContext, 'db' | 'clock'>,
  { hasWaited, ...ref }: ActionRef & { hasWaited: boolean },
  { comments, approved = null }: Pick<ActionValidationBody, 'comments'> & { approved?: ActionApproval | null },
): Promise<number> {
  const now = new Date(clock.now())
  return inTransaction(db, async (tx) => {
    const action = await lockAction(tx, ref)
    const sending = await readSendingSettings(tx, ref.account)
    requireCompleteTransition(sending.testRequired || hasWaited ? 'validate' : 'validateAtOnce', action)
    const { reasons, scheduler } = await resolveCampaignStart(tx, action, now)
    const [reason] = [...findConsentReasons(action, sending), ...(await findTopicReasons(tx, action)), ...reasons]
    if (reason) throw conflictProblem(reason.kind, reason.words)
    const attempt = action.attempt + 1
    const validation = toJsonbText(createStartedValidation('production', comments, now))
    await tx
      .updateTable('actions')
      .set({ state: 40, attempt, last_validation: validation, approved: approved && toJsonbText(approved) })
      .set(scheduler ? { scheduler: toJsonbText(scheduler) } : {})
      .where('id', '=', ref.id)
      .execute()
    return attempt
  })
}

/** Completes a validation, and waits for it a limited time. Its errors are logged: the periodic task tries again. */
export async function waitForValidation(context: ValidationContext, attempt: ValidationAttempt): Promise<void> {
  const { log } = context
  const waitController = new AbortController()
  const completion = completeValidation(context, attempt)
    .catch((error) => log.warn({ err: error }, 'validation not completed yet'))
    .finally(() => waitController.abort())
  await Promise.race([
    completion,
    delay(PRODUCTION_WAIT_MS, undefined, { signal: waitController.signal }).catch(() => undefined),
  ])
}

/**
 * Asks for a test, or for the validation for production; either is waited for, and the latter also waits for a test that
 * is under way. `tester`: whose tests have limits. `ms` shortens the waits for a test. Throws 400, 404, 410, and a conflict for the state or for what
 * stands in the way; then nothing changes.
 */
export async function validateAction(
  context: ValidationContext,
  ref: ActionRef,
  { tester, ...body }: ActionValidationBody & { tester: RestrictedTester | null },
  { ms, signal }: TestWaitLimit,
): Promise<void> {
  const { db } = context
  const { account, id } = ref
  if (body.fortest) {
    await startTest(context, ref, { ...body, tester })
    await waitForActionTest(db, { account, id }, { ms: Math.min(ms, TEST_WAIT_MS), signal })
    return
  }
  const hasWaited = await waitForActionTest(
    db,
    { account, id },
    { ms: Math.min(ms, TEST_BEFORE_VALIDATION_MS), signal },
  )
  const attempt = await requestProductionValidation(context, { ...ref, hasWaited }, body)
  await waitForValidation(context, { account, action: id, attempt })
}

/** Takes a validation or a passed test back. Throws 404, 410, conflict `action-state`. */
export function unvalidateAction(db: Db, ref: ActionRef): Promise<void> {
  return inTransaction(db, async (tx) => {
    const action = await lockAction(tx, ref)
    decideActionTransition('unvalidate', action)
    await tx.updateTable('actions').set({ state: 20 }).where('id', '=', ref.id).execute()
  })
}

/** Data that an action is validated with. */
interface ValidatedParts
  extends Pick<StoredAction, 'scheduler'>,
    Pick<StoredActionValidation, 'findings' | 'comments'>,
    StoredContentVersions {
  approved: ActionApproval | null
}

/** Takes a locked action from 20 to 50 at once; a campaign whose start has come begins. */
export async function validateImmediately(
  tx: Db,
  { id, attempt }: StoredAction,
  { version, versions, scheduler, findings, comments, approved }: ValidatedParts,
  now: Date,
): Promise<void> {
  const startedState = createStartedValidation('production', comments, now)
  const validation = {
    ...startedState,
    result: 'passed',
    endedAt: now.toISOString(),
    findings: truncateFlaws(findings),
  }
  await tx
    .updateTable('actions')
    .set({
      state: 50,
      attempt: attempt + 1,
      version,
      versions: versions && toJsonbText(versions),
      last_validation: toJsonbText(validation),
    })
    .set({ approved: approved && toJsonbText(approved) })
    .set(scheduler ? { scheduler: toJsonbText(scheduler) } : {})
    .where('id', '=', id)
    .execute()
  await beginCampaigns(tx, now, id)
}
