import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { loadContactShape } from '../../contacts/values/stored-shape.ts'
import type { FieldCriteriaLeaf, SegmentCriteria, SegmentCriteriaLeafType } from './criteria-types.ts'
import { criteriaLeafKinds } from './leaves.ts'
import {
  addCriteriaFault,
  type CriteriaInputObject,
  type CriteriaParseState,
  type CriteriaPosition,
  type CriteriaReference,
  childCriteriaPosition,
  isCriteriaMemberSet,
  toCriteriaInputObject,
} from './reading.ts'

const MAX_LEAVES = 200
const MAX_DEPTH = 20

/** Criteria that can be stored, and what they name, each once. */
export interface ParsedCriteria {
  criteria: SegmentCriteria
  fields: number[]
  segments: number[]
}

const groupNames = ['all', 'any', 'none'] as const
const NODE_RULE = 'must be a group, with one of all, any and none, or a leaf, with type'

function isLeafType(type: unknown): type is SegmentCriteriaLeafType {
  return typeof type === 'string' && Object.hasOwn(criteriaLeafKinds, type)
}

function parseLeaf(leafInput: CriteriaInputObject, position: CriteriaPosition): SegmentCriteria | undefined {
  const { type } = leafInput
  if (!isLeafType(type))
    return addCriteriaFault(
      childCriteriaPosition(position, 'type'),
      `must be one of ${Object.keys(criteriaLeafKinds).join(', ')}`,
    )
  position.reading.leaves++
  return position.reading.leaves > MAX_LEAVES ? undefined : criteriaLeafKinds[type].read(leafInput, position)
}

/** A node and all below it. */
function parseNode(nodeInput: unknown, position: CriteriaPosition, level = 1): SegmentCriteria | undefined {
  const inputObject = toCriteriaInputObject(nodeInput)
  const [groupName, ...otherGroups] = inputObject
    ? groupNames.filter((name) => isCriteriaMemberSet(inputObject[name]))
    : []
  if (!inputObject || otherGroups.length > 0 || (groupName !== undefined) === isCriteriaMemberSet(inputObject['type']))
    return addCriteriaFault(position, NODE_RULE)
  if (groupName === undefined) return parseLeaf(inputObject, position)
  if (level > MAX_DEPTH) return addCriteriaFault(position, `criteria can be nested at most ${MAX_DEPTH} levels deep`)
  const nodes = inputObject[groupName]
  if (!Array.isArray(nodes))
    return addCriteriaFault(childCriteriaPosition(position, groupName), 'must be an array of groups and leaves')
  const parsedNodes = nodes.flatMap(
    (node, index) =>
      parseNode(node, childCriteriaPosition(childCriteriaPosition(position, groupName), index), level + 1) ?? [],
  )
  return groupName === 'all' ? { all: parsedNodes } : groupName === 'any' ? { any: parsedNodes } : { none: parsedNodes }
}

/** Faults of references to ids that are none of the account's. */
async function findUnknownReferences(
  db: Db,
  account: AccountId,
  table: 'segments' | 'actions',
  references: readonly CriteriaReference[],
): Promise<ProblemFault[]> {
  if (references.length === 0) return []
  const ids = references.map(({ id }) => id)
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where account = ${account} and id = any(${ids}::integer[])`.execute(db)
  const knownIds = new Set(rows.map(({ id }) => id))
  const detail = table === 'segments' ? 'must be the id of a segment' : 'must be the id of an action'
  return references.flatMap(({ id, pointer }) => (knownIds.has(id) ? [] : [{ pointer, detail }]))
}

/**
 * Reads criteria of a request. Throws 400 with every fault: what cannot be read, fields that are no criteria, operators
 * that do not fit, unknown segments and actions. Within a transaction that stores them the definitions must be held
 * (`enterContactWrite`); for criteria of a segment its caller looks for cycles.
 */
export async function parseCriteria(
  db: Db,
  account: AccountId,
  criteriaInput: unknown,
  pointer = '/criteria',
): Promise<ParsedCriteria> {
  const shape = await loadContactShape(db, account)
  const parseState: CriteriaParseState = { shape, faults: [], leaves: 0, fields: new Set(), segments: [], actions: [] }
  const criteria = parseNode(criteriaInput, { pointer, reading: parseState })
  const { faults, leaves } = parseState
  if (leaves > MAX_LEAVES) faults.push({ pointer, detail: `has ${leaves} leaves; at most ${MAX_LEAVES} are allowed` })
  if (faults.length === 0) {
    faults.push(...(await findUnknownReferences(db, account, 'segments', parseState.segments)))
    faults.push(...(await findUnknownReferences(db, account, 'actions', parseState.actions)))
  }
  if (criteria === undefined || faults.length > 0) throw invalidRequestProblem(faults)
  return {
    criteria,
    fields: [...parseState.fields],
    segments: [...new Set(parseState.segments.map(({ id }) => id))],
  }
}

function formatLeafValue(shape: ContactShape, leaf: FieldCriteriaLeaf): unknown {
  const field = shape.fields.find(({ id }) => id === leaf.field)
  const labels = field && shape.labels(field)
  if (!labels) return leaf.value
  // A deleted label shows as its index: no contact holds it.
  const formatLabel = (index: unknown) => (typeof index === 'number' && labels.label(index)) || index
  return Array.isArray(leaf.value) ? leaf.value.map(formatLabel) : formatLabel(leaf.value)
}

/** Criteria as they are answered: labels stand for the indexes that are stored. */
export function formatCriteria(shape: ContactShape, criteria: SegmentCriteria): SegmentCriteria {
  if ('all' in criteria) return { all: criteria.all.map((node) => formatCriteria(shape, node)) }
  if ('any' in criteria) return { any: criteria.any.map((node) => formatCriteria(shape, node)) }
  if ('none' in criteria) return { none: criteria.none.map((node) => formatCriteria(shape, node)) }
  if (criteria.type !== 'field' || criteria.value === undefined) return criteria
  return { ...criteria, value: formatLeafValue(shape, criteria) }
}
