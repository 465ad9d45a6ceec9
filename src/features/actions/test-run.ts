import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connect.ts'
import type { Tasks } from '../../jobs/enqueue.ts'
import { contactId, uuidV7 } from '../../lib/ids.ts'
import type { ContactRow } from '../messages/facts.ts'
import { openMaterials } from '../messages/materials.ts'
import { lanes, type NewMessage, queueMessages, type Stamp } from '../messages/outbox.ts'
import { contentSourceOf, freezeVersion } from '../messages/version.ts'
import type { ContentReport } from '../rendering/content.ts'
import { audienceSql } from '../segments/audience.ts'
import type { FlawShown } from './action-schemas.ts'
import { conclude, cut } from './conclusion.ts'
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
async function testContacts(db: Db, { account, test_segments }: StoredAction): Promise<(ContactRow | null)[]> {
  if (test_segments.length === 0) return [null]
  const audience = await audienceSql(db, account, { selected: test_segments, excluded: [] })
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
async function checkProofs({ context, action, draft, report }: Test, contacts: readonly (ContactRow | null)[]): Promise<Checked[]> {
  const { clock, db, renders, tokens } = context
  const { valuesOf } = await openMaterials(db, clock).account(action.account)
  const source = contentSourceOf(draft.source)
  const now = clock.now()
  const checked: Checked[] = []
  for (const contact of contacts) {
    const values = { contact: contact && valuesOf(contact), related: null, data: {}, variables: {}, blocks: [], stamp: newStamp(uuidV7(now), now) }
    const links = { key: tokens.signing(action.account), account: action.account, version: null, contact: contact?.id ?? null }
    const rendered = await renders.render(source, {
      mode: 'proof',
      scope: scopeOf(draft.source, values, now),
      links: linksOf(draft.source, values, links),
      zone: draft.source.settings.timeZone,
      pixel: true,
      strict: true,
    })
    const errors = rendered.outcome === 'failed' ? rendered.errors : []
    checked.push({ contact, errors, findings: rendered.outcome === 'cancelled' ? [] : rendered.findings })
  }
  return checked.map((one) => ({ ...one, findings: report.findings.length > 100 ? [] : one.findings }))
}
