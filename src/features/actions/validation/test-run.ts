import { sql } from 'kysely'
import { actionFamilies } from '../../../channels/action-families.ts'
import { loadActionChannel } from '../../../channels/load-channel.ts'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { withAdvisoryLock } from '../../../database/locks/advisory-lock.ts'
import { buildEnqueueExpression, type TaskPayloads } from '../../../jobs/enqueue.ts'
import type { AccountId } from '../../../lib/account.ts'
import { waitUnlessAborted } from '../../../lib/concurrency/unless-aborted.ts'
import { createUuidsV7 } from '../../../lib/ids.ts'
import { outboxLanes } from '../../../lib/lanes.ts'
import { requestSends, type SendRequest } from '../../../sending/plan/request-sends.ts'
import { openTestSending } from '../../../sending/plan/sendings.ts'
import type { RecipientContactRow } from '../../../sending/prepare/load-recipients.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import type { ReportedFlaw } from '../../rendering/flaw-schemas.ts'
import { loadSegmentAudience } from '../../segments/members/segment-audience.ts'
import { type CompiledActionContent, compileActionContents, storeContentVersions } from '../content/content-versions.ts'
import { labelVersionFlaw, snapshotVersionContents } from '../content/draft-content.ts'
import { applyValidationTransition, truncateFlaws } from '../execution/conclusion.ts'
import { type ActionTestRequest, loadAction, type StoredAction } from '../resource/action-repository.ts'
import { analyseActionContent } from './findings.ts'
import {
  type CheckedProof,
  checkProofs,
  findRepairableErrors,
  listProofErrors,
  removeDuplicateFlaws,
} from './findings-proofs.ts'

/** Contacts of one test at most. */
export const MAX_TEST_CONTACTS = 200
/** A test that is not over after this is closed with what it has. */
export const ACTION_TEST_TIMEOUT_MS = 30 * 60_000

type TestContext = Pick<ServiceContext, 'db' | 'pool' | 'config' | 'clock' | 'renders' | 'tokens'>

/** A test while it is prepared. */
interface TestPreparation {
  context: TestContext
  action: StoredAction
  request: ActionTestRequest
  /** Contents that are sent; an experiment has one for each version. */
  contents: readonly CompiledActionContent[]
  signal: AbortSignal | undefined
}

/** The action of a job, in state 35; undefined when the job came too late. */
async function startPreparation(
  db: Db,
  { account, action, attempt }: TaskPayloads['actions.test'],
): Promise<StoredAction | undefined> {
  const { numUpdatedRows } = await db
    .updateTable('actions')
    .set({ state: 35 })
    .where('account', '=', account)
    .where('id', '=', action)
    .where('attempt', '=', attempt)
    .where('state', 'in', [30, 35])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 0n ? undefined : loadAction(db, { family: actionFamilies.action, account, id: action })
}

/** Contacts of test segments in the order of their ids, at most `limit`. `now` in milliseconds. */
export async function readTestContacts(
  db: Db,
  { account, segments }: { account: AccountId; segments: readonly number[] },
  now: number,
  limit: number,
): Promise<FoundContact[]> {
  if (segments.length === 0) return []
  const audience = await loadSegmentAudience(db, account, { selected: segments, excluded: [] }, now)
  const { rows } = await sql<FoundContact>`
    select c.id, c.unicity, encode(c.hash, 'hex') as hash, c.fields
    from (${audience}) as audience (id) join contacts c on c.account = ${account} and c.id = audience.id
    order by c.id limit ${limit}`.execute(db)
  return rows
}

/** Contacts of the test segments; one empty contact when there are no segments. */
async function loadTestContacts(
  { db, clock }: TestContext,
  { account, test_segments: segments }: StoredAction,
): Promise<(RecipientContactRow | null)[]> {
  return segments.length === 0 ? [null] : readTestContacts(db, { account, segments }, clock.now(), MAX_TEST_CONTACTS)
}

/** A content, and whose proofs of it are sound. */
interface ProvableContent extends CompiledActionContent {
  contacts: (RecipientContactRow | null)[]
}

