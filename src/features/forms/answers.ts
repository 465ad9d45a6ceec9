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

/** The red list origin of forms. */
const FORM_RED_LIST_ORIGIN = 3

/** Reads the questions of a form. A field that has since become part of the unicity is left out: a form cannot rename a contact. */
export function readFormQuestions({ fields }: FormResource, shape: ContactShape): FormQuestion[] {
  return fields.flatMap(({ field: id, ...questionSettings }) => {
    const field = shape.fields.find((candidate) => candidate.id === id)
    if (!field || field.isUnicity) return []
    const valueList = shape.lists.get(field.valueListId ?? 0)
    return { ...questionSettings, field, options: valueList?.values.map(({ value }) => value) ?? [] }
  })
}

/** Formats a stored value for the control of its field: a date without its time. */
function formatControlValue(shape: ContactShape, field: ContactFieldDefinition, values: StoredFields): string[] {
  const controlText = formatFieldValue(field.type, values[field.id], shape.labels(field))
  if (controlText === null) return []
  if (Array.isArray(controlText)) return controlText
  if (typeof controlText === 'number') return [formatPlainNumber(controlText)]
  return [field.type === 'date' ? controlText.slice(0, 'YYYY-MM-DD'.length) : controlText]
}

/** Initial values of the page: those of the contact for prefilled questions. */
export function prefillFormAnswers(
  shape: ContactShape,
  questions: readonly FormQuestion[],
  values: StoredFields,
): FormAnswers {
  const prefilledQuestions = questions.filter(({ prefill }) => prefill)
  return new Map(prefilledQuestions.map(({ field }) => [field.id, formatControlValue(shape, field, values)]))
}

/** An answer as it is to be written; undefined leaves the field alone. */
function parseAnswer(
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
  const isUntouched = field.type === 'date' && texts[0] === formatControlValue(shape, field, values)[0]
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
  const contactPatch: ContactPatch = {}
  const answerFaults = new Map<number, FormAnswerFault>()
  for (const question of questions) {
    const { id } = question.field
    const parsedAnswer = parseAnswer(shape, question, posted.get(id), values)
    if (parsedAnswer === undefined) continue
    if ('fault' in parsedAnswer) answerFaults.set(id, parsedAnswer.fault)
    else contactPatch[id] = parsedAnswer.ok
  }
  return { patch: contactPatch, faults: answerFaults }
}

/** Writes answers into a locked contact, which joins the form's segment and goes on its red lists. */
export async function writeFormAnswers(
  tx: Db,
  shape: ContactShape,
  { form, contact, patch }: { form: FormResource; contact: LockedContact; patch: ContactPatch },
  now: Date,
): Promise<void> {
  const { account } = shape
  const contactChange = computeContactChange(shape, contact, patch, 'keep')
  if (contactChange) await saveContactChanges(tx, shape, [contactChange], now)
  if (form.segment !== null) await joinSegment(tx, account, form.segment, [contact.id])
  const redListEntry = { at: now, origin: FORM_RED_LIST_ORIGIN, detail: { formId: form.id } }
  for (const channel of form.redList)
    await addToRedList(tx, account, channel, { contacts: [contact.id], entry: redListEntry })
}
