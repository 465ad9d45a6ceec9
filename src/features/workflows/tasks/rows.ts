import type { Db } from '../../../database/connection/connect.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import { type ContactLookup, findContacts } from '../../contacts/records/find.ts'
import type { WorkflowEngineContext } from '../engine/context.ts'
import type { ReadyDefinition, RunExpressionScope } from '../engine/ready-definition.ts'
import { type RunContact, resolveRunZones } from '../engine/run-contacts.ts'
import type { FiringBatch, TaskFiring } from './firings.ts'
import type { WorkflowTask } from './task-definitions.ts'

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
const TOGETHER = 100

/** What expressions of a task see, beside what is of a row. */
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
    Object.entries(expressions).map(async ([name, one]) => [name, (await definition.run(one, scope)) ?? null] as const),
  )
  return Object.fromEntries(values)
}

/** Settles what is done of rows, some at a time; what failed is null. Rejects for what may succeed later. */
async function settle<Row, Result>(
  rows: readonly Row[],
  work: (row: Row) => Promise<Result>,
): Promise<(Result | null)[]> {
  const results: (Result | null)[] = []
  for (let from = 0; from < rows.length; from += TOGETHER) {
    for (const settled of await Promise.allSettled(rows.slice(from, from + TOGETHER).map(work))) {
      if (settled.status === 'rejected' && settled.reason instanceof ScriptFailure && settled.reason.isTransient)
        throw settled.reason
      results.push(settled.status === 'fulfilled' ? settled.value : null)
    }
  }
  return results
}

/** The contact that a value names: an identification, or a contact's id. */
function soughtOf(given: unknown): ContactLookup | undefined {
  if (typeof given === 'string') return { type: 'id', value: given }
  if (!isJsonObject(given)) return undefined
  const { type, id, value } = given
  if (type === 'footprint') return typeof id === 'string' ? { type, id } : undefined
  if (type === 'unicity') return typeof value === 'string' || Array.isArray(value) ? { type, value } : undefined
  if (type === 'id' || type === 'hash') return typeof value === 'string' ? { type, value } : undefined
  return undefined
}

/** Ids of the contacts that rows name by a receiver; 0: there is none. */
async function receiversOf(
  db: Db,
  { definition }: ActiveWorkflowTask,
  receiver: DefinitionExpression,
  scopes: readonly RunExpressionScope[],
): Promise<number[]> {
  const values = await settle(scopes, (scope) => definition.run(receiver, scope))
  const sought = values.map(soughtOf)
  const found = await findContacts(
    db,
    definition.account,
    sought.filter((one) => one !== undefined),
  )
  let next = 0
  return sought.map((one) => (one ? (found[next++]?.id ?? 0) : 0))
}

/** Which contact each row is for; null: none, 0: it is not known. */
async function contactsOf(
  db: Db,
  current: ActiveWorkflowTask,
  { contacts, rows }: FiringBatch,
  scopes: readonly RunExpressionScope[],
): Promise<(number | null)[]> {
  if (contacts) return contacts
  const { provider } = current.task
  const receiver = provider.type === 'compilable' ? provider.value?.receiver : null
  return receiver ? receiversOf(db, current, receiver, scopes) : rows!.map(() => null)
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
  const base = createTaskScope(context, current, firing)
  const scopes = (batch.rows ?? []).map((row): RunExpressionScope => ({ ...base, row }))
  const contacts = await contactsOf(db, current, batch, scopes)
  const read = await context.contacts(
    db,
    contacts.map((contact) => ({ account, contact })),
  )
  const known = contacts.flatMap((contact, place) =>
    contact === null || read[place] ? [{ place, contact, read: read[place] ?? null }] : [],
  )
  const projection = task.provider.projection as Readonly<Record<string, DefinitionExpression>>
  const data = await settle(known, ({ place, read: one }) =>
    evaluateNamedValues(definition, projection, {
      ...(scopes[place] ?? base),
      contact: one?.values ?? null,
      $zone: resolveRunZones(definition, one).contact,
    }),
  )
  return known.map((row, nth) => ({ ...row, data: data[nth] ?? null }))
}
