import type { Db } from '../../../database/connection/connect.ts'
import type { Token } from '../../../lib/crypto/tokens.ts'
import { readActionId } from '../../../lib/ids.ts'
import type { StoredFields } from '../../contacts/fields/identity.ts'
import { lockByIds, writeContacts } from '../../contacts/records/write.ts'
import { loadShape } from '../../contacts/values/stored-shape.ts'
import type { HitVerdict } from '../../events/hits/classification.ts'
import { hit, type Link } from '../../events/hits/hit.ts'
import { recordEvents } from '../../events/record/effects.ts'
import {
  type AnswerFault,
  type Answers,
  prefilled,
  questionsOf,
  readAnswers,
  writeAnswers,
} from '../../forms/answers.ts'
import type { Form } from '../../forms/form-schemas.ts'
import { findForm } from '../../forms/forms.ts'
import type { AddressDetails } from '../hits/address-details.ts'
import { isRecent } from '../hits/age.ts'
import type { HitRecorder, Requester } from '../hits/hit-recorder.ts'
import { messageOf } from '../hits/hits.ts'
import { type Page, statusPage } from '../pages/pages.ts'
import { withTimeout } from '../unavailable.ts'
import type { VersionCache, VersionFacts } from '../version-cache.ts'
import { answeredPage, formPage, HONEYPOT_FIELD } from './form-html.ts'

/** Dependencies of the form page. */
export interface FormContext {
  db: Db
  versions: VersionCache
  addressDetails: AddressDetails
  recorder: Pick<HitRecorder, 'requestOf' | 'judge'>
}

/** The form of a link, or the page that says it was deleted. */
type OpenedForm = { version: VersionFacts; link: Extract<Link, { type: 'form' }>; form: Form } | { page: Page }

const NO_FAULTS: ReadonlyMap<number, AnswerFault> = new Map()

/** Undefined when the content of the message is unknown, or the link does not lead to a form. */
async function openForm(
  { db, versions }: FormContext,
  { account, version: id, link }: Token,
): Promise<OpenedForm | undefined> {
  const version = await versions.find(account, id)
  const { form: wireId, name = null } = version?.links.get(link) ?? {}
  if (!version || wireId == null) return undefined
  const form = await withTimeout(findForm(db, account, readActionId(wireId) ?? 0))
  if (!form) return { page: statusPage('formGone', version.language, version.accountName) }
  return { version, form, link: { type: 'form', id: link, name, form: wireId } }
}

/** The field values of the contact of a message; none for the reader of a copy, who is another person. */
async function valuesOf(db: Db, { account, contact, silent }: Token): Promise<StoredFields> {
  if (silent || contact === 0) return {}
  const row = db.selectFrom('contacts').select('fields').where('account', '=', account).where('id', '=', contact)
  return ((await row.executeTakeFirst())?.fields ?? {}) as StoredFields
}

/** The page with the empty or prefilled form; showing it writes nothing. Undefined when the link is not of a sent content. */
export async function showForm(context: FormContext, token: Token): Promise<Page | undefined> {
  const opened = await openForm(context, token)
  if (!opened || 'page' in opened) return opened?.page
  const { form, version } = opened
  const { db } = context
  const [shape, values] = await withTimeout(Promise.all([loadShape(db, token.account), valuesOf(db, token)]))
  const questions = questionsOf(form, shape)
  const { language, accountName: account } = version
  return formPage({
    form,
    questions,
    answers: prefilled(shape, questions, values),
    faults: NO_FAULTS,
    language,
    account,
  })
}

/** The answers among posted fields: those whose names are ids of fields. */
function answersIn(posted: readonly (readonly [string, string])[]): Answers {
  const named = posted.filter(([name]) => /^\d{1,10}$/.test(name))
  const byName = Map.groupBy(named, ([name]) => Number(name))
  return new Map([...byName].map(([id, entries]) => [id, entries.map(([, text]) => text)]))
}

/** Records that a form was posted, if its message is recent enough. */
async function recordHit(
  tx: Db,
  { addressDetails, recorder }: FormContext,
  { version, link }: Exclude<OpenedForm, { page: Page }>,
  { token, requester, verdict }: { token: Token; requester: Requester; verdict: HitVerdict },
): Promise<void> {
  const message = messageOf(token, version)
  const request = recorder.requestOf(token.account, requester)
  if (!(await isRecent(tx, message, request.time))) return
  await recordEvents(tx, [hit(message, link, request, { verdict, addressDetail: await addressDetails(token.account) })])
}

/**
 * Stores the answers of a form with the hit, in one transaction. A proof stores only its hit; a robot gets the same
 * page, but its answers are not stored. Undefined when the link is not of a sent content. Rejects when the answers
 * cannot be stored.
 */
export async function answerForm(
  context: FormContext,
  token: Token,
  posted: readonly (readonly [string, string])[],
  requester: Requester,
): Promise<Page | undefined> {
  const opened = await openForm(context, token)
  if (!opened || 'page' in opened) return opened?.page
  const { form, version } = opened
  const { language, accountName: account } = version
  if (token.silent) return statusPage('copyForm', language, account)
  const isRobot = posted.some(([name, text]) => name === HONEYPOT_FIELD && text.trim() !== '')
  const verdict = context.recorder.judge(requester, { type: 'form', honeypotFilled: isRobot })
  const answers = answersIn(posted)
  const refused = await writeContacts(context.db, token.account, async (tx, shape) => {
    if (!isRobot) {
      const [contact] = token.test ? [] : await lockByIds(tx, token.account, [token.contact])
      const questions = questionsOf(form, shape)
      const { patch, faults } = readAnswers(shape, questions, answers, contact?.fields ?? {})
      if (faults.size > 0) return formPage({ form, questions, answers, faults, language, account })
      const now = new Date(context.recorder.requestOf(token.account, requester).time)
      if (contact) await writeAnswers(tx, shape, { form, contact, patch }, now)
    }
    return recordHit(tx, context, opened, { token, requester, verdict })
  })
  return refused ?? answeredPage({ form, language, account })
}
