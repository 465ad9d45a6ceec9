import { sql } from 'kysely'
import { type ActionFamilyKind, actionFamilies, listFamilyActionTypes } from '../../channels/action-families.ts'
import { pushChannelTraits } from '../../channels/push/traits.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { formatActionId } from '../../lib/ids.ts'

const rcsActionTypes = listFamilyActionTypes(actionFamilies.rcs)

/** A use of a segment that prevents its deletion. */
export interface SegmentLink {
  type: ActionFamilyKind | typeof pushChannelTraits.sourceKind | 'form' | 'import' | 'segment' | 'workflow'
  id: string | number
  name: string
}

/** Everything that uses a segment: actions that select, exclude or test with it, notifications, workflows, forms and imports that fill it, segments below it or with it in their criteria. */
export async function readSegmentLinks(db: Db, account: AccountId, segment: number): Promise<SegmentLink[]> {
  const { rows } = await sql<{ type: SegmentLink['type']; id: number; name: string }>`
    select distinct case when a.type = any(${rcsActionTypes}::text[]) then ${actionFamilies.rcs.sourceKind} else 'action' end as type, a.id, a.name from action_segments l join actions a on a.id = l.action
    where l.account = ${account} and l.segment = ${segment}
    union all
    select distinct ${pushChannelTraits.sourceKind}::text, n.id, n.name from notification_segments l join notifications n on n.id = l.notification
    where l.account = ${account} and l.segment = ${segment}
    union all
    select 'form', f.id, f.name from forms f where f.account = ${account} and f.segment = ${segment}
    union all
    select 'import', i.id, i.name from import_segments l join imports i on i.id = l.import
    where l.account = ${account} and l.segment = ${segment}
    union all
    select 'workflow', w.id, w.name from workflow_segments l join workflows w on w.id = l.workflow
    where l.account = ${account} and l.segment = ${segment}
    union all
    select 'segment', s.id, s.name from segments s
    where s.account = ${account} and (s.parent = ${segment} or s.id in (
      select segment from segment_references where account = ${account} and refers_to = ${segment}))
    order by 1, 2`.execute(db)
  return rows.map(({ type, id, name }) => ({
    type,
    id: type === 'action' || type === 'form' ? formatActionId(id) : id,
    name,
  }))
}