/** The proofs of a content as they are requested: one a contact, or its HTML and its text alone. */
function buildProofSends(
  { context, action, request }: TestPreparation,
  { draft, contacts }: ProvableContent,
  { version, sending, run }: { version: number; sending: number; run: string },
): SendRequest[] {
  const now = context.clock.now()
  const startedAt = Date.parse(action.last_validation?.startedAt ?? '') || now
  const parts =
    request.textandHtml && draft.source.settings.contentFormat === 2 ? (['html', 'text'] as const) : [undefined]
  const ids = createUuidsV7(contacts.length * parts.length, now).values()
  const nextStamp = () => {
    const id = ids.next().value!
    return { id, thread: id, set: run, time: now }
  }
  return contacts.flatMap((contact) =>
    parts.map(
      (part): SendRequest => ({
        account: action.account,
        lane: outboxLanes.urgent,
        channel: draft.source.channel,
        kind: 'test',
        sending,
        version,
        contact: contact?.id ?? null,
        address: request.mediaForTest,
        stamp: nextStamp(),
        request: part ? { part } : {},
        notBefore: new Date(now),
        expiresAt: new Date(startedAt + ACTION_TEST_TIMEOUT_MS),
        copies: [],
        execution: null,
      }),
    ),
  )
}

/** Closes a test before anything was sent. */
async function closeTest(
  { context, action }: Pick<TestPreparation, 'context' | 'action'>,
  result: 'repair' | 'failed',
  flaws: { errors: ReportedFlaw[]; findings: ReportedFlaw[] },
): Promise<void> {
  const validation = {
    result,
    endedAt: new Date(context.clock.now()).toISOString(),
    errors: truncateFlaws(flaws.errors),
    findings: truncateFlaws(flaws.findings),
  }
  await inTransaction(context.db, async (tx) => {
    const isOver = await applyValidationTransition(tx, action, {
      from: 35,
      to: result === 'repair' ? 10 : 20,
      validation,
    })
    if (isOver) await releaseTestSegments(tx, [action.id])
  })
}

/** Segments of tests that are over may be deleted again. */
export async function releaseTestSegments(db: Db, actions: readonly number[]): Promise<void> {
  await sql`delete from action_segments where action = any(${actions}::integer[]) and role = 'test'`.execute(db)
}

/** Freezes the content and puts the proofs into the outbox, in one transaction with the state. */
async function queueTestProofs(
  test: TestPreparation,
  sound: readonly ProvableContent[],
  flaws: { errors: ReportedFlaw[]; findings: ReportedFlaw[] },
): Promise<void> {
  const { context, action } = test
  const now = new Date(context.clock.now())
  const { account } = action
  const { channel } = sound[0]!.draft.source
  await inTransaction(context.db, async (tx) => {
    const owner = { account, sourceKind: actionFamilies.action.sourceKind, source: action.id }
    const { version, versions } = await storeContentVersions(tx, action, sound, { sourceKind: owner.sourceKind, now })
    const { id: sendingId, run } = await openTestSending(
      tx,
      { ...owner, channel, version, lane: outboxLanes.urgent },
      now,
    )
    const proofs = sound.flatMap((content) =>
      buildProofSends(test, content, { version: versions?.[content.id!] ?? version, sending: sendingId, run }),
    )
    const isQueued = await applyValidationTransition(tx, action, {
      from: 35,
      to: 36,
      validation: {
        recipients: proofs.length,
        errors: truncateFlaws(flaws.errors),
        findings: truncateFlaws(flaws.findings),
      },
      test: { stamps: proofs.map(({ stamp }) => stamp.id) },
      changes: { version, sending: sendingId },
    })
    if (isQueued) await requestSends(tx, proofs, now)
  })
}

/** Findings of a test about one content before anything is sent. */
interface ContentExamination {
  checked: CheckedProof[]
  /** Errors of the content itself, for any contact. */
  repairs: ReportedFlaw[]
  findings: ReportedFlaw[]
}

