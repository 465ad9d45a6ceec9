import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { ActionFamily } from '../../../channels/action-families.ts'
import type { ChannelActionType } from '../../../channels/channel-traits.ts'
import { type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../../database/errors.ts'
import type { AccountId } from '../../../lib/account.ts'
import {
  badRequestProblem,
  conflictProblem,
  invalidRequestProblem,
  notFoundProblem,
  type ProblemFault,
} from '../../../lib/errors/problem.ts'
import { parseResourceName } from '../../../lib/text/names.ts'
import { cancelSendings } from '../../../sending/plan/sendings.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { loadContactDefinitions } from '../../contacts/fields/stored-definitions.ts'
import { requireSegments } from '../../segments/members/segment-audience.ts'
import type { CompiledDesign } from '../content/design-content.ts'
import { applyExperiment, type ExperimentInput, findSchedulerConflicts } from '../experiments/reading.ts'
import { requireGoalReferences } from '../goals/goal-references.ts'
import type { ActionDefinition, ActionFormat, ActionReferences, CommonActionBody } from './action-format.ts'
import { deriveActionState } from './action-presenter.ts'
import {
  type ActionRef,
  type ActionSegments,
  loadAction,
  replaceActionSegments,
  type StoredAction,
} from './action-repository.ts'
import { createActionScheduler, parseActionScheduler } from './parse-action-body.ts'
import { findFieldFaults, requireDefaultField } from './references.ts'
import { decideActionTransition, isCampaignType } from './states.ts'

export const MAX_ACTION_NAME_LENGTH = 255

/** Names an action of the family that a function is called for. */
type FamilyActionRef = Omit<ActionRef, 'family'>

async function loadReferences(db: Db, account: AccountId): Promise<ActionReferences> {
  const { fields } = await loadContactDefinitions(db, account)
  return { account, fields, sending: await readSendingSettings(db, account) }
}

/** An empty action of a type, with the account's defaults. */
function buildEmptyAction<Body extends CommonActionBody>(
  { empty }: ActionFormat<Body, unknown>,
  type: ChannelActionType,
  body: Body,
  surroundings: ActionReferences,
): ActionDefinition {
  const field = body.settings?.field ?? requireDefaultField(type, surroundings.fields)
  return {
    type,
    name: '',
    description: null,
    folder: surroundings.sending.defaultFolder,
    ...empty(type, body, { ...surroundings, field }),
    scheduler: isCampaignType(type) ? createActionScheduler() : null,
  }
}

/** Reads a body into what is stored. Throws 400 with every fault. */
function parseBody<Body extends CommonActionBody>(
  documents: ActionFormat<Body, unknown>,
  storedAction: ActionDefinition,
  body: Body,
  surroundings: ActionReferences,
): ActionDefinition {
  const { fields, sending } = surroundings
  const faults: ProblemFault[] = findFieldFaults(storedAction.type, fields, body)
  const { description, informations, scheduler } = body
  if (scheduler != null && storedAction.scheduler === null) {
    faults.push({ pointer: '/scheduler', detail: 'is for campaigns only' })
  }
  const parts = documents.read(storedAction, body, surroundings, faults)
  const experiment = body.settings?.experiment as ExperimentInput | null | undefined
  const changed: ActionDefinition = {
    type: storedAction.type,
    name:
      body.name === undefined && storedAction.name !== ''
        ? storedAction.name
        : parseResourceName(body.name, MAX_ACTION_NAME_LENGTH),
    description: description === undefined ? storedAction.description : description,
    folder: informations?.folder === undefined ? storedAction.folder : (informations.folder ?? sending.defaultFolder),
    content: parts.content,
    settings: applyExperiment(parts.settings, experiment, storedAction.type, faults),
    scheduler:
      scheduler && storedAction.scheduler
        ? parseActionScheduler(storedAction.scheduler, scheduler, faults)
        : storedAction.scheduler,
  }
  faults.push(...findSchedulerConflicts(changed))
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return changed
}

/** Throws notFound for the first new reference of a body that the account does not have. */
async function requireKnownReferences<Body extends CommonActionBody>(
  db: Db,
  documents: ActionFormat<Body, unknown>,
  { stored: storedAction, body, changed }: { stored: ActionDefinition; body: Body; changed: ActionDefinition },
  surroundings: ActionReferences,
): Promise<void> {
  await documents.refuseUnknown(db, storedAction, body, surroundings)
  const { goal } = changed.settings.experiment ?? {}
  // A document may be sent back with what it named already, though that be gone.
  if (goal && !isDeepStrictEqual(goal, storedAction.settings.experiment?.goal))
    await requireGoalReferences(db, surroundings.account, goal)
  const { selected = [], excluded = [] } = body.scheduler?.segments ?? {}
  await requireSegments(db, surroundings.account, [...selected, ...excluded])
}

/** The category a body asks for, as SQL: null is the default one. */
function buildCategoryValue(account: AccountId, id: number | null) {
  return id === null
    ? sql<number>`(select id from categories where account = ${account} and is_default)`
    : sql<number>`${id}::integer`
}

/** The segments a body gives, by their roles; other members are no roles. */
function listBodySegments({ scheduler }: CommonActionBody): Partial<ActionSegments> {
  const { selected, excluded } = scheduler?.segments ?? {}
  return { ...(selected && { selected }), ...(excluded && { excluded }) }
}

function toActionColumns({ settings, content, scheduler, ...otherMembers }: ActionDefinition) {
  return {
    ...otherMembers,
    settings: toJsonbText(settings),
    content: toJsonbText(content),
    scheduler: scheduler && toJsonbText(scheduler),
  }
}

/** Stores a new action in the state it has by itself. */
export async function insertAction(
  tx: Db,
  account: AccountId,
  content: ActionDefinition,
  { category, now }: { category: number | null; now: Date },
): Promise<number> {
  const row = {
    account,
    ...toActionColumns(content),
    category: buildCategoryValue(account, category),
    state: deriveActionState(content),
    created_at: now,
    updated_at: now,
  }
  const insertQuery = tx.insertInto('actions').values(row).returning('id').executeTakeFirstOrThrow()
  const { id } = await mapConstraintErrors(insertQuery, {
    foreignKey: () => notFoundProblem('category', category ?? 0),
  })
  return id
}

/** Stores a changed action and recomputes its state. Throws notFound (category). */
async function storeChanges(
  tx: Db,
  { account, id }: ActionRef,
  changed: ActionDefinition,
  { category, now }: { category: number | null | undefined; now: Date },
): Promise<void> {
  const updateQuery = tx
    .updateTable('actions')
    .set({
      ...toActionColumns(changed),
      ...(category !== undefined && { category: buildCategoryValue(account, category) }),
      state: deriveActionState(changed),
      version: null,
      versions: null,
      updated_at: now,
    })
    .where('id', '=', id)
  await mapConstraintErrors(updateQuery.execute(), { foreignKey: () => notFoundProblem('category', category ?? 0) })
}

/** Makes an action. Throws 400, 404 for what it names and the account lacks, conflict `field-missing`; then none is made. */
export function createAction<Body extends CommonActionBody, Shown>(
  db: Db,
  documents: ActionFormat<Body, Shown>,
  {
    account,
    body: rawBody,
    made: compiledDesign,
  }: { account: AccountId; body: Body; made?: CompiledDesign | undefined },
  now: Date,
): Promise<Shown> {
  const { family } = documents
  const body = documents.tidied(rawBody)
  return inTransaction(db, async (tx) => {
    const { type } = body
    if (type === undefined) throw badRequestProblem('/type', 'is required')
    const surroundings = { ...(await loadReferences(tx, account)), made: compiledDesign }
    const emptyAction = buildEmptyAction(documents, type, body, surroundings)
    const content = parseBody(documents, emptyAction, body, surroundings)
    await requireKnownReferences(tx, documents, { stored: emptyAction, body, changed: content }, surroundings)
    const id = await insertAction(tx, account, content, { category: body.informations?.category ?? null, now })
    await replaceActionSegments(tx, { account, id }, listBodySegments(body))
    return documents.show(await loadAction(tx, { family, account, id }))
  })
}

/** One action. Throws notFound, also when it was deleted. */
export async function readAction<Shown>(
  db: Db,
  { family, show }: Pick<ActionFormat<never, Shown>, 'family' | 'show'>,
  actionRef: FamilyActionRef,
): Promise<Shown> {
  return presentAction({ show }, await loadAction(db, { family, ...actionRef }))
}

/** A loaded action as it is shown. Throws notFound when it was deleted. */
export function presentAction<Shown>({ show }: Pick<ActionFormat<never, Shown>, 'show'>, action: StoredAction): Shown {
  decideActionTransition('read', action)
  return show(action)
}

/** A change of an action; `whole`: the body is the action, so that what it lacks is as in a new one. */
interface ActionChange<Body> {
  body: Body
  whole?: boolean
  made?: CompiledDesign | undefined
  now: Date
}

/**
 * Changes the members of the body of a locked action and recomputes its state. Throws 400, 404, conflict `action-state`,
 * `type-fixed`.
 */
export async function updateAction<Body extends CommonActionBody>(
  tx: Db,
  documents: ActionFormat<Body, unknown>,
  storedAction: StoredAction,
  { body: rawBody, whole = false, made: compiledDesign, now }: ActionChange<Body>,
): Promise<StoredAction> {
  const { family } = documents
  const { account, id } = storedAction
  const ref = { family, account, id }
  const body = documents.tidied(rawBody)
  decideActionTransition('update', storedAction)
  if (body.type !== undefined && body.type !== storedAction.type) {
    throw conflictProblem(
      'type-fixed',
      `The ${family.title} ${family.showId(id)} is a ${storedAction.type}. Its type cannot be changed.`,
    )
  }
  const surroundings = { ...(await loadReferences(tx, account)), made: compiledDesign }
  const baseAction = whole ? buildEmptyAction(documents, storedAction.type, body, surroundings) : storedAction
  const changed = parseBody(documents, baseAction, body, surroundings)
  await requireKnownReferences(tx, documents, { stored: storedAction, body, changed }, surroundings)
  const category = body.informations?.category ?? (whole ? null : body.informations?.category)
  await storeChanges(tx, ref, changed, { category, now })
  await replaceActionSegments(tx, storedAction, {
    ...(whole && { selected: [], excluded: [] }),
    ...listBodySegments(body),
  })
  return loadAction(tx, ref)
}

/**
 * Deletes a locked action: its row stays, as its id is never used again; its segments are free. What waits in the outbox is
 * due at once, so that the sender cancels it. Throws conflict `action-state`.
 */
export async function deleteAction(tx: Db, family: ActionFamily, action: StoredAction, now: Date): Promise<void> {
  const { account, id, last_validation: lastValidation } = action
  decideActionTransition('delete', action)
  const stoppedValidation = lastValidation?.result === 'running' && {
    last_validation: toJsonbText({ ...lastValidation, result: 'stopped', endedAt: now.toISOString() }),
  }
  await tx
    .updateTable('actions')
    .set({ deleted_at: now, ...stoppedValidation })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('action_segments').where('action', '=', id).execute()
  await cancelSendings(tx, { account, sourceKind: family.sourceKind, source: id }, now)
}
