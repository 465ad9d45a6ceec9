import { sql } from 'kysely'
import { getActionFamily, listFamilyActionTypes } from '../../../channels/action-families.ts'
import { type ChannelActionType, getActionChannel } from '../../../channels/channel-traits.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import type { ActionFormat } from './action-format.ts'
import {
  loadAction,
  replaceActionSegments,
  type StoredAction,
  type StoredActionScheduler,
} from './action-repository.ts'
import { mailSmsActionTypes } from './action-schemas.ts'
import { insertAction, MAX_ACTION_NAME_LENGTH } from './actions.ts'
import { createActionScheduler } from './parse-action-body.ts'
import { decideActionTransition, isCampaignType } from './states.ts'

/** Options of a copy: its type by number (1 to 4, in the order of the list of types), and its folder. */
export interface DuplicateActionOptions {
  type: number | undefined
  folder: number | undefined
}

/** Resolves the type of a copy. Throws 400 for an unknown number, and for a type of the other channel. */
function resolveCopyType(source: ChannelActionType, number: number | undefined): ChannelActionType {
  if (number === undefined) return source
  const type = mailSmsActionTypes[number - 1]
  if (type === undefined)
    throw badRequestProblem('type', 'must be 1 mailMessage, 2 mailCampaign, 3 smsMessage or 4 smsCampaign')
  if (getActionChannel(type) !== getActionChannel(source))
    throw badRequestProblem('type', `must have the same channel as the source, a ${source}`)
  return type
}

/** `Spring opening (2)`: the lowest number that no action has; the source's name is cut so that it fits. */
async function buildCopyName(
  tx: Db,
  account: AccountId,
  { type, name }: Pick<StoredAction, 'type' | 'name'>,
): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from actions
    where account = ${account} and type = any(${listFamilyActionTypes(getActionFamily(type))}::text[]) and deleted_at is null and name like '% (%)'`.execute(
    tx,
  )
  const takenNames = new Set(rows.map((row) => row.name))
  for (let copyNumber = 1; ; copyNumber++) {
    const suffix = ` (${copyNumber})`
    const copy = name.slice(0, MAX_ACTION_NAME_LENGTH - suffix.length).toWellFormed() + suffix
    if (!takenNames.has(copy)) return copy
  }
}

/** A campaign's copy begins when its owner says; one made from a message has no segments either. */
function buildCopyScheduler(source: StoredAction, type: ChannelActionType): StoredActionScheduler | null {
  if (!isCampaignType(type)) return null
  if (source.scheduler === null) return createActionScheduler()
  const { startsAt: _, segments: __, ...scheduler } = source.scheduler
  return { ...scheduler, startDate: null, endDate: null }
}

/** A message tries no versions. */
function buildCopySettings({ settings }: StoredAction, type: ChannelActionType): StoredAction['settings'] {
  const { experiment, ...otherSettings } = settings
  return experiment && isCampaignType(type) ? settings : otherSettings
}

/** Segments of a finished campaign may be gone. */
async function filterExistingSegments(tx: Db, account: AccountId, segments: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select s.id from unnest(${segments}::integer[]) with ordinality as n (id, place)
    join segments s on s.account = ${account} and s.id = n.id order by place`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Copies an action: settings, content, scheduler without dates, category, folder. Throws 400, notFound, 410. */
export function duplicateAction<Shown>(
  db: Db,
  { family, show }: Pick<ActionFormat<never, Shown>, 'family' | 'show'>,
  { account, id, ...options }: DuplicateActionOptions & { account: AccountId; id: number },
  now: Date,
): Promise<Shown> {
  return inTransaction(db, async (tx) => {
    const source = await loadAction(tx, { family, account, id })
    decideActionTransition('duplicate', source)
    const type = resolveCopyType(source.type, options.type)
    const copy = {
      type,
      name: await buildCopyName(tx, account, source),
      description: source.description,
      folder: options.folder ?? source.folder,
      settings: buildCopySettings(source, type),
      content: source.content,
      scheduler: buildCopyScheduler(source, type),
    }
    const createdAction = await insertAction(tx, account, copy, { category: source.category, now })
    if (isCampaignType(type)) {
      const { selected, excluded } = source.segments
      const segments = {
        selected: await filterExistingSegments(tx, account, selected),
        excluded: await filterExistingSegments(tx, account, excluded),
      }
      await replaceActionSegments(tx, { account, id: createdAction }, segments)
    }
    return show(await loadAction(tx, { family, account, id: createdAction }))
  })
}
