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

interface Traits {
  /** Whether the type can be part of the key. */
  unicity: boolean
  /** Whether values are labels of a value list. */
  list: boolean
  /** isCriterion of a field that does not say. */
  criterion: boolean
}

const plain: Traits = { unicity: true, list: false, criterion: true }
const list: Traits = { unicity: false, list: true, criterion: true }

const traits: Record<FieldType, Traits> = {
  email: plain,
  phone: plain,
  textField: plain,
  textArea: { unicity: false, list: false, criterion: false },
  numeric: plain,
  date: plain,
  singleSelectList: list,
  multipleSelectList: list,
}

/** The faults of a field as such; whether its value list exists is not checked. */
function faultsOf(field: Omit<ContactFieldDefinition, 'id'>): ProblemFault[] {
  const { unicity, list } = traits[field.type]
  const constraint = field.constraint && findConstraintFault(field.type, field.constraint)
  const checks: [boolean, string, string][] = [
    [/^\d+$/.test(field.name), '/name', 'must not be digits only: they would read as an id'],
    [field.isUnicity && !unicity, '/isUnicity', `must be false for a field of type ${field.type}`],
    [list && field.valueListId === undefined, '/valueListId', `is required for a field of type ${field.type}`],
    [
      !list && field.valueListId !== undefined,
      '/valueListId',
      `must be absent or null for a field of type ${field.type}`,
    ],
    [constraint !== undefined, '/constraint', constraint ?? ''],
  ]
  return checks.flatMap(([isFault, pointer, detail]) => (isFault ? [{ pointer, detail }] : []))
}

function checked<Checked extends Omit<ContactFieldDefinition, 'id'>>(field: Checked): Checked {
  const faults = faultsOf(field)
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return field
}

/** Operator 0 compares with nothing, and typed clients then leave the value out; null is no constraint. */
function readConstraint(given: FieldBody['constraint']): FieldConstraint | undefined {
  return given ? { operator: given.operator, value: given.value ?? '' } : undefined
}

/** The field a body asks for, with its defaults. Throws 400 with every fault. */
export function buildNewField(body: FieldBody): Omit<ContactFieldDefinition, 'id'> {
  if (body.type === undefined) throw badRequestProblem('/type', `is required: one of ${fieldTypes.join(', ')}`)
  const isUnicity = body.isUnicity ?? false
  return checked({
    type: body.type,
    name: parseResourceName(body.name, MAX_NAME_LENGTH),
    isUnicity,
    isMandatory: isUnicity || (body.isMandatory ?? false),
    isCriterion: body.isCriterion ?? traits[body.type].criterion,
    constraint: readConstraint(body.constraint),
    // Typed clients send 0 for an id that is not set.
    valueListId: body.valueListId || undefined,
  })
}

/**
 * A stored field after a change; a type without list drops the list it had. Flags and a list that are null are not given,
 * nor is a list 0. Throws 400 with every fault.
 */
export function buildChangedField(stored: ContactFieldDefinition, change: FieldBody): ContactFieldDefinition {
  const type = change.type ?? stored.type
  const isUnicity = change.isUnicity ?? stored.isUnicity
  const keptList = traits[type].list ? stored.valueListId : undefined
  return checked({
    type,
    id: stored.id,
    name: change.name === undefined ? stored.name : parseResourceName(change.name, MAX_NAME_LENGTH),
    isUnicity,
    isMandatory: isUnicity || (change.isMandatory ?? stored.isMandatory),
    isCriterion: change.isCriterion ?? stored.isCriterion,
    constraint: change.constraint === undefined ? stored.constraint : readConstraint(change.constraint),
    valueListId: change.valueListId || keptList,
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
