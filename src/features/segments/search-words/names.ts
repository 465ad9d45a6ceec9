import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { parseActionId } from '../../../lib/ids.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { SegmentCriteria, SegmentCriteriaLeaf } from '../criteria/criteria-types.ts'
import type { CriteriaNames } from './words.ts'

function leavesOf(criteria: SegmentCriteria): SegmentCriteriaLeaf[] {
  if ('all' in criteria) return criteria.all.flatMap(leavesOf)
  if ('any' in criteria) return criteria.any.flatMap(leavesOf)
  if ('none' in criteria) return criteria.none.flatMap(leavesOf)
  return [criteria]
}

interface Row {
  type: 'segment' | 'action' | 'notification' | 'application'
  id: string
  name: string
}

/** The numbers and names of actions in criteria: a text is the id of an email or SMS action, a number that of another one. */
function actionNumbers(leaves: readonly SegmentCriteriaLeaf[]): number[] {
  const ids = leaves.flatMap((leaf) => (leaf.type === 'event' ? (leaf.actions ?? []) : []))
  return ids.flatMap((id) => (typeof id === 'number' ? id : (parseActionId(id) ?? [])))
}

/** Reads the names of what criteria name, in one statement. `parent`: a segment beside those of the criteria. */
export async function loadCriteriaNames(
  db: Db,
  shape: ContactShape,
  { criteria, parent }: { criteria: SegmentCriteria | null; parent: number | null },
): Promise<CriteriaNames> {
  const account: AccountId = shape.account
  const leaves = criteria ? leavesOf(criteria) : []
  const segments = [
    ...leaves.flatMap((leaf) => (leaf.type === 'segment' ? leaf.segment : [])),
    ...[parent ?? []].flat(),
  ]
  const applications = leaves.flatMap((leaf) => (leaf.type === 'subscription' ? (leaf.application ?? []) : []))
  const actions = actionNumbers(leaves)
  const { rows } = await sql<Row>`
    select 'segment' as type, id::text, name from segments where account = ${account} and id = any(${segments}::integer[])
    union all
    select 'action', id::text, name from actions where account = ${account} and id = any(${actions}::integer[])
    union all
    select 'notification', id::text, name from notifications where account = ${account} and id = any(${actions}::integer[])
    union all
    select 'application', id::text, name from applications where account = ${account} and id = any(${applications}::uuid[])`.execute(
    db,
  )
  const known = new Map(rows.map(({ type, id, name }) => [`${type} ${id}`, name]))
  const fieldOf = (id: number) => shape.fields.find((field) => field.id === id)
  return {
    field: (id) => {
      const field = fieldOf(id)
      return field && { name: field.name, isList: field.type === 'multipleSelectList' }
    },
    label: (id, index) => {
      const field = fieldOf(id)
      return field && typeof index === 'number' ? shape.labels(field)?.label(index) : undefined
    },
    segment: (id) => known.get(`segment ${id}`),
    action: (id) =>
      typeof id === 'string'
        ? known.get(`action ${parseActionId(id)}`)
        : (known.get(`notification ${id}`) ?? known.get(`action ${id}`)),
    application: (id) => known.get(`application ${id}`),
  }
}
