import type { Db } from '../../../database/connection/connect.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import { type ContactLookup, findContacts } from '../../contacts/records/find.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import type { ReadyDefinition, RunExpressionScope } from '../engine/ready-definition.ts'
import { type RunContact, resolveRunZones } from '../engine/run-contacts.ts'
import type { WorkflowTask } from './task-definitions.ts'
import type { FiringBatch, TaskFiring } from './task-firings.ts'

/** A task of an active workflow, by its current version. */
export interface ActiveWorkflowTask {
  definition: ReadyDefinition
  task: WorkflowTask
}

/** A row with what its run begins with; `data` null: its projection failed. */
export interface ProjectedTaskRow {
  /** Its place in the batch. */
  place: number
  contact: number | null
  read: RunContact | null
  data: Record<string, unknown> | null
}

/** Expressions of rows that are evaluated at once. */
const EVALUATION_BATCH_SIZE = 100

/** Creates the scope of a task's expressions, without the values of a row. */
export function createTaskScope(
  context: WorkflowEngineContext,
  { definition, task }: ActiveWorkflowTask,
  firing: TaskFiring,
): RunExpressionScope {
  const time = (firing.minute ?? firing.startedAt).toISOString()
  return {
    task: { id: task.id, name: task.name, firing: firing.id, time },
    environment: definition.environment,
    account: context.accounts.describe(definition.account),
    now: new Date(context.clock.now()).toISOString(),
    $zone: definition.settings.timeZone,
  }
}

/** The values of named expressions. Rejects when one of them fails. */
export async function evaluateNamedValues(
  definition: ReadyDefinition,
  expressions: Readonly<Record<string, DefinitionExpression>>,
  scope: RunExpressionScope,
): Promise<Record<string, unknown>> {
  const values = await Promise.all(
    Object.entries(expressions).map(
      async ([name, valueExpression]) => [name, (await definition.run(valueExpression, scope)) ?? null] as const,
    ),
  )
  return Object.fromEntries(values)
}

/** Settles what is done of rows, some at a time; what failed is null. Rejects for what may succeed later. */
async function evaluateInBatches<Row, Result>(
  rows: readonly Row[],
  work: (row: Row) => Promise<Result>,
): Promise<(Result | null)[]> {
  const results: (Result | null)[] = []
  for (let batchStart = 0; batchStart < rows.length; batchStart += EVALUATION_BATCH_SIZE) {
    for (const settledResult of await Promise.allSettled(
      rows.slice(batchStart, batchStart + EVALUATION_BATCH_SIZE).map(work),
    )) {
      if (
        settledResult.status === 'rejected' &&
        settledResult.reason instanceof ScriptFailure &&
        settledResult.reason.isTransient
      )
        throw settledResult.reason
      results.push(settledResult.status === 'fulfilled' ? settledResult.value : null)
    }
  }
  return results
}

/** The contact that a value names: an identification, or a contact's id. */
function toContactLookup(receiverValue: unknown): ContactLookup | undefined {
  if (typeof receiverValue === 'string') return { type: 'id', value: receiverValue }
  if (!isJsonObject(receiverValue)) return undefined
  const { type, id, value } = receiverValue
  if (type === 'footprint') return typeof id === 'string' ? { type, id } : undefined
  if (type === 'unicity') return typeof value === 'string' || Array.isArray(value) ? { type, value } : undefined
  if (type === 'id' || type === 'hash') return typeof value === 'string' ? { type, value } : undefined
  return undefined
}

/** Finds the ids of the contacts that rows name by a receiver; 0 if there is no such contact. */
async function findReceiverIds(
  db: Db,
  { definition }: ActiveWorkflowTask,
  receiver: DefinitionExpression,
  scopes: readonly RunExpressionScope[],
): Promise<number[]> {
  const values = await evaluateInBatches(scopes, (scope) => definition.run(receiver, scope))
  const contactLookups = values.map(toContactLookup)
  const foundContacts = await findContacts(
    db,
    definition.account,
    contactLookups.filter((contactLookup) => contactLookup !== undefined),
  )
  let foundIndex = 0
  return contactLookups.map((contactLookup) => (contactLookup ? (foundContacts[foundIndex++]?.id ?? 0) : 0))
}

/** Finds the contact of each row: null if the row has no contact, 0 if the contact is unknown. */
async function findRowContacts(
  db: Db,
  current: ActiveWorkflowTask,
  { contacts, rows }: FiringBatch,
  scopes: readonly RunExpressionScope[],
): Promise<(number | null)[]> {
  if (contacts) return contacts
  const { provider } = current.task
  const receiver = provider.type === 'compilable' ? provider.value?.receiver : null
  return receiver ? findReceiverIds(db, current, receiver, scopes) : rows!.map(() => null)
}

/** Reads the contacts of a batch, and evaluates what its runs begin with. Rows of contacts that are not known are left out. */
export async function projectTaskRows(
  context: WorkflowEngineContext,
  current: ActiveWorkflowTask,
  firing: TaskFiring,
  batch: FiringBatch,
): Promise<ProjectedTaskRow[]> {
  const { db } = context
  const { definition, task } = current
  const { account } = definition
  await context.accounts.load(db, [account])
  const taskScope = createTaskScope(context, current, firing)
  const scopes = (batch.rows ?? []).map((row): RunExpressionScope => ({ ...taskScope, row }))
  const contacts = await findRowContacts(db, current, batch, scopes)
  const runContacts = await context.contacts(
    db,
    contacts.map((contact) => ({ account, contact })),
  )
  const knownRows = contacts.flatMap((contact, place) =>
    contact === null || runContacts[place] ? [{ place, contact, read: runContacts[place] ?? null }] : [],
  )
  const projection = task.provider.projection as Readonly<Record<string, DefinitionExpression>>
  const data = await evaluateInBatches(knownRows, ({ place, read: runContact }) =>
    evaluateNamedValues(definition, projection, {
      ...(scopes[place] ?? taskScope),
      contact: runContact?.values ?? null,
      $zone: resolveRunZones(definition, runContact).contact,
    }),
  )
  return knownRows.map((row, nth) => ({ ...row, data: data[nth] ?? null }))
}
