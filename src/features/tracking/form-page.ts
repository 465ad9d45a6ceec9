import type { Db } from '../../database/connect.ts'
import { readActionId } from '../../lib/ids.ts'
import type { Token } from '../../lib/tokens.ts'
import { loadShape } from '../contacts/shape.ts'
import { lockByIds, writeContacts } from '../contacts/write.ts'
import type { HitVerdict } from '../events/classification.ts'
import { recordEvents } from '../events/effects.ts'
import { hit, type Link } from '../events/record.ts'
import type { StoredFields } from '../fields/identity.ts'
import { type AnswerFault, type Answers, prefilled, questionsOf, readAnswers, writeAnswers } from '../forms/answers.ts'
import type { Form } from '../forms/form-schemas.ts'
import { findForm } from '../forms/forms.ts'
import type { AddressDetails } from './address-details.ts'
import { isRecent } from './age.ts'
import { soon } from './away.ts'
import { answeredPage, formPage, TRAP } from './form-html.ts'
import { messageOf } from './hits.ts'
import { noticePage, type Page } from './pages.ts'
import type { Recording, Seen } from './recording.ts'
import type { VersionCache, VersionFacts } from './version-cache.ts'

/** What the page of a form is made with. */
export interface Answering {
  db: Db
  versions: VersionCache
  addressDetails: AddressDetails
  recording: Pick<Recording, 'requestOf' | 'judge'>
}

/** The form a link leads to, or the page that says it is gone. */
type Opened = { version: VersionFacts; link: Extract<Link, { type: 'form' }>; form: Form } | { page: Page }

const NO_FAULTS: ReadonlyMap<number, AnswerFault> = new Map()

/** Undefined when the content of the message is not known, or the link is none to a form. */
async function openForm(
  { db, versions }: Answering,
  { account, version: id, link }: Token,
): Promise<Opened | undefined> {
  const version = await versions.find(account, id)
  const { form: wireId, name = null } = version?.links.get(link) ?? {}
  if (!version || wireId == null) return undefined
  const form = await soon(findForm(db, account, readActionId(wireId) ?? 0))
  if (!form) return { page: noticePage('formGone', version.language, version.accountName) }
  return { version, form, link: { type: 'form', id: link, name, form: wireId } }
}

/** What the contact of a message has. Nothing for the reader of a copy, who is somebody else. */
async function valuesOf(db: Db, { account, contact, silent }: Token): Promise<StoredFields> {
  if (silent || contact === 0) return {}
  const row = db.selectFrom('contacts').select('fields').where('account', '=', account).where('id', '=', contact)
  return ((await row.executeTakeFirst())?.fields ?? {}) as StoredFields
}

/** The page that asks; showing it writes nothing. Undefined when the link is none of a sent content. */
export async function askForm(answering: Answering, token: Token): Promise<Page | undefined> {
  const opened = await openForm(answering, token)
  if (!opened || 'page' in opened) return opened?.page
  const { form, version } = opened
  const { db } = answering
  const [shape, values] = await soon(Promise.all([loadShape(db, token.account), valuesOf(db, token)]))
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

/** Records that a form was posted, when its message is recent enough. */
async function recordHit(
  tx: Db,
  { addressDetails, recording }: Answering,
  { version, link }: Exclude<Opened, { page: Page }>,
  { token, seen, verdict }: { token: Token; seen: Seen; verdict: HitVerdict },
): Promise<void> {
  const message = messageOf(token, version)
  const request = recording.requestOf(token.account, seen)
  if (!(await isRecent(tx, message, request.time))) return
  await recordEvents(tx, [hit(message, link, request, { verdict, addressDetail: await addressDetails(token.account) })])
}

/**
 * Takes the answers of a form: all of them with the hit, in one transaction, or none. A proof writes only its hit; a
 * form that a robot filled in is answered alike. Undefined when the link is none of a sent content. Rejects when the
 * answers cannot be stored.
 */
export async function answerForm(
  answering: Answering,
  token: Token,
  posted: readonly (readonly [string, string])[],
  seen: Seen,
): Promise<Page | undefined> {
  const opened = await openForm(answering, token)
  if (!opened || 'page' in opened) return opened?.page
  const { form, version } = opened
  const { language, accountName: account } = version
  if (token.silent) return noticePage('copyForm', language, account)
  const isTrapped = posted.some(([name, text]) => name === TRAP && text.trim() !== '')
  const verdict = answering.recording.judge(seen, { type: 'form', honeypotFilled: isTrapped })
  const answers = answersIn(posted)
  const refused = await writeContacts(answering.db, token.account, async (tx, shape) => {
    if (!isTrapped) {
      const [contact] = token.test ? [] : await lockByIds(tx, token.account, [token.contact])
      const questions = questionsOf(form, shape)
      const { patch, faults } = readAnswers(shape, questions, answers, contact?.fields ?? {})
      if (faults.size > 0) return formPage({ form, questions, answers, faults, language, account })
      const now = new Date(answering.recording.requestOf(token.account, seen).time)
      if (contact) await writeAnswers(tx, shape, { form, contact, patch }, now)
    }
    return recordHit(tx, answering, opened, { token, seen, verdict })
  })
  return refused ?? answeredPage({ form, language, account })
}
