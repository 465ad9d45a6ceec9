import { sql } from 'kysely'
import { type ActionFamily, listFamilyActionTypes } from '../../../channels/action-families.ts'
import type { AuthoredContent } from '../../../channels/authored.ts'
import type { ChannelActionType } from '../../../channels/channel-traits.ts'
import type { RcsExpiration } from '../../../channels/rcs/content/content-schemas.ts'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import type { ActionsTable } from '../../../database/tables.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { type SendingFigures, selectSendingFigures } from '../../../sending/plan/sendings.ts'
import type { StoredExperiment } from '../experiments/stored.ts'
import type { LastActionValidation } from './action-progress-schemas.ts'
import type { ActionResponse } from './action-schemas.ts'
import type { ActionState } from './state-tables.ts'

/** Names an action by what a path says of it; one of another family is unknown. */
export interface ActionRef {
  family: ActionFamily
  account: AccountId
  id: number
}

/** Settings that actions of one family alone have. */
type FamilySettings = 'sendingProfile' | 'webAnalyser'

/** Settings that RCS actions alone have. */
export interface StoredRcsSettings {
  profile: number | null
  trafficType: string | null
  expiration: RcsExpiration | null
}

/** Settings as they are kept: of the pressure what the client gave, as the rest follows the purpose. */
export type StoredActionSettings = Omit<ActionResponse['settings'], 'mp' | 'experiment' | FamilySettings> &
  Partial<Pick<ActionResponse['settings'], FamilySettings>> &
  Partial<StoredRcsSettings> & { mp: Partial<ActionResponse['settings']['mp']>; experiment?: StoredExperiment }

export type StoredActionContent = ActionResponse['content'] & Pick<AuthoredContent, 'content' | 'fallback'>

export interface ActionSegments {
  selected: number[]
  excluded: number[]
}

/** A campaign's scheduler as it is kept. Dates are ISO texts; those of a timeZoneSchedule start are digits, written as UTC. */
export interface StoredActionScheduler {
  type: 'asap' | 'scheduled' | 'timeZoneSchedule' | 'bestTime'
  startDate: string | null
  endDate: string | null
  speed: number
  timeZoneField: number | null
  /** Only with `bestTime`. */
  windowHours?: number
  /** From the validation on: when the campaign begins. */
  startsAt?: string
  /** Segments of a finished campaign, which it no longer locks. */
  segments?: ActionSegments
}

/** Request of a test, stored until the test is over. */
export interface ActionTestRequest {
  mediaForTest: string | null
  textandHtml: boolean
  campaignAnalyser: boolean
  /** The version of the experiment that is sent alone; absent or null: all. */
  version?: string | null
  variables: Record<string, unknown>
  /** Stamps of the queued proofs. */
  stamps: string[]
}

export type StoredActionValidation = LastActionValidation & { test?: ActionTestRequest }

/** Approved state of an action. */
export interface ActionApproval {
  /** The id of the approval. */
  approval: string
  /** Hashes (hex) of its content as it is compiled, and of the criteria of its segments. */
  content: string
  criteria: string
}

/** An action as the database has it, with its segments and the counts of its run. */
export interface StoredAction {
  id: number
  account: AccountId
  type: ChannelActionType
  name: string
  description: string | null
  state: ActionState
  folder: number
  category: number
  settings: StoredActionSettings
  content: StoredActionContent
  scheduler: StoredActionScheduler | null
  last_validation: StoredActionValidation | null
  version: number | null
  /** Numbers of the frozen contents of an experiment, by the ids of its versions. */
  versions: Record<string, number> | null
  /** Null: validated without an approval, or not at all. */
  approved: ActionApproval | null
  /** The sending of its campaign or of its last test. */
  sending: number | null
  attempt: number
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  started_at: Date | null
  segments: ActionSegments
  test_segments: number[]
  figures: SendingFigures
  paused: boolean
}

const selectSegmentIds = (role: 'selected' | 'excluded') => sql`
  coalesce((select json_agg(segment order by position) from action_segments s where s.action = a.id and role = ${role}), '[]')`

/** The segments that an action selects and excludes, as JSON; of a row `a` of actions. */
export const actionSegmentsColumn = sql<ActionSegments>`
  json_build_object('selected', ${selectSegmentIds('selected')}, 'excluded', ${selectSegmentIds('excluded')})::jsonb`

/** The figures of an action's run as JSON; of a row `a` of actions. */
export const actionRunFigures = selectSendingFigures(sql`a.sending`)

// Named one by one, as a prepared statement does not outlive a change of what it gives.
const ACTION_COLUMNS = [
  'id',
  'account',
  'type',
  'name',
  'description',
  'state',
  'folder',
  'category',
  'settings',
  'content',
  'scheduler',
  'last_validation',
  'version',
  'versions',
  'approved',
  'sending',
  'attempt',
  'created_at',
  'updated_at',
  'deleted_at',
  'started_at',
] as const satisfies (keyof ActionsTable & keyof StoredAction)[]

/** Columns of a row `a` of actions that `toStoredAction` reads. */
export const storedActionColumns = sql`${sql.join(ACTION_COLUMNS.map((name) => sql.ref(`a.${name}`)))}, ${actionRunFigures} as figures,
  coalesce(a.scheduler->'segments', ${actionSegmentsColumn}) as segments,
  array(select segment from action_segments s where s.action = a.id and role = 'test' order by position) as test_segments`

export type StoredActionRow = Omit<StoredAction, 'paused'>

/** An action from its row: only a campaign under way is paused. */
export function toStoredAction(row: StoredActionRow): StoredAction {
  return { ...row, paused: row.state === 55 && row.figures.paused }
}

/** An action, deleted or not. Throws notFound for an unknown id, and one of another family. */
export async function loadAction(db: Db, { family, account, id }: ActionRef): Promise<StoredAction> {
  const { rows } = await sql<StoredActionRow>`${buildPreparedPrefix('action-load')}
    select ${storedActionColumns} from actions a
    where a.account = ${account} and a.id = ${id} and a.type = any(${listFamilyActionTypes(family)}::text[])`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw notFoundProblem(family.title, family.showId(id))
  return toStoredAction(row)
}

/** As loadAction, and holds the row until the transaction ends: of racing requests the second sees what the first did. */
export async function lockAction(tx: Db, ref: ActionRef): Promise<StoredAction> {
  const { account, id } = ref
  await tx.selectFrom('actions').select('id').where('account', '=', account).where('id', '=', id).forUpdate().execute()
  return loadAction(tx, ref)
}

/** Puts the segments of some roles in the place of those an action has there. Unknown ones must have been refused. */
export async function replaceActionSegments(
  tx: Db,
  { account, id }: Pick<StoredAction, 'account' | 'id'>,
  segments: Partial<Record<'selected' | 'excluded' | 'test', readonly number[]>>,
): Promise<void> {
  const rows = Object.entries(segments).flatMap(([role, ids = []]) =>
    [...new Set(ids)].map((segment, position) => ({ role, segment, position })),
  )
  await sql`delete from action_segments where action = ${id} and role = any(${Object.keys(segments)}::text[])`.execute(
    tx,
  )
  await sql`
    insert into action_segments (account, action, segment, role, position)
    select ${account}, ${id}, n.* from unnest(
      ${rows.map(({ segment }) => segment)}::integer[], ${rows.map(({ role }) => role)}::text[], ${rows.map(({ position }) => position)}::integer[]
    ) as n (segment, role, position)`.execute(tx)
}
