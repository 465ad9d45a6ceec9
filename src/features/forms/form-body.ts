import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { conflictProblem, invalidRequestProblem, type ProblemFault } from '../../lib/errors/problem.ts'
import { parseResourceName } from '../../lib/text/names.ts'
import type { ContactFieldDefinition } from '../contacts/fields/field-schemas.ts'
import { loadContactDefinitions } from '../contacts/fields/stored-definitions.ts'
import { lockSegment } from '../segments/segments.ts'
import type { FormBody, FormField, FormResource, LocalizedFormText } from './form-schemas.ts'
import { type FormTextName, formLabelRule, formTextRules, parseFormTexts } from './form-texts.ts'

const MAX_NAME_LENGTH = 100

/** The members of a form that a client sets. */
export type FormDefinition = Omit<FormResource, 'id' | 'creationDate' | 'updateDate'>

/** The texts of a form that are not given. */
function buildDefaultTexts(name: string): Record<FormTextName, LocalizedFormText> {
  return {
    title: { en: name, fr: name },
    introduction: { en: '', fr: '' },
    submitLabel: { en: 'Send', fr: 'Envoyer' },
    successMessage: { en: 'Thank you: your answers were recorded.', fr: 'Merci, vos réponses ont été enregistrées.' },
  }
}

type FormFieldInput = NonNullable<FormBody['fields']>[number]

function parseFormField(
  fieldInput: FormFieldInput,
  pointer: string,
  definition: ContactFieldDefinition,
  faults: ProblemFault[],
): FormField {
  const label = fieldInput.label ?? { en: definition.name, fr: definition.name }
  return {
    field: fieldInput.field,
    label: parseFormTexts(label, formLabelRule, `${pointer}/label`, faults),
    required: fieldInput.required ?? false,
    prefill: fieldInput.prefill ?? false,
  }
}

function parseFormFields(
  fieldInputs: readonly FormFieldInput[],
  fields: readonly ContactFieldDefinition[],
  faults: ProblemFault[],
): FormField[] {
  return fieldInputs.flatMap((fieldInput, index) => {
    const pointer = `/fields/${index}`
    const definition = fields.find(({ id }) => id === fieldInput.field)
    if (!definition) faults.push({ pointer: `${pointer}/field`, detail: `there is no field ${fieldInput.field}` })
    if (fieldInputs.findIndex(({ field }) => field === fieldInput.field) < index)
      faults.push({ pointer: `${pointer}/field`, detail: `field ${fieldInput.field} is already in the form` })
    return definition ? parseFormField(fieldInput, pointer, definition, faults) : []
  })
}

/** Throws conflict `field-unicity` for a form that would write a unicity field. */
function assertNoUnicityField(fieldInputs: readonly FormFieldInput[], fields: readonly ContactFieldDefinition[]): void {
  const unicityField = fields.find(
    (field) => field.isUnicity && fieldInputs.some((fieldInput) => fieldInput.field === field.id),
  )
  if (unicityField)
    throw conflictProblem(
      'field-unicity',
      `"${unicityField.name}" (${unicityField.id}) is a unicity field: a form cannot write it.`,
    )
}

/** Throws notFound, conflict `segment-dynamic`; locks the segment to the end of the transaction. */
async function assertStaticSegment(tx: Db, account: AccountId, segment: number): Promise<void> {
  const { type } = await lockSegment(tx, account, segment)
  if (type === 'dynamic')
    throw conflictProblem('segment-dynamic', `Segment ${segment} is dynamic: its members follow from its criteria.`)
}

/**
 * Parses a body into a form, a new one if `storedForm` is undefined. Throws 400 with every fault, notFound and conflict `segment-dynamic` for
 * the segment, conflict `field-unicity`.
 */
export async function parseFormBody(
  tx: Db,
  account: AccountId,
  body: FormBody,
  storedForm: FormDefinition | undefined,
): Promise<FormDefinition> {
  const name = storedForm && body.name === undefined ? storedForm.name : parseResourceName(body.name, MAX_NAME_LENGTH)
  const { fields } = await loadContactDefinitions(tx, account)
  const bodyFaults: ProblemFault[] = []
  const defaultTexts = storedForm ?? buildDefaultTexts(name)
  const resolveText = (member: FormTextName): LocalizedFormText => {
    const textInput = body[member]
    return textInput == null
      ? defaultTexts[member]
      : parseFormTexts(textInput, formTextRules[member], `/${member}`, bodyFaults)
  }
  if (body.fields === undefined && storedForm === undefined)
    bodyFaults.push({ pointer: '/fields', detail: 'is required' })
  const content: FormDefinition = {
    name,
    title: resolveText('title'),
    introduction: resolveText('introduction'),
    submitLabel: resolveText('submitLabel'),
    successMessage: resolveText('successMessage'),
    fields: body.fields ? parseFormFields(body.fields, fields, bodyFaults) : (storedForm?.fields ?? []),
    segment: body.segment === undefined ? (storedForm?.segment ?? null) : body.segment,
    redList: body.redList ? [...new Set(body.redList)].sort() : (storedForm?.redList ?? []),
  }
  if (bodyFaults.length > 0) throw invalidRequestProblem(bodyFaults)
  assertNoUnicityField(body.fields ?? [], fields)
  if (content.segment !== null && content.segment !== storedForm?.segment)
    await assertStaticSegment(tx, account, content.segment)
  return content
}
