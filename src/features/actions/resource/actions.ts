import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { ActionType } from '../../../channels/facts.ts'
import { type Db, inTransaction, json } from '../../../database/connection/connect.ts'
import { refusing } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequest, conflict, type Fault, invalid, notFound } from '../../../lib/errors/problem.ts'
import { readName } from '../../../lib/text/names.ts'
import { cancelSendings } from '../../../sending/plan/sendings.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { loadFields } from '../../contacts/fields/stored-definitions.ts'
import { requireSegments } from '../../segments/members/audience.ts'
import type { MadeDesign } from '../content/design-content.ts'
import { type GivenExperiment, schedulerFaults, withExperiment } from '../experiments/reading.ts'
import { refuseUnknownInGoal } from '../goals/goal-references.ts'
import type { ActionContent, CommonBody, Documents, Surroundings } from './action-format.ts'
import { judgedState } from './action-presenter.ts'
import { type ActionRef, loadAction, lockAction, replaceSegments, type Segments } from './action-repository.ts'
import { newScheduler, readScheduler } from './parse-action-body.ts'
import { defaultField, fieldFaults } from './references.ts'
import { decide, isCampaign } from './states.ts'

export const NAME_LENGTH = 255

/** Names an action of the family that a function is called for. */
type Named = Omit<ActionRef, 'family'>

async function loadSurroundings(db: Db, account: AccountId): Promise<Surroundings> {
  const { fields } = await loadFields(db, account)
  return { account, fields, sending: await readSendingSettings(db, account) }
}

/** An empty action of a type, with the account's defaults. */
function newAction<Body extends CommonBody>(
  { empty }: Documents<Body, unknown>,
  type: ActionType,
  body: Body,
  surroundings: Surroundings,
): ActionContent {
  const field = body.settings?.field ?? defaultField(type, surroundings.fields)
  return {
    type,
    name: '',
    description: null,
    folder: surroundings.sending.defaultFolder,
    ...empty(type, body, { ...surroundings, field }),
    scheduler: isCampaign(type) ? newScheduler() : null,
  }
}

/** Reads a body into what is stored. Throws 400 with every fault. */
function read<Body extends CommonBody>(
  documents: Documents<Body, unknown>,
  stored: ActionContent,
  body: Body,
  surroundings: Surroundings,
): ActionContent {
  const { fields, sending } = surroundings
  const faults: Fault[] = fieldFaults(stored.type, fields, body)
  const { description, informations, scheduler } = body
  if (scheduler != null && stored.scheduler === null) {
    faults.push({ pointer: '/scheduler', detail: 'is for campaigns only' })
  }
  const parts = documents.read(stored, body, surroundings, faults)
  const experiment = body.settings?.experiment as GivenExperiment | null | undefined
  const changed: ActionContent = {
    type: stored.type,
    name: body.name === undefined && stored.name !== '' ? stored.name : readName(body.name, NAME_LENGTH),
    description: description === undefined ? stored.description : description,
    folder: informations?.folder === undefined ? stored.folder : (informations.folder ?? sending.defaultFolder),
    content: parts.content,
    settings: withExperiment(parts.settings, experiment, stored.type, faults),
    scheduler: scheduler && stored.scheduler ? readScheduler(stored.scheduler, scheduler, faults) : stored.scheduler,
  }
  faults.push(...schedulerFaults(changed))
  if (faults.length > 0) throw invalid(faults)
  return changed
}

/** Throws notFound for the first thing a body names anew that the account does not have. */
async function refuseUnknown<Body extends CommonBody>(
  db: Db,
  documents: Documents<Body, unknown>,
  { stored, body, changed }: { stored: ActionContent; body: Body; changed: ActionContent },
  surroundings: Surroundings,
): Promise<void> {
  await documents.refuseUnknown(db, stored, body, surroundings)
  const { goal } = changed.settings.experiment ?? {}
  // A document may be sent back with what it named already, though that be gone.
  if (goal && !isDeepStrictEqual(goal, stored.settings.experiment?.goal))
    await refuseUnknownInGoal(db, surroundings.account, goal)
  const { selected = [], excluded = [] } = body.scheduler?.segments ?? {}
  await requireSegments(db, surroundings.account, [...selected, ...excluded])
}

/** The category a body asks for, as SQL: null is the default one. */
function categoryOf(account: AccountId, id: number | null) {
  return id === null
    ? sql<number>`(select id from categories where account = ${account} and is_default)`
    : sql<number>`${id}::integer`
}

