import type { Db } from '../../../database/connection/connect.ts'
import type { MessageLinkToken } from '../../../lib/crypto/tokens.ts'
import { parseActionId } from '../../../lib/ids.ts'
import type { StoredFields } from '../../contacts/fields/identity.ts'
import { lockContactsByIds, runContactWrite } from '../../contacts/records/write.ts'
import { loadContactShape } from '../../contacts/values/stored-shape.ts'
import type { HitVerdict } from '../../events/hits/classification.ts'
import { createHitEvent, type FollowedLink } from '../../events/hits/hit.ts'
import { recordEvents } from '../../events/record/effects.ts'
import {
  type FormAnswerFault,
  type FormAnswers,
  parseFormAnswers,
  prefillFormAnswers,
  readFormQuestions,
  writeFormAnswers,
} from '../../forms/answers.ts'
import type { FormResource } from '../../forms/form-schemas.ts'
import { findForm } from '../../forms/forms.ts'
import type { AddressDetailCache } from '../hits/address-details.ts'
import { isRecentMessage } from '../hits/age.ts'
import type { HitRecorder, HitRequester } from '../hits/hit-recorder.ts'
import { toHitMessage } from '../hits/hits.ts'
import { type RecipientPage, renderStatusPage } from '../pages/pages.ts'
import { withDatabaseTimeout } from '../unavailable.ts'
import type { ContentVersionCache, TrackedContentVersion } from '../version-cache.ts'
import { FORM_HONEYPOT_FIELD, renderAnsweredPage, renderFormPage } from './form-html.ts'

/** Dependencies of the form page. */
export interface FormPageContext {
  db: Db
  versions: ContentVersionCache
  addressDetails: AddressDetailCache
  recorder: Pick<HitRecorder, 'requestOf' | 'judge'>
}

/** The form of a link, or the page that says it was deleted. */
type FormOrPage =
  | { version: TrackedContentVersion; link: Extract<FollowedLink, { type: 'form' }>; form: FormResource }
  | { page: RecipientPage }

const NO_FAULTS: ReadonlyMap<number, FormAnswerFault> = new Map()

/** Undefined when the content of the message is unknown, or the link does not lead to a form. */
async function loadForm(
  { db, versions }: FormPageContext,
  { account, version: id, link }: MessageLinkToken,
): Promise<FormOrPage | undefined> {
  const version = await versions.find(account, id)
  const { form: wireId, name = null } = version?.links.get(link) ?? {}
  if (!version || wireId == null) return undefined
  const form = await withDatabaseTimeout(findForm(db, account, parseActionId(wireId) ?? 0))
  if (!form) return { page: renderStatusPage('formGone', version.language, version.accountName) }
  return { version, form, link: { type: 'form', id: link, name, form: wireId } }
}

/** The field values of the contact of a message; none for the reader of a copy, who is another person. */
async function loadFieldValues(db: Db, { account, contact, silent }: MessageLinkToken): Promise<StoredFields> {
  if (silent || contact === 0) return {}
  const row = db.selectFrom('contacts').select('fields').where('account', '=', account).where('id', '=', contact)
  return ((await row.executeTakeFirst())?.fields ?? {}) as StoredFields
}

/** The page with the empty or prefilled form; showing it writes nothing. Undefined when the link is not of a sent content. */
export async function renderInitialForm(
  context: FormPageContext,
  token: MessageLinkToken,
): Promise<RecipientPage | undefined> {
  const loadedForm = await loadForm(context, token)
  if (!loadedForm || 'page' in loadedForm) return loadedForm?.page
  const { form, version } = loadedForm
  const { db } = context
  const [shape, values] = await withDatabaseTimeout(
    Promise.all([loadContactShape(db, token.account), loadFieldValues(db, token)]),
  )
  const questions = readFormQuestions(form, shape)
  const { language, accountName: account } = version
  return renderFormPage({
    form,
    questions,
    answers: prefillFormAnswers(shape, questions, values),
    faults: NO_FAULTS,
    language,
    account,
  })
}

/** The answers among posted fields: those whose names are ids of fields. */
function parseAnswers(posted: readonly (readonly [string, string])[]): FormAnswers {
  const namedFields = posted.filter(([name]) => /^\d{1,10}$/.test(name))
  const byName = Map.groupBy(namedFields, ([name]) => Number(name))
  return new Map([...byName].map(([id, entries]) => [id, entries.map(([, text]) => text)]))
}

/** Records that a form was posted, if its message is recent enough. */
async function recordFormHit(
  tx: Db,
  { addressDetails, recorder }: FormPageContext,
  { version, link }: Exclude<FormOrPage, { page: RecipientPage }>,
  { token, requester, verdict }: { token: MessageLinkToken; requester: HitRequester; verdict: HitVerdict },
): Promise<void> {
  const message = toHitMessage(token, version)
  const request = recorder.requestOf(token.account, requester)
  if (!(await isRecentMessage(tx, message, request.time))) return
  await recordEvents(tx, [
    createHitEvent(message, link, request, { verdict, addressDetail: await addressDetails(token.account) }),
  ])
}

/**
 * Stores the answers of a form with the hit, in one transaction. A proof stores only its hit; a robot gets the same
 * page, but its answers are not stored. Undefined when the link is not of a sent content. Rejects when the answers
 * cannot be stored.
 */
export async function submitForm(
  context: FormPageContext,
  token: MessageLinkToken,
  posted: readonly (readonly [string, string])[],
  requester: HitRequester,
): Promise<RecipientPage | undefined> {
  const loadedForm = await loadForm(context, token)
  if (!loadedForm || 'page' in loadedForm) return loadedForm?.page
  const { form, version } = loadedForm
  const { language, accountName: account } = version
  if (token.silent) return renderStatusPage('copyForm', language, account)
  const isRobot = posted.some(([name, text]) => name === FORM_HONEYPOT_FIELD && text.trim() !== '')
  const verdict = context.recorder.judge(requester, { type: 'form', honeypotFilled: isRobot })
  const answers = parseAnswers(posted)
  const faultPage = await runContactWrite(context.db, token.account, async (tx, shape) => {
    if (!isRobot) {
      const [contact] = token.test ? [] : await lockContactsByIds(tx, token.account, [token.contact])
      const questions = readFormQuestions(form, shape)
      const { patch, faults } = parseFormAnswers(shape, questions, answers, contact?.fields ?? {})
      if (faults.size > 0) return renderFormPage({ form, questions, answers, faults, language, account })
      const now = new Date(context.recorder.requestOf(token.account, requester).time)
      if (contact) await writeFormAnswers(tx, shape, { form, contact, patch }, now)
    }
    return recordFormHit(tx, context, loadedForm, { token, requester, verdict })
  })
  return faultPage ?? renderAnsweredPage({ form, language, account })
}
