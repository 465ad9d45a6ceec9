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

const groups = ['all', 'any', 'none'] as const
const NODE = 'must be a group, with one of all, any and none, or a leaf, with type'

function isLeafType(type: unknown): type is SegmentCriteriaLeafType {
  return typeof type === 'string' && Object.hasOwn(criteriaLeafKinds, type)
}

function readLeaf(given: CriteriaInputObject, position: CriteriaPosition): SegmentCriteria | undefined {
  const { type } = given
  if (!isLeafType(type))
    return addCriteriaFault(
      childCriteriaPosition(position, 'type'),
      `must be one of ${Object.keys(criteriaLeafKinds).join(', ')}`,
    )
  position.reading.leaves++
  return position.reading.leaves > MAX_LEAVES ? undefined : criteriaLeafKinds[type].read(given, position)
}

/** A node and all below it. */
function readNode(given: unknown, position: CriteriaPosition, level = 1): SegmentCriteria | undefined {
  const object = toCriteriaInputObject(given)
  const [group, ...others] = object ? groups.filter((name) => isCriteriaMemberSet(object[name])) : []
  if (!object || others.length > 0 || (group !== undefined) === isCriteriaMemberSet(object['type']))
    return addCriteriaFault(position, NODE)
  if (group === undefined) return readLeaf(object, position)
  if (level > MAX_DEPTH) return addCriteriaFault(position, `criteria are at most ${MAX_DEPTH} levels deep`)
  const nodes = object[group]
  if (!Array.isArray(nodes))
    return addCriteriaFault(childCriteriaPosition(position, group), 'must be an array of groups and leaves')
  const read = nodes.flatMap(
    (node, index) =>
      readNode(node, childCriteriaPosition(childCriteriaPosition(position, group), index), level + 1) ?? [],
  )
  return group === 'all' ? { all: read } : group === 'any' ? { any: read } : { none: read }
}

/** Faults of references to ids that are none of the account's. */
async function unknownReferences(
  db: Db,
  account: AccountId,
  table: 'segments' | 'actions',
  references: readonly CriteriaReference[],
): Promise<ProblemFault[]> {
  if (references.length === 0) return []
  const ids = references.map(({ id }) => id)
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where account = ${account} and id = any(${ids}::integer[])`.execute(db)
  const known = new Set(rows.map(({ id }) => id))
  const detail = table === 'segments' ? 'must be the id of a segment' : 'must be the id of an action'
  return references.flatMap(({ id, pointer }) => (known.has(id) ? [] : [{ pointer, detail }]))
}

/**
 * Reads criteria of a request. Throws 400 with every fault: what cannot be read, fields that are no criteria, operators
 * that do not fit, unknown segments and actions. Within a transaction that stores them the definitions must be held
 * (`enterContactWrite`); for criteria of a segment its caller looks for cycles.
 */
export async function parseCriteria(
  db: Db,
  account: AccountId,
  given: unknown,
  pointer = '/criteria',
): Promise<ParsedCriteria> {
  const shape = await loadContactShape(db, account)
  const reading: CriteriaParseState = { shape, faults: [], leaves: 0, fields: new Set(), segments: [], actions: [] }
  const criteria = readNode(given, { pointer, reading })
  const { faults, leaves } = reading
  if (leaves > MAX_LEAVES) faults.push({ pointer, detail: `has ${leaves} leaves: at most ${MAX_LEAVES} are possible` })
  if (faults.length === 0) {
    faults.push(...(await unknownReferences(db, account, 'segments', reading.segments)))
    faults.push(...(await unknownReferences(db, account, 'actions', reading.actions)))
  }
  if (criteria === undefined || faults.length > 0) throw invalidRequestProblem(faults)
  return {
    criteria,
    fields: [...reading.fields],
    segments: [...new Set(reading.segments.map(({ id }) => id))],
  }
}

function shownValue(shape: ContactShape, leaf: FieldCriteriaLeaf): unknown {
  const field = shape.fields.find(({ id }) => id === leaf.field)
  const labels = field && shape.labels(field)
  if (!labels) return leaf.value
  // A deleted label shows as its index: no contact holds it.
  const label = (index: unknown) => (typeof index === 'number' && labels.label(index)) || index
  return Array.isArray(leaf.value) ? leaf.value.map(label) : label(leaf.value)
}

/** Criteria as they are answered: labels stand for the indexes that are stored. */
export function formatCriteria(shape: ContactShape, criteria: SegmentCriteria): SegmentCriteria {
  if ('all' in criteria) return { all: criteria.all.map((node) => formatCriteria(shape, node)) }
  if ('any' in criteria) return { any: criteria.any.map((node) => formatCriteria(shape, node)) }
  if ('none' in criteria) return { none: criteria.none.map((node) => formatCriteria(shape, node)) }
  if (criteria.type !== 'field' || criteria.value === undefined) return criteria
  return { ...criteria, value: shownValue(shape, criteria) }
}
