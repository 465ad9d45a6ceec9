import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { conflict, type Fault, invalid } from '../../lib/errors/problem.ts'
import { readName } from '../../lib/text/names.ts'
import type { Field } from '../contacts/fields/field-schemas.ts'
import { loadFields } from '../contacts/fields/stored-definitions.ts'
import { lockSegment } from '../segments/segments.ts'
import type { Form, FormBody, FormField, Texts } from './form-schemas.ts'
import { labelRule, readTexts, type TextName, textRules } from './form-texts.ts'

const NAME_LENGTH = 100

/** The members of a form that a client sets. */
export type FormContent = Omit<Form, 'id' | 'creationDate' | 'updateDate'>

/** The texts of a form that are not given. */
function standardTexts(name: string): Record<TextName, Texts> {
  return {
    title: { en: name, fr: name },
    introduction: { en: '', fr: '' },
    submitLabel: { en: 'Send', fr: 'Envoyer' },
    successMessage: { en: 'Thank you: your answers were recorded.', fr: 'Merci, vos réponses ont été enregistrées.' },
  }
}

type GivenField = NonNullable<FormBody['fields']>[number]

function readFormField(given: GivenField, pointer: string, known: Field, faults: Fault[]): FormField {
  const label = given.label ?? { en: known.name, fr: known.name }
  return {
    field: given.field,
    label: readTexts(label, labelRule, `${pointer}/label`, faults),
    required: given.required ?? false,
    prefill: given.prefill ?? false,
  }
}

function readFormFields(given: readonly GivenField[], fields: readonly Field[], faults: Fault[]): FormField[] {
  return given.flatMap((one, index) => {
    const pointer = `/fields/${index}`
    const known = fields.find(({ id }) => id === one.field)
    if (!known) faults.push({ pointer: `${pointer}/field`, detail: `there is no field ${one.field}` })
    if (given.findIndex(({ field }) => field === one.field) < index)
      faults.push({ pointer: `${pointer}/field`, detail: `field ${one.field} is in the form already` })
    return known ? readFormField(one, pointer, known, faults) : []
  })
}

/** Throws conflict `field-unicity` for a form that would write a unicity field. */
function refuseUnicity(given: readonly GivenField[], fields: readonly Field[]): void {
  const unicity = fields.find((field) => field.isUnicity && given.some((one) => one.field === field.id))
  if (unicity)
    throw conflict('field-unicity', `"${unicity.name}" (${unicity.id}) is a unicity field: a form cannot write it.`)
}

/** Throws notFound, conflict `segment-dynamic`; locks the segment to the end of the transaction. */
async function refuseSegment(tx: Db, account: AccountId, segment: number): Promise<void> {
  const { type } = await lockSegment(tx, account, segment)
  if (type === 'dynamic')
    throw conflict('segment-dynamic', `Segment ${segment} is dynamic: its members follow from its criteria.`)
}

/**
 * What a body makes of a form, of a new one when `stored` is undefined. Throws 400 with every fault, notFound and
 * conflict `segment-dynamic` for the segment, conflict `field-unicity`.
 */
export async function readFormBody(
  tx: Db,
  account: AccountId,
  body: FormBody,
  stored: FormContent | undefined,
): Promise<FormContent> {
  const name = stored && body.name === undefined ? stored.name : readName(body.name, NAME_LENGTH)
  const { fields } = await loadFields(tx, account)
  const faults: Fault[] = []
  const standard = stored ?? standardTexts(name)
  const textOf = (member: TextName): Texts => {
    const given = body[member]
    return given == null ? standard[member] : readTexts(given, textRules[member], `/${member}`, faults)
  }
  if (body.fields === undefined && stored === undefined) faults.push({ pointer: '/fields', detail: 'is required' })
  const content: FormContent = {
    name,
    title: textOf('title'),
    introduction: textOf('introduction'),
    submitLabel: textOf('submitLabel'),
    successMessage: textOf('successMessage'),
    fields: body.fields ? readFormFields(body.fields, fields, faults) : (stored?.fields ?? []),
    segment: body.segment === undefined ? (stored?.segment ?? null) : body.segment,
    redList: body.redList ? [...new Set(body.redList)].sort() : (stored?.redList ?? []),
  }
  if (faults.length > 0) throw invalid(faults)
  refuseUnicity(body.fields ?? [], fields)
  if (content.segment !== null && content.segment !== stored?.segment) await refuseSegment(tx, account, content.segment)
  return content
}
