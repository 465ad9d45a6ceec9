import { type RawBuilder, sql } from 'kysely'
import { actionFamilies, listFamilyActionTypes } from '../../../channels/action-families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { parseActionId } from '../../../lib/ids.ts'
import { goalEventTypes } from './goal-schemas.ts'
import { findGoalEventList, type StoredGoal } from './stored-goal.ts'

/** Objects of an account that can be referenced, as selects of ids. */
const REFERENCE_SOURCES: Readonly<Record<string, { title: string; among: RawBuilder<unknown> }>> = {
  action: {
    title: 'action',
    among: sql`select account, id from actions where deleted_at is null and type = any(${listFamilyActionTypes(actionFamilies.action)}::text[])`,
  },
  rcsAction: {
    title: 'RCS action',
    among: sql`select account, id from actions where deleted_at is null and type = any(${listFamilyActionTypes(actionFamilies.rcs)}::text[])`,
  },
  notification: { title: 'notification', among: sql`select account, id from notifications where deleted_at is null` },
  segment: { title: 'segment', among: sql`select account, id from segments` },
  field: { title: 'field', among: sql`select account, id from fields` },
}

/** Throws 400 with the place of each id of a goal that the account does not have. */
export async function requireGoalReferences(db: Db, account: AccountId, { event }: StoredGoal): Promise<void> {
  const faults: ProblemFault[] = []
  for (const [name, rule] of Object.entries(goalEventTypes.get(event.type) ?? {})) {
    const referenceSource = rule.of === 'ids' ? REFERENCE_SOURCES[rule.what] : undefined
    const referencedValues = findGoalEventList(event, name)
    if (!referenceSource || !referencedValues) continue
    const ids = referencedValues.map((id) => (typeof id === 'string' ? parseActionId(id)! : id))
    const { rows } = await sql<{ id: number }>`
      select k.id from (${referenceSource.among}) k where k.account = ${account} and k.id = any(${ids}::integer[])`.execute(
      db,
    )
    const existingIds = new Set(rows.map(({ id }) => id))
    ids.forEach((id, index) => {
      if (!existingIds.has(id))
        faults.push({
          pointer: `/settings/experiment/goal/event/${name}/${index}`,
          detail: `there is no ${referenceSource.title} ${referencedValues[index]}`,
        })
    })
  }
  if (faults.length > 0) throw invalidRequestProblem(faults)
}
