import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { conflictProblem, invalidRequestProblem, type ProblemFault } from '../../lib/errors/problem.ts'
import { parseResourceName } from '../../lib/text/names.ts'
import type { ContactFieldDefinition } from '../contacts/fields/field-schemas.ts'
import { loadContactDefinitions } from '../contacts/fields/stored-definitions.ts'
import { lockSegment } from '../segments/segments.ts'
import type { FormBody, FormField, FormResource, LocalizedFormText } from './form-schemas.ts'
import { type FormTextName, formLabelRule, formTextRules, parseFormTexts } from './form-texts.ts'

const NAME_LENGTH = 100

/** The members of a form that a client sets. */
export type FormDefinition = Omit<FormResource, 'id' | 'creationDate' | 'updateDate'>

/** The texts of a form that are not given. */
function standardTexts(name: string): Record<FormTextName, LocalizedFormText> {
  return {
    title: { en: name, fr: name },
    introduction: { en: '', fr: '' },
    submitLabel: { en: 'Send', fr: 'Envoyer' },
    successMessage: { en: 'Thank you: your answers were recorded.', fr: 'Merci, vos réponses ont été enregistrées.' },
  }
}

type GivenField = NonNullable<FormBody['fields']>[number]

function readFormField(
  given: GivenField,
  pointer: string,
  known: ContactFieldDefinition,
  faults: ProblemFault[],
): FormField {
  const label = given.label ?? { en: known.name, fr: known.name }
  return {
    field: given.field,
    label: parseFormTexts(label, formLabelRule, `${pointer}/label`, faults),
    required: given.required ?? false,
    prefill: given.prefill ?? false,
  }
}

function readFormFields(
  given: readonly GivenField[],
  fields: readonly ContactFieldDefinition[],
  faults: ProblemFault[],
): FormField[] {
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
function refuseUnicity(given: readonly GivenField[], fields: readonly ContactFieldDefinition[]): void {
  const unicity = fields.find((field) => field.isUnicity && given.some((one) => one.field === field.id))
  if (unicity)
    throw conflictProblem(
      'field-unicity',
      `"${unicity.name}" (${unicity.id}) is a unicity field: a form cannot write it.`,
    )
}

/** Throws notFound, conflict `segment-dynamic`; locks the segment to the end of the transaction. */
async function refuseSegment(tx: Db, account: AccountId, segment: number): Promise<void> {
  const { type } = await lockSegment(tx, account, segment)
  if (type === 'dynamic')
    throw conflictProblem('segment-dynamic', `Segment ${segment} is dynamic: its members follow from its criteria.`)
}

/**
 * What a body makes of a form, of a new one when `stored` is undefined. Throws 400 with every fault, notFound and
 * conflict `segment-dynamic` for the segment, conflict `field-unicity`.
 */
export async function parseFormBody(
  tx: Db,
  account: AccountId,
  body: FormBody,
  stored: FormDefinition | undefined,
): Promise<FormDefinition> {
  const name = stored && body.name === undefined ? stored.name : parseResourceName(body.name, NAME_LENGTH)
  const { fields } = await loadContactDefinitions(tx, account)
  const faults: ProblemFault[] = []
  const standard = stored ?? standardTexts(name)
  const textOf = (member: FormTextName): LocalizedFormText => {
    const given = body[member]
    return given == null ? standard[member] : parseFormTexts(given, formTextRules[member], `/${member}`, faults)
  }
  if (body.fields === undefined && stored === undefined) faults.push({ pointer: '/fields', detail: 'is required' })
  const content: FormDefinition = {
    name,
    title: textOf('title'),
    introduction: textOf('introduction'),
    submitLabel: textOf('submitLabel'),
    successMessage: textOf('successMessage'),
    fields: body.fields ? readFormFields(body.fields, fields, faults) : (stored?.fields ?? []),
    segment: body.segment === undefined ? (stored?.segment ?? null) : body.segment,
    redList: body.redList ? [...new Set(body.redList)].sort() : (stored?.redList ?? []),
  }
  if (faults.length > 0) throw invalidRequestProblem(faults)
  refuseUnicity(body.fields ?? [], fields)
  if (content.segment !== null && content.segment !== stored?.segment) await refuseSegment(tx, account, content.segment)
  return content
}
