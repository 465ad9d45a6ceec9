import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { parseActionId } from '../../../lib/ids.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { SegmentCriteria, SegmentCriteriaLeaf } from '../criteria/criteria-types.ts'
import type { CriteriaNames } from './words.ts'

function listLeaves(criteria: SegmentCriteria): SegmentCriteriaLeaf[] {
  if ('all' in criteria) return criteria.all.flatMap(listLeaves)
  if ('any' in criteria) return criteria.any.flatMap(listLeaves)
  if ('none' in criteria) return criteria.none.flatMap(listLeaves)
  return [criteria]
}

interface NameRow {
  type: 'segment' | 'action' | 'notification' | 'application'
  id: string
  name: string
}

/** The numbers and names of actions in criteria: a text is the id of an email or SMS action, a number that of another one. */
function collectActionNumbers(leaves: readonly SegmentCriteriaLeaf[]): number[] {
  const actionIds = leaves.flatMap((leaf) => (leaf.type === 'event' ? (leaf.actions ?? []) : []))
  return actionIds.flatMap((id) => (typeof id === 'number' ? id : (parseActionId(id) ?? [])))
}

/** Reads the names of the objects that criteria refer to, in one statement. `parent`: a segment in addition to those of the criteria. */
export async function loadCriteriaNames(
  db: Db,
  shape: ContactShape,
  { criteria, parent }: { criteria: SegmentCriteria | null; parent: number | null },
): Promise<CriteriaNames> {
  const account: AccountId = shape.account
  const leaves = criteria ? listLeaves(criteria) : []
  const segmentIds = [
    ...leaves.flatMap((leaf) => (leaf.type === 'segment' ? leaf.segment : [])),
    ...[parent ?? []].flat(),
  ]
  const applications = leaves.flatMap((leaf) => (leaf.type === 'subscription' ? (leaf.application ?? []) : []))
  const actionReferences = collectActionNumbers(leaves)
  const { rows } = await sql<NameRow>`
    select 'segment' as type, id::text, name from segments where account = ${account} and id = any(${segmentIds}::integer[])
    union all
    select 'action', id::text, name from actions where account = ${account} and id = any(${actionReferences}::integer[])
    union all
    select 'notification', id::text, name from notifications where account = ${account} and id = any(${actionReferences}::integer[])
    union all
    select 'application', id::text, name from applications where account = ${account} and id = any(${applications}::uuid[])`.execute(
    db,
  )
  const namesByReference = new Map(rows.map(({ type, id, name }) => [`${type} ${id}`, name]))
  const findField = (id: number) => shape.fields.find((field) => field.id === id)
  return {
    field: (id) => {
      const field = findField(id)
      return field && { name: field.name, isList: field.type === 'multipleSelectList' }
    },
    label: (id, index) => {
      const field = findField(id)
      return field && typeof index === 'number' ? shape.labels(field)?.label(index) : undefined
    },
    segment: (id) => namesByReference.get(`segment ${id}`),
    action: (id) =>
      typeof id === 'string'
        ? namesByReference.get(`action ${parseActionId(id)}`)
        : (namesByReference.get(`notification ${id}`) ?? namesByReference.get(`action ${id}`)),
    application: (id) => namesByReference.get(`application ${id}`),
  }
}
