import { type Selectable, sql } from 'kysely'
import { type Db, inTransaction, json } from '../../database/connect.ts'
import { refusing } from '../../database/errors.ts'
import { rows } from '../../database/stream.ts'
import type { DB } from '../../database/tables.ts'
import type { AccountId } from '../../lib/account.ts'
import { actionId } from '../../lib/ids.ts'
import { readName } from '../../lib/names.ts'
import type { Period } from '../../lib/period.ts'
import { badRequest, conflict, type Fault, invalid, notFound } from '../../lib/problem.ts'
import { cancelSendings, type Figures } from '../../outbox/sendings.ts'
import { readSendingSettings } from '../accounts/sending-settings.ts'
import { loadFields } from '../fields/definitions.ts'
import type { Action, ActionBody, ActionType, ListedAction } from './action-schemas.ts'
import { datesOf, judgedState, monitorOf, showAction } from './document.ts'
import {
  newContent,
  newScheduler,
  newSettings,
  readContent,
  readScheduler,
  readSettings,
  withoutUnset,
} from './reading.ts'
import { defaultField, fieldFaults, refuseUnknown, type Surroundings } from './references.ts'
import { decide, isCampaign } from './states.ts'
import {
  loadAction,
  lockAction,
  replaceSegments,
  runFigures,
  type Segments,
  type StoredAction,
  type StoredScheduler,
} from './stored.ts'

export const NAME_LENGTH = 255

/** What a write makes of an action. */
export type ActionContent = Pick<
  StoredAction,
  'type' | 'name' | 'description' | 'folder' | 'settings' | 'content' | 'scheduler'
>

export async function loadSurroundings(db: Db, account: AccountId): Promise<Surroundings> {
  const { fields } = await loadFields(db, account)
  return { account, fields, sending: await readSendingSettings(db, account) }
}

/** An empty action of a type, with the account's defaults. */
function newAction(type: ActionType, body: ActionBody, { fields, sending }: Surroundings): ActionContent {
  const field = body.settings?.field ?? defaultField(type, fields)
  return {
    type,
    name: '',
    description: null,
    folder: sending.defaultFolder,
    settings: newSettings(type, body.settings, { field, culture: sending.culture }),
    content: newContent(type),
    scheduler: isCampaign(type) ? newScheduler() : null,
  }
}

/** Reads a body into what is stored. Throws 400 with every fault. */
function read(stored: ActionContent, body: ActionBody, { fields, sending }: Surroundings): ActionContent {
  const faults: Fault[] = fieldFaults(stored.type, fields, body)
  const { description, informations, settings, content, scheduler } = body
  if (scheduler != null && stored.scheduler === null) {
    faults.push({ pointer: '/scheduler', detail: 'is for campaigns only' })
  }
  const changed: ActionContent = {
    type: stored.type,
    name: body.name === undefined && stored.name !== '' ? stored.name : readName(body.name, NAME_LENGTH),
    description: description === undefined ? stored.description : description,
    folder: informations?.folder === undefined ? stored.folder : (informations.folder ?? sending.defaultFolder),
    settings: settings ? readSettings(stored.settings, settings, sending.culture, faults) : stored.settings,
    content: content ? readContent(stored.content, content, faults) : stored.content,
    scheduler: scheduler && stored.scheduler ? readScheduler(stored.scheduler, scheduler, faults) : stored.scheduler,
  }
  if (faults.length > 0) throw invalid(faults)
  return changed
}

/** The category a body asks for, as SQL: null is the default one. */
function categoryOf(account: AccountId, id: number | null) {
  return id === null
    ? sql<number>`(select id from categories where account = ${account} and is_default)`
    : sql<number>`${id}::integer`
}

/** The segments a body gives, by their roles; other members are no roles. */
function segmentsGiven({ scheduler }: ActionBody): Partial<Segments> {
  const { selected, excluded } = scheduler?.segments ?? {}
  return { ...(selected && { selected }), ...(excluded && { excluded }) }
}

function columns({ settings, content, scheduler, ...same }: ActionContent) {
  return { ...same, settings: json(settings), content: json(content), scheduler: scheduler && json(scheduler) }
}

/** Stores a new action in the state it has by itself. */
export async function insertAction(
  tx: Db,
  account: AccountId,
  content: ActionContent,
  { category, now }: { category: number | null; now: Date },
): Promise<number> {
  const row = {
    account,
    ...columns(content),
    category: categoryOf(account, category),
    state: judgedState(content),
    created_at: now,
    updated_at: now,
  }
  const insert = tx.insertInto('actions').values(row).returning('id').executeTakeFirstOrThrow()
  const { id } = await refusing(insert, { foreignKey: () => notFound('category', category ?? 0) })
  return id
}

