import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { type Fault, invalid } from '../../../lib/errors/problem.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { loadShape } from '../../contacts/values/stored-shape.ts'
import type { Criteria, FieldLeaf, LeafType } from './criteria-types.ts'
import { leafKinds } from './leaves.ts'
import { below, fault, type Given, isGiven, objectOf, type Position, type Reading, type Reference } from './reading.ts'

const MAX_LEAVES = 200
const MAX_DEPTH = 20

/** Criteria that can be stored, and what they name, each once. */
export interface ReadCriteria {
  criteria: Criteria
  fields: number[]
  segments: number[]
}

const groups = ['all', 'any', 'none'] as const
const NODE = 'must be a group, with one of all, any and none, or a leaf, with type'

function isLeafType(type: unknown): type is LeafType {
  return typeof type === 'string' && Object.hasOwn(leafKinds, type)
}

function readLeaf(given: Given, position: Position): Criteria | undefined {
  const { type } = given
  if (!isLeafType(type)) return fault(below(position, 'type'), `must be one of ${Object.keys(leafKinds).join(', ')}`)
  position.reading.leaves++
  return position.reading.leaves > MAX_LEAVES ? undefined : leafKinds[type].read(given, position)
}

/** A node and all below it. */
function readNode(given: unknown, position: Position, level = 1): Criteria | undefined {
  const object = objectOf(given)
  const [group, ...others] = object ? groups.filter((name) => isGiven(object[name])) : []
  if (!object || others.length > 0 || (group !== undefined) === isGiven(object['type'])) return fault(position, NODE)
  if (group === undefined) return readLeaf(object, position)
  if (level > MAX_DEPTH) return fault(position, `criteria are at most ${MAX_DEPTH} levels deep`)
  const nodes = object[group]
  if (!Array.isArray(nodes)) return fault(below(position, group), 'must be an array of groups and leaves')
  const read = nodes.flatMap((node, index) => readNode(node, below(below(position, group), index), level + 1) ?? [])
  return group === 'all' ? { all: read } : group === 'any' ? { any: read } : { none: read }
}

/** Faults of references to ids that are none of the account's. */
async function unknownReferences(
  db: Db,
  account: AccountId,
  table: 'segments' | 'actions',
  references: readonly Reference[],
): Promise<Fault[]> {
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
export async function readCriteria(
  db: Db,
  account: AccountId,
  given: unknown,
  pointer = '/criteria',
): Promise<ReadCriteria> {
  const shape = await loadShape(db, account)
  const reading: Reading = { shape, faults: [], leaves: 0, fields: new Set(), segments: [], actions: [] }
  const criteria = readNode(given, { pointer, reading })
  const { faults, leaves } = reading
  if (leaves > MAX_LEAVES) faults.push({ pointer, detail: `has ${leaves} leaves: at most ${MAX_LEAVES} are possible` })
  if (faults.length === 0) {
    faults.push(...(await unknownReferences(db, account, 'segments', reading.segments)))
    faults.push(...(await unknownReferences(db, account, 'actions', reading.actions)))
  }
  if (criteria === undefined || faults.length > 0) throw invalid(faults)
  return {
    criteria,
    fields: [...reading.fields],
    segments: [...new Set(reading.segments.map(({ id }) => id))],
  }
}

function shownValue(shape: ContactShape, leaf: FieldLeaf): unknown {
  const field = shape.fields.find(({ id }) => id === leaf.field)
  const labels = field && shape.labels(field)
  if (!labels) return leaf.value
  // A deleted label shows as its index: no contact holds it.
  const label = (index: unknown) => (typeof index === 'number' && labels.label(index)) || index
  return Array.isArray(leaf.value) ? leaf.value.map(label) : label(leaf.value)
}

/** Criteria as they are answered: labels stand for the indexes that are stored. */
export function showCriteria(shape: ContactShape, criteria: Criteria): Criteria {
  if ('all' in criteria) return { all: criteria.all.map((node) => showCriteria(shape, node)) }
  if ('any' in criteria) return { any: criteria.any.map((node) => showCriteria(shape, node)) }
  if ('none' in criteria) return { none: criteria.none.map((node) => showCriteria(shape, node)) }
  if (criteria.type !== 'field' || criteria.value === undefined) return criteria
  return { ...criteria, value: shownValue(shape, criteria) }
}