/** Renders the proofs of a compiled content; `campaignAnalyser` also analyses it. */
async function examineContent(
  { context, action, request, signal }: TestPreparation,
  { id, draft, report }: CompiledActionContent,
  allContacts: readonly (RecipientContactRow | null)[],
): Promise<ContentExamination> {
  const contentErrors = [...draft.errors, ...report.errors]
  const contacts = contentErrors.length > 0 ? [] : allContacts
  const { authoring } = await loadActionChannel(draft.source.channel)
  const checkedProofs = await checkProofs(context, action.account, draft.source, contacts)
  const renderedProofs = checkedProofs.flatMap(({ rendered }) => rendered ?? [])
  signal?.throwIfAborted()
  const analysing = request.campaignAnalyser
    ? analyseActionContent(context, action.account, draft.source, renderedProofs)
    : []
  const analysisFindings = await waitUnlessAborted(Promise.resolve(analysing), signal)
  // The size of what leaves says more than that of the template.
  const isWeighed = analysisFindings.some(({ type }) => type === 'size')
  const compileFindings = report.findings.filter(({ type }) => !(isWeighed && type === 'size'))
  const findings = [
    ...draft.findings,
    ...analysisFindings,
    ...compileFindings,
    ...checkedProofs.flatMap((checkedProof) => checkedProof.findings),
  ]
  const repairs = [...contentErrors, ...findRepairableErrors(checkedProofs, authoring.repairableTypes)]
  const labelFlaws = (flaws: readonly ReportedFlaw[]) => flaws.map((flaw) => labelVersionFlaw(id, flaw))
  return { checked: checkedProofs, repairs: labelFlaws(repairs), findings: labelFlaws(removeDuplicateFlaws(findings)) }
}

async function prepareTest(
  context: TestContext,
  action: StoredAction,
  { request, signal }: Pick<TestPreparation, 'request' | 'signal'>,
): Promise<void> {
  const allVersions = await snapshotVersionContents(context, action, { variables: request.variables })
  const drafts = request.version == null ? allVersions : allVersions.filter(({ id }) => id === request.version)
  const contents = await compileActionContents(context, drafts, request.campaignAnalyser)
  const test = { context, action, request, contents, signal }
  const contacts = await loadTestContacts(context, action)
  const examinedContents: (ContentExamination & { content: CompiledActionContent })[] = []
  for (const content of contents) examinedContents.push({ content, ...(await examineContent(test, content, contacts)) })
  const repairs = examinedContents.flatMap((examinedContent) => examinedContent.repairs)
  const findings = examinedContents.flatMap((examinedContent) => examinedContent.findings)
  if (repairs.length > 0) return closeTest(test, 'repair', { errors: repairs, findings })
  const errors = examinedContents.flatMap(({ content, checked }) =>
    listProofErrors(checked).map((flaw) => labelVersionFlaw(content.id, flaw)),
  )
  if (contacts.length === 0)
    errors.push({ type: 'no-recipient', message: 'The test segments are empty.', part: null, position: null })
  const provableContents = examinedContents.map(({ content, checked }) => ({
    ...content,
    contacts: checked.filter((examinedContent) => examinedContent.errors.length === 0).map(({ contact }) => contact),
  }))
  if (provableContents.some((content) => content.contacts.length === 0))
    return closeTest(test, 'failed', { errors, findings })
  await queueTestProofs(test, provableContents, { errors, findings })
}

/** The select list that has tests of rows of actions prepared; one job a test waits. */
const buildTestJobSelect = sql`select ${buildEnqueueExpression(
  'actions.test',
  sql`'actions.test ' || id || ' ' || attempt`,
  sql`json_build_object('account', account, 'action', id, 'attempt', attempt)`,
)}`

/** Has the test of an action prepared that was just put into state 30. */
export async function requestTestPreparation(tx: Db, action: number): Promise<void> {
  await sql`${buildTestJobSelect} from actions where id = ${action}`.execute(tx)
}

/** Has every test prepared whose process died meanwhile. One that is being prepared is not disturbed. */
export async function requeueActionTests(db: Db): Promise<void> {
  await sql`${buildTestJobSelect} from actions where state in (30, 35) and deleted_at is null`.execute(db)
}

/**
 * Prepares the test of an action: compiles its content, finds its contacts, and queues their proofs, or closes the test. May run twice: it
 * depends only on the state and the attempt number. It does nothing while another process prepares the same test. `signal` aborts it;
 * `requeueActionTests` starts it again.
 */
export async function runActionTest(
  context: TestContext,
  payload: TaskPayloads['actions.test'],
  signal?: AbortSignal,
): Promise<void> {
  await withAdvisoryLock(context.pool, `actions.test ${payload.action} ${payload.attempt}`, async () => {
    const action = await startPreparation(context.db, payload)
    const request = action?.last_validation?.test
    if (action && request) await prepareTest(context, action, { request, signal })
  })
}
