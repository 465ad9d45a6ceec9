import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connect.ts'
import type { Tasks } from '../../jobs/enqueue.ts'
import { reachOf } from '../../lib/guarded-client.ts'
import { contactId, uuidV7 } from '../../lib/ids.ts'
import type { ContactRow } from '../messages/facts.ts'
import { openMaterials } from '../messages/materials.ts'
import { lanes, type NewMessage, queueMessages, type Stamp } from '../messages/outbox.ts'
import { fitText } from '../messages/sms-compose.ts'
import { contentSourceOf, freezeVersion } from '../messages/version.ts'
import type { ContentReport } from '../rendering/content.ts'
import type { Rendered } from '../rendering/render.ts'
import { loadAudience } from '../segments/audience.ts'
import type { FlawShown } from './action-schemas.ts'
import { conclude, cut } from './conclusion.ts'
import { findDeadLinks } from './dead-links.ts'
import { type Draft, draftOf } from './drafts.ts'
import { linksOf, scopeOf } from './scopes.ts'
import { loadAction, type StoredAction, type TestRequest } from './stored.ts'

/** Contacts of one test at most. */
export const MOST_TEST_CONTACTS = 200
/** A test that is not over after this is closed with what it has. */
export const TEST_MS = 30 * 60_000

type TestContext = Pick<Context, 'db' | 'config' | 'clock' | 'renders' | 'tokens'>

/** A test while it is prepared. */
interface Test {
  context: TestContext
  action: StoredAction
  request: TestRequest
  draft: Draft
  report: ContentReport
}

/** Errors that say the content is to be repaired, whichever contact shows them. */
const REPAIRABLE = ['limit', 'unknown-field', 'unknown-reference']

/** What a text of SMS may be for some contacts only. */
const UNFIT = ['sms-length', 'sms-alphabet']

/** The action of a job, in state 35; undefined when the job came too late. */
async function takeUp(db: Db, { account, action, attempt }: Tasks['actions.test']): Promise<StoredAction | undefined> {
  const { numUpdatedRows } = await db
    .updateTable('actions')
    .set({ state: 35 })
    .where('account', '=', account)
    .where('id', '=', action)
    .where('attempt', '=', attempt)
    .where('state', 'in', [30, 35])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 0n ? undefined : loadAction(db, account, action)
}

/** Contacts of the test segments; one empty contact when there are no segments. */
async function testContacts(
  { db, clock }: TestContext,
  { account, test_segments }: StoredAction,
): Promise<(ContactRow | null)[]> {
  if (test_segments.length === 0) return [null]
  const audience = await loadAudience(db, account, { selected: test_segments, excluded: [] }, clock.now())
  const { rows } = await sql<ContactRow>`
    select c.id, c.unicity, encode(c.hash, 'hex') as hash, c.fields
    from (${audience}) as audience (id) join contacts c on c.account = ${account} and c.id = audience.id
    order by c.id limit ${MOST_TEST_CONTACTS}`.execute(db)
  return rows
}

function newStamp(set: string, now: number): Stamp {
  const id = uuidV7(now)
  return { id, thread: id, set, time: now }
}

/** What a strict rendering says of one contact's proof. */
interface Checked {
  contact: ContactRow | null
  errors: FlawShown[]
  findings: FlawShown[]
}

/** Renders every contact's proof strictly, without sending it: what only shows while rendering shows here. */
async function checkProofs(
  { context, action, draft }: Test,
  contacts: readonly (ContactRow | null)[],
): Promise<Checked[]> {
  const { clock, db, renders, tokens } = context
  const { account } = action
  const { valuesOf } = await openMaterials(db, clock).account(account)
  const source = contentSourceOf(draft.source)
  const now = clock.now()
  const checked: Checked[] = []
  for (const contact of contacts) {
    const stamp = newStamp(uuidV7(now), now)
    const values = { contact: contact && valuesOf(contact), related: null, data: {}, variables: {}, blocks: [], stamp }
    const rendered = await renders.render(source, {
      mode: 'proof',
      scope: scopeOf(draft.source, values, now),
      links: linksOf(draft.source, values, {
        key: tokens.signing(account),
        account,
        version: null,
        contact: contact?.id ?? null,
      }),
      zone: draft.source.settings.timeZone,
      pixel: true,
      strict: true,
    })
    checked.push({
      contact,
      errors: rendered.outcome === 'failed' ? rendered.errors : textErrors(draft, rendered),
      findings: rendered.outcome === 'cancelled' ? [] : rendered.findings,
    })
  }
  return checked
}

/** Why the rendered text of an SMS cannot be sent. */
function textErrors({ source }: Draft, rendered: Rendered): FlawShown[] {
  if (source.channel !== 'sms' || rendered.outcome !== 'rendered') return []
  const fitted = fitText(source, rendered.text)
  if (fitted.outcome === 'fits') return []
  return [{ type: fitted.type, message: fitted.message, part: 'textContent', position: null }]
}

/**
 * The errors that say the content is to be repaired: those that are so whichever contact shows them, and those of the
 * length and the alphabet of an SMS when no contact is without.
 */
function repairsOf(checked: readonly Checked[]): FlawShown[] {
  const isEveryUnfit =
    checked.length > 0 && checked.every(({ errors }) => errors.some(({ type }) => UNFIT.includes(type)))
  const types = isEveryUnfit ? [...REPAIRABLE, ...UNFIT] : REPAIRABLE
  return distinct(checked.flatMap((one) => one.errors).filter(({ type }) => types.includes(type)))
}

