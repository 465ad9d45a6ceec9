import { badRequestProblem, invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { foldUnicodeCase } from '../../../lib/text/fold.ts'
import { parseResourceName } from '../../../lib/text/names.ts'
import { findConstraintFault } from './constraints.ts'
import {
  type ContactFieldDefinition,
  type FieldBody,
  type FieldConstraint,
  type FieldType,
  fieldTypes,
} from './field-schemas.ts'

const MAX_NAME_LENGTH = 100

interface FieldTypeTraits {
  /** True if the type can be part of the key. */
  unicity: boolean
  /** True if values are labels of a value list. */
  list: boolean
  /** isCriterion of a field that does not say. */
  criterion: boolean
}

const plainTypeTraits: FieldTypeTraits = { unicity: true, list: false, criterion: true }
const listTypeTraits: FieldTypeTraits = { unicity: false, list: true, criterion: true }

const traitsByType: Record<FieldType, FieldTypeTraits> = {
  email: plainTypeTraits,
  phone: plainTypeTraits,
  textField: plainTypeTraits,
  textArea: { unicity: false, list: false, criterion: false },
  numeric: plainTypeTraits,
  date: plainTypeTraits,
  singleSelectList: listTypeTraits,
  multipleSelectList: listTypeTraits,
}

/** The faults of a field as such; whether its value list exists is not checked. */
function findFieldFaults(field: Omit<ContactFieldDefinition, 'id'>): ProblemFault[] {
  const { unicity: canBeUnicity, list: hasList } = traitsByType[field.type]
  const constraint = field.constraint && findConstraintFault(field.type, field.constraint)
  const fieldChecks: [boolean, string, string][] = [
    [/^\d+$/.test(field.name), '/name', 'must not consist of digits only: it would be read as an id'],
    [field.isUnicity && !canBeUnicity, '/isUnicity', `must be false for a field of type ${field.type}`],
    [hasList && field.valueListId === undefined, '/valueListId', `is required for a field of type ${field.type}`],
    [
      !hasList && field.valueListId !== undefined,
      '/valueListId',
      `must be absent or null for a field of type ${field.type}`,
    ],
    [constraint !== undefined, '/constraint', constraint ?? ''],
  ]
  return fieldChecks.flatMap(([isFault, pointer, detail]) => (isFault ? [{ pointer, detail }] : []))
}

function requireValidField<Checked extends Omit<ContactFieldDefinition, 'id'>>(field: Checked): Checked {
  const fieldFaults = findFieldFaults(field)
  if (fieldFaults.length > 0) throw invalidRequestProblem(fieldFaults)
  return field
}

/** Operator 0 compares with nothing, and typed clients then leave the value out; null is no constraint. */
function parseFieldConstraint(constraintBody: FieldBody['constraint']): FieldConstraint | undefined {
  return constraintBody ? { operator: constraintBody.operator, value: constraintBody.value ?? '' } : undefined
}

/** The field a body asks for, with its defaults. Throws 400 with every fault. */
export function buildNewField(body: FieldBody): Omit<ContactFieldDefinition, 'id'> {
  if (body.type === undefined) throw badRequestProblem('/type', `is required: one of ${fieldTypes.join(', ')}`)
  const isUnicity = body.isUnicity ?? false
  return requireValidField({
    type: body.type,
    name: parseResourceName(body.name, MAX_NAME_LENGTH),
    isUnicity,
    isMandatory: isUnicity || (body.isMandatory ?? false),
    isCriterion: body.isCriterion ?? traitsByType[body.type].criterion,
    constraint: parseFieldConstraint(body.constraint),
    // Typed clients send 0 for an id that is not set.
    valueListId: body.valueListId || undefined,
  })
}

/**
 * A stored field after a change; a type without list drops the list it had. Flags and a list that are null are not given,
 * nor is a list 0. Throws 400 with every fault.
 */
export function buildChangedField(storedField: ContactFieldDefinition, change: FieldBody): ContactFieldDefinition {
  const type = change.type ?? storedField.type
  const isUnicity = change.isUnicity ?? storedField.isUnicity
  const retainedListId = traitsByType[type].list ? storedField.valueListId : undefined
  return requireValidField({
    type,
    id: storedField.id,
    name: change.name === undefined ? storedField.name : parseResourceName(change.name, MAX_NAME_LENGTH),
    isUnicity,
    isMandatory: isUnicity || (change.isMandatory ?? storedField.isMandatory),
    isCriterion: change.isCriterion ?? storedField.isCriterion,
    constraint: change.constraint === undefined ? storedField.constraint : parseFieldConstraint(change.constraint),
    valueListId: change.valueListId || retainedListId,
  })
}

/** A field as the columns of its table. */
export function toFieldColumns(field: Omit<ContactFieldDefinition, 'id'>) {
  return {
    type: field.type,
    name: field.name,
    name_folded: foldUnicodeCase(field.name),
    is_unicity: field.isUnicity,
    is_mandatory: field.isMandatory,
    is_criterion: field.isCriterion,
    constraint_operator: field.constraint?.operator ?? null,
    constraint_value: field.constraint?.value ?? null,
    value_list: field.valueListId ?? null,
  }
}
