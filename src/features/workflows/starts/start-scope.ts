import type { Db } from '../../../database/connection/connect.ts'
import { formatContactId } from '../../../lib/ids.ts'
import type { ListenedEvent } from '../dispatch/event-records.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import type { ReadyDefinition, ReadyListener, RunExpressionScope } from '../engine/ready-definition.ts'
import type { RunContact } from '../engine/run-contacts.ts'
import { resolveRunZones } from '../engine/run-contacts.ts'

/** State of a start before its run exists. */
export interface PendingRunStart {
  definition: ReadyDefinition
  contact: number | null
  event?: Record<string, unknown> | null
  data?: Record<string, unknown>
  state?: Record<string, unknown>
  variables?: Record<string, unknown>
}

/** Key by which re-entry and concurrency count a start, and the time zone of its contact. */
export interface RunStartKey {
  key: string | null
  zone: string
}

const MAX_KEY_LENGTH = 256

function buildStartScope(
  context: WorkflowEngineContext,
  { definition, ...startValues }: PendingRunStart,
  contact: RunContact | null,
): RunExpressionScope {
  const { data = {}, state = {}, variables = {}, event = null } = startValues
  const now = context.clock.now()
  return {
    contact: contact?.values ?? null,
    data,
    state,
    variables,
    event,
    stamp: null,
    last: null,
    run: null,
    environment: definition.environment,
    account: context.accounts.describe(definition.account),
    now: new Date(now).toISOString(),
    $zone: resolveRunZones(definition, contact).contact,
  }
}

function toKeyText(value: unknown): string {
  const text =
    typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
  return text.length > MAX_KEY_LENGTH ? '' : text
}

/**
 * The keys of starts, in their order; `loadedContacts`: their contacts, when they have been read. A key that cannot be evaluated is empty,
 * which refuses the start.
 */
export async function resolveEntryKeys(
  context: WorkflowEngineContext,
  db: Db,
  starts: readonly PendingRunStart[],
  loadedContacts?: readonly (RunContact | null)[],
): Promise<RunStartKey[]> {
  await context.accounts.load(
    db,
    starts.map(({ definition }) => definition.account),
  )
  const contactKeys = starts.map(({ definition, contact }) => ({ account: definition.account, contact }))
  const contacts = loadedContacts ?? (await context.contacts(db, contactKeys))
  return Promise.all(
    starts.map(async (start, index): Promise<RunStartKey> => {
      const { definition, contact } = start
      const startContact = contacts[index] ?? null
      const zone = resolveRunZones(definition, startContact).contact
      const { entryKey } = definition.settings
      if (entryKey === null) return { key: contact === null ? null : formatContactId(contact), zone }
      try {
        return { key: toKeyText(await definition.run(entryKey, buildStartScope(context, start, startContact))), zone }
      } catch {
        return { key: '', zone }
      }
    }),
  )
}

/** Reads what filters of listeners see; gives the scope of an event for a workflow. */
export async function createStartScope(
  context: WorkflowEngineContext,
  db: Db,
  events: readonly ListenedEvent[],
  byType: ReadonlyMap<string, readonly { listener: ReadyListener }[]>,
): Promise<(event: ListenedEvent, definition: ReadyDefinition) => RunExpressionScope> {
  await context.accounts.load(
    db,
    events.map(({ row }) => row.account),
  )
  const scopedEvents = events.filter(({ row, types }) =>
    types.some((type) => byType.get(`${row.account} ${type}`)?.some(({ listener }) => listener.filter.usesContact)),
  )
  const eventContacts = await context.contacts(
    db,
    scopedEvents.map(({ row }) => ({ account: row.account, contact: row.contact })),
  )
  const contactByEvent = new Map(scopedEvents.map((event, index) => [event, eventContacts[index] ?? null]))
  const now = new Date(context.clock.now()).toISOString()
  return (event, definition) => ({
    contact: contactByEvent.get(event)?.values ?? null,
    event: event.record,
    environment: definition.environment,
    account: context.accounts.describe(event.row.account),
    now,
    $zone: resolveRunZones(definition, contactByEvent.get(event) ?? null).contact,
  })
}
