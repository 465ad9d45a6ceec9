import type { Db } from '../../database/connection/connect.ts'
import type { ContactFieldDefinition } from '../contacts/fields/field-schemas.ts'
import type { StoredFields } from '../contacts/fields/identity.ts'
import { computeContactChange, type LockedContact, saveContactChanges } from '../contacts/records/changes.ts'
import type { ContactPatch } from '../contacts/records/flat-map.ts'
import { addToRedList } from '../contacts/suppressions/red-list.ts'
import type { ContactShape } from '../contacts/values/contact-shape.ts'
import { isUncertainDate } from '../contacts/values/date-text.ts'
import { formatPlainNumber } from '../contacts/values/number-text.ts'
import { formatFieldValue, type ValueFaultKind, type ValueReading } from '../contacts/values/values.ts'
import { joinSegment } from '../segments/members/members.ts'
import type { FormField, FormResource } from './form-schemas.ts'

/** A field of a form with its definition; `options`: the labels of a list, in its order. */
export interface FormQuestion extends Omit<FormField, 'field'> {
  field: ContactFieldDefinition
  options: readonly string[]
}

/** The texts that each control shows, or that were posted from it; no entry: it was not posted. */
export type FormAnswers = ReadonlyMap<number, readonly string[]>

/** The fault of an answer. */
export type FormAnswerFault = ValueFaultKind | 'missing'

/** The red list origin of forms: `contacts.md` 2. */
const ORIGIN = 3

/** What a form asks. A field that has become part of the unicity since is not asked for: a form cannot rename a contact. */
export function readFormQuestions({ fields }: FormResource, shape: ContactShape): FormQuestion[] {
  return fields.flatMap(({ field: id, ...asked }) => {
    const field = shape.fields.find((candidate) => candidate.id === id)
    if (!field || field.isUnicity) return []
    const list = shape.lists.get(field.valueListId ?? 0)
    return { ...asked, field, options: list?.values.map(({ value }) => value) ?? [] }
  })
}

/** What the control of a field shows of a stored value: a date without its time. */
function shownIn(shape: ContactShape, field: ContactFieldDefinition, values: StoredFields): string[] {
  const shown = formatFieldValue(field.type, values[field.id], shape.labels(field))
  if (shown === null) return []
  if (Array.isArray(shown)) return shown
  if (typeof shown === 'number') return [formatPlainNumber(shown)]
  return [field.type === 'date' ? shown.slice(0, 'YYYY-MM-DD'.length) : shown]
}

/** What the page shows at first: the contact's values where a question asks for it. */
export function prefillFormAnswers(
  shape: ContactShape,
  questions: readonly FormQuestion[],
  values: StoredFields,
): FormAnswers {
  const asked = questions.filter(({ prefill }) => prefill)
  return new Map(asked.map(({ field }) => [field.id, shownIn(shape, field, values)]))
}

/** An answer as it is to be written; undefined leaves the field alone. */
function readAnswer(
  shape: ContactShape,
  { field, required, prefill }: FormQuestion,
  posted: readonly string[] | undefined,
  values: StoredFields,
): ValueReading | { fault: 'missing' | 'invalid-value' } | undefined {
  const isMultiple = field.type === 'multipleSelectList'
  const texts = (posted ?? []).map((text) => text.replaceAll('\r\n', '\n')).filter((text) => text.trim() !== '')
  if (texts.length === 0) {
    // A value that was not shown is not emptied; boxes that are all clear are not posted at all.
    const isEmptied = prefill && (posted !== undefined || isMultiple)
    if (required || (isEmptied && field.isMandatory)) return { fault: 'missing' }
    return isEmptied ? { ok: null } : undefined
  }
  const isUntouched = field.type === 'date' && texts[0] === shownIn(shape, field, values)[0]
  if (isUntouched) return undefined
  if (field.type === 'date' && isUncertainDate(texts[0]!.trim())) return { fault: 'invalid-value' }
  return shape.reader(field)(isMultiple ? texts : texts[0])
}

/** Reads what was posted as a write of the contact would. With a fault nothing is to be written. */
export function parseFormAnswers(
  shape: ContactShape,
  questions: readonly FormQuestion[],
  posted: FormAnswers,
  values: StoredFields,
): { patch: ContactPatch; faults: ReadonlyMap<number, FormAnswerFault> } {
  const patch: ContactPatch = {}
  const faults = new Map<number, FormAnswerFault>()
  for (const question of questions) {
    const { id } = question.field
    const reading = readAnswer(shape, question, posted.get(id), values)
    if (reading === undefined) continue
    if ('fault' in reading) faults.set(id, reading.fault)
    else patch[id] = reading.ok
  }
  return { patch, faults }
}

/** Writes answers into a locked contact, which joins the form's segment and goes on its red lists. */
export async function writeFormAnswers(
  tx: Db,
  shape: ContactShape,
  { form, contact, patch }: { form: FormResource; contact: LockedContact; patch: ContactPatch },
  now: Date,
): Promise<void> {
  const { account } = shape
  const change = computeContactChange(shape, contact, patch, 'keep')
  if (change) await saveContactChanges(tx, shape, [change], now)
  if (form.segment !== null) await joinSegment(tx, account, form.segment, [contact.id])
  const entry = { at: now, origin: ORIGIN, detail: { formId: form.id } }
  for (const channel of form.redList) await addToRedList(tx, account, channel, { contacts: [contact.id], entry })
}