/** Each flaw once, however many contacts show it. */
function distinct(flaws: readonly FlawShown[]): FlawShown[] {
  return [...new Map(flaws.map((flaw) => [JSON.stringify(flaw), flaw])).values()]
}

/** An error that some contacts alone cause. */
function ofContact({ contact, errors }: Checked): FlawShown[] {
  return errors.map((error) => ({
    ...error,
    message: contact ? `${contactId(contact.id)}: ${error.message}` : error.message,
  }))
}

/** The proofs of a test, ready for the outbox: one a contact, or its HTML and its text alone. */
function proofsOf(
  { context, action, request, draft }: Test,
  contacts: readonly (ContactRow | null)[],
  { version, run }: { version: number; run: string },
): NewMessage[] {
  const now = context.clock.now()
  const startedAt = Date.parse(action.last_validation?.startedAt ?? '') || now
  const parts =
    request.textandHtml && draft.source.settings.contentFormat === 2 ? (['html', 'text'] as const) : [undefined]
  return contacts.flatMap((contact) =>
    parts.map(
      (part): NewMessage => ({
        account: action.account,
        lane: lanes.urgent,
        channel: draft.source.channel,
        kind: 'test',
        action: action.id,
        version,
        contact: contact?.id ?? null,
        address: request.mediaForTest,
        stamp: newStamp(run, now),
        request: part ? { part } : {},
        notBefore: new Date(now),
        expiresAt: new Date(startedAt + TEST_MS),
      }),
    ),
  )
}

/** Closes a test before anything was sent. */
async function close(
  { context, action }: Pick<Test, 'context' | 'action'>,
  result: 'repair' | 'failed',
  flaws: { errors: FlawShown[]; findings: FlawShown[] },
): Promise<void> {
  const validation = {
    result,
    endedAt: new Date(context.clock.now()).toISOString(),
    errors: cut(flaws.errors),
    findings: cut(flaws.findings),
  }
  await inTransaction(context.db, async (tx) => {
    const isOver = await conclude(tx, action, { from: 35, to: result === 'repair' ? 10 : 20, validation })
    if (isOver) await releaseTestSegments(tx, [action.id])
  })
}

/** Segments of tests that are over may be deleted again. */
export async function releaseTestSegments(db: Db, actions: readonly number[]): Promise<void> {
  await sql`delete from action_segments where action = any(${actions}::integer[]) and role = 'test'`.execute(db)
}

/** Freezes the content and puts the proofs into the outbox, in one transaction with the state. */
async function queueProofs(
  test: Test,
  contacts: readonly (ContactRow | null)[],
  flaws: { errors: FlawShown[]; findings: FlawShown[] },
): Promise<void> {
  const { context, action, draft, report } = test
  const now = new Date(context.clock.now())
  const run = uuidV7(now.getTime())
  await inTransaction(context.db, async (tx) => {
    const version = await freezeVersion(tx, action.account, draft.source, report.links, now)
    const proofs = proofsOf(test, contacts, { version, run })
    const isOn = await conclude(tx, action, {
      from: 35,
      to: 36,
      validation: { recipients: proofs.length, errors: cut(flaws.errors), findings: cut(flaws.findings) },
      test: { stamps: proofs.map(({ stamp }) => stamp.id) },
      changes: { version, run },
    })
    if (isOn) await queueMessages(tx, proofs, now)
  })
}

async function prepare(context: TestContext, action: StoredAction, request: TestRequest): Promise<void> {
  const draft = await draftOf(context, action, { variables: request.variables })
  const report = await context.renders.compile({ ...contentSourceOf(draft.source), analyse: request.campaignAnalyser })
  const test = { context, action, request, draft, report }
  const errors = [...draft.errors, ...report.errors]
  const dead = request.campaignAnalyser ? await findDeadLinks(report.links, reachOf(context.config.outgoingAllow)) : []
  const findings = [...draft.findings, ...report.findings, ...dead]
  if (errors.length > 0) return close(test, 'repair', { errors, findings })
  const contacts = await testContacts(context, action)
  const checked = await checkProofs(test, contacts)
  const flaws = {
    errors: distinct(checked.flatMap(ofContact)),
    findings: distinct([...findings, ...checked.flatMap((one) => one.findings)]),
  }
  const repairs = repairsOf(checked)
  if (repairs.length > 0) return close(test, 'repair', { ...flaws, errors: repairs })
  const sound = checked.filter((one) => one.errors.length === 0).map(({ contact }) => contact)
  if (contacts.length === 0)
    flaws.errors.push({ type: 'no-recipient', message: 'The test segments are empty.', part: null, position: null })
  if (sound.length === 0) return close(test, 'failed', flaws)
  await queueProofs(test, sound, flaws)
}

/**
 * Prepares the test of an action (actions.md 5.3): compiles its content, finds its contacts, and queues their proofs,
 * or closes the test. May run twice: it goes by the state and the number of the attempt.
 */
export async function runTest(context: TestContext, payload: Tasks['actions.test']): Promise<void> {
  const action = await takeUp(context.db, payload)
  const request = action?.last_validation?.test
  if (action && request) await prepare(context, action, request)
}