/** Makes an action. Throws 400, 404 for what it names and the account lacks, conflict `field-missing`; then none is made. */
export function createAction(db: Db, account: AccountId, given: ActionBody, now: Date): Promise<Action> {
  const body = withoutUnset(given)
  return inTransaction(db, async (tx) => {
    const { type } = body
    if (type === undefined) throw badRequest('/type', 'is required')
    const surroundings = await loadSurroundings(tx, account)
    const empty = newAction(type, body, surroundings)
    const content = read(empty, body, surroundings)
    await refuseUnknown(tx, empty, body, surroundings)
    const id = await insertAction(tx, account, content, { category: body.informations?.category ?? null, now })
    await replaceSegments(tx, { account, id }, segmentsGiven(body))
    return showAction(await loadAction(tx, account, id))
  })
}

/** One action. Throws notFound, also when it was deleted. */
export async function readAction(db: Db, account: AccountId, id: number): Promise<Action> {
  const action = await loadAction(db, account, id)
  decide('read', action)
  return showAction(action)
}

/** Changes the members given and judges the action anew. Throws notFound, 400, 404, conflict `action-state`, `type-fixed`. */
export function updateAction(db: Db, account: AccountId, id: number, given: ActionBody, now: Date): Promise<Action> {
  const body = withoutUnset(given)
  return inTransaction(db, async (tx) => {
    const stored = await lockAction(tx, account, id)
    decide('update', stored)
    if (body.type !== undefined && body.type !== stored.type) {
      throw conflict('type-fixed', `Action ${actionId(id)} is a ${stored.type}: its type cannot change.`)
    }
    const surroundings = await loadSurroundings(tx, account)
    const changed = read(stored, body, surroundings)
    await refuseUnknown(tx, stored, body, surroundings)
    const category = body.informations?.category
    const update = tx
      .updateTable('actions')
      .set({
        ...columns(changed),
        ...(category !== undefined && { category: categoryOf(account, category) }),
        state: judgedState(changed),
        version: null,
        updated_at: now,
      })
      .where('id', '=', id)
    await refusing(update.execute(), { foreignKey: () => notFound('category', category ?? 0) })
    await replaceSegments(tx, stored, segmentsGiven(body))
    return showAction(await loadAction(tx, account, id))
  })
}

/**
 * Deletes an action: its row stays, as its id is never used again; its segments are free. What waits in the outbox is
 * due at once, so that the sender cancels it. Throws notFound, conflict `action-state`.
 */
export function deleteAction(db: Db, account: AccountId, id: number, now: Date): Promise<void> {
  return inTransaction(db, async (tx) => {
    const action = await lockAction(tx, account, id)
    decide('delete', action)
    const { last_validation: last } = action
    const stopped = last?.result === 'running' && {
      last_validation: json({ ...last, result: 'stopped', endedAt: now.toISOString() }),
    }
    await tx
      .updateTable('actions')
      .set({ deleted_at: now, ...stopped })
      .where('id', '=', id)
      .execute()
    await tx.deleteFrom('action_segments').where('action', '=', id).execute()
    await cancelSendings(tx, { account, sourceKind: 'action', source: id }, now)
  })
}

type Listed = Pick<
  Selectable<DB['actions']>,
  'id' | 'type' | 'name' | 'state' | 'folder' | 'category' | 'created_at' | 'started_at'
> & {
  templating: ListedAction['settings']['templating']
  scheduler: StoredScheduler | null
  figures: Figures
}

/** The actions made in a period, ascending id: those after the page's key, at most its limit. */
export async function* listActions(
  db: Db,
  account: AccountId,
  { start, end }: Period,
  page: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<ListedAction> {
  const date = (instant: number | undefined) => (instant === undefined ? null : new Date(instant))
  const query = sql<Listed>`
    select a.id, a.type, a.name, a.state, a.folder, a.category, a.created_at, a.started_at, a.settings->'templating' as templating,
      a.scheduler, case when a.started_at is not null then ${runFigures} end as figures
    from actions a
    where a.account = ${account} and a.deleted_at is null and a.id > ${page.after ?? 0}
      and (${date(start)}::timestamptz is null or a.created_at >= ${date(start)})
      and (${date(end)}::timestamptz is null or a.created_at < ${date(end)})
    order by a.id limit ${page.limit ?? null}`
  for await (const row of rows(db, query)) yield showListed(row)
}

function showListed({
  id,
  type,
  name,
  state,
  folder,
  category,
  created_at,
  started_at,
  templating,
  scheduler,
  figures,
}: Listed): ListedAction {
  return {
    type,
    id: actionId(id),
    name,
    creationDate: created_at.toISOString(),
    informations: { folder, category, state },
    state,
    settings: { templating },
    ...(isCampaign(type) &&
      scheduler && { scheduler: datesOf({ scheduler, started_at }), monitor: monitorOf(figures, started_at) }),
  }
}