/** The segments a body gives, by their roles; other members are no roles. */
function segmentsGiven({ scheduler }: CommonBody): Partial<Segments> {
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

/** Writes what a change made of an action, judged anew. Throws notFound (category). */
async function store(
  tx: Db,
  { account, id }: ActionRef,
  changed: ActionContent,
  { category, now }: { category: number | null | undefined; now: Date },
): Promise<void> {
  const update = tx
    .updateTable('actions')
    .set({
      ...columns(changed),
      ...(category !== undefined && { category: categoryOf(account, category) }),
      state: judgedState(changed),
      version: null,
      versions: null,
      updated_at: now,
    })
    .where('id', '=', id)
  await refusing(update.execute(), { foreignKey: () => notFound('category', category ?? 0) })
}

/** Makes an action. Throws 400, 404 for what it names and the account lacks, conflict `field-missing`; then none is made. */
export function createAction<Body extends CommonBody, Shown>(
  db: Db,
  documents: Documents<Body, Shown>,
  { account, body: given, made }: { account: AccountId; body: Body; made?: MadeDesign | undefined },
  now: Date,
): Promise<Shown> {
  const { family } = documents
  const body = documents.tidied(given)
  return inTransaction(db, async (tx) => {
    const { type } = body
    if (type === undefined) throw badRequest('/type', 'is required')
    const surroundings = { ...(await loadSurroundings(tx, account)), made }
    const empty = newAction(documents, type, body, surroundings)
    const content = read(documents, empty, body, surroundings)
    await refuseUnknown(tx, documents, { stored: empty, body, changed: content }, surroundings)
    const id = await insertAction(tx, account, content, { category: body.informations?.category ?? null, now })
    await replaceSegments(tx, { account, id }, segmentsGiven(body))
    return documents.show(await loadAction(tx, { family, account, id }))
  })
}

/** One action. Throws notFound, also when it was deleted. */
export async function readAction<Shown>(
  db: Db,
  { family, show }: Pick<Documents<never, Shown>, 'family' | 'show'>,
  named: Named,
): Promise<Shown> {
  const action = await loadAction(db, { family, ...named })
  decide('read', action)
  return show(action)
}

/** A change of an action; `whole`: the body is the action, so that what it lacks is as in a new one. */
interface Change<Body> extends Named {
  body: Body
  whole?: boolean
  made?: MadeDesign | undefined
}

/** Changes the members given and judges the action anew. Throws notFound, 400, 404, conflict `action-state`, `type-fixed`. */
export function updateAction<Body extends CommonBody, Shown>(
  db: Db,
  documents: Documents<Body, Shown>,
  { account, id, body: given, whole = false, made }: Change<Body>,
  now: Date,
): Promise<Shown> {
  const { family } = documents
  const ref = { family, account, id }
  const body = documents.tidied(given)
  return inTransaction(db, async (tx) => {
    const stored = await lockAction(tx, ref)
    decide('update', stored)
    if (body.type !== undefined && body.type !== stored.type) {
      throw conflict(
        'type-fixed',
        `The ${family.title} ${family.showId(id)} is a ${stored.type}: its type cannot change.`,
      )
    }
    const surroundings = { ...(await loadSurroundings(tx, account)), made }
    const base = whole ? newAction(documents, stored.type, body, surroundings) : stored
    const changed = read(documents, base, body, surroundings)
    await refuseUnknown(tx, documents, { stored, body, changed }, surroundings)
    const category = body.informations?.category ?? (whole ? null : body.informations?.category)
    await store(tx, ref, changed, { category, now })
    await replaceSegments(tx, stored, { ...(whole && { selected: [], excluded: [] }), ...segmentsGiven(body) })
    return documents.show(await loadAction(tx, ref))
  })
}

/**
 * Deletes an action: its row stays, as its id is never used again; its segments are free. What waits in the outbox is
 * due at once, so that the sender cancels it. Throws notFound, conflict `action-state`.
 */
export function deleteAction(db: Db, ref: ActionRef, now: Date): Promise<void> {
  const { family, account, id } = ref
  return inTransaction(db, async (tx) => {
    const action = await lockAction(tx, ref)
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
    await cancelSendings(tx, { account, sourceKind: family.sourceKind, source: id }, now)
  })
}
