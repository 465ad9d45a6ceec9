import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { runEachIsolated } from '../../../jobs/failures.ts'
import type { AccountId } from '../../../lib/account.ts'
import { resolveEventSource } from '../../events/kinds/listened-types.ts'
import {
  findUnsettledAccounts,
  listListenerInterests,
  registerListenerInterest,
  removeListenerInterest,
  waitForListenerInterests,
} from '../../listeners/interests.ts'
import { replaceListenedTypes } from '../../notices/listening.ts'
import { type NoticeType, noticeTypes } from '../../notices/notices.ts'
import { watchSegments } from '../../segments/members/watched.ts'
import { listNodeEventFilters, workflowNodeTypes } from '../nodes/node-types.ts'
import type { WorkflowKey } from '../workflow-repository.ts'
import type { StoredEventFilter } from './event-filters.ts'
import type { WorkflowDefinition } from './workflow-definition.ts'

/** Kind of listener, in the queue of events. */
export const WORKFLOW_LISTENER_KIND = 'workflow'

/** The events that runs of a definition wait for. */
function listAwaitedEvents({ nodes }: Pick<WorkflowDefinition, 'nodes'>): StoredEventFilter[] {
  return nodes
    .filter(({ type }) => workflowNodeTypes.get(type)?.awaitsEvents)
    .flatMap(listNodeEventFilters)
    .map(([, filter]) => filter)
}

/** The events that start runs of a definition. */
function listListenedEvents({ listeners }: Pick<WorkflowDefinition, 'listeners'>): StoredEventFilter[] {
  return listeners.flatMap(({ enabled, event }) => (enabled && event ? [event] : []))
}

/** The segments whose members filters name. */
function listFilterSegments(filters: readonly StoredEventFilter[]): number[] {
  const memberships = filters.filter(({ type }) => type === 'segment.entered' || type === 'segment.left')
  return [...new Set(memberships.flatMap(({ segments }) => segments as readonly number[]))]
}

/** Loads all events that a workflow must be notified of: by its listeners while it is active, and by its open runs in any state. */
async function loadEventFilters(tx: Db, { account, id }: WorkflowKey): Promise<StoredEventFilter[]> {
  const { rows } = await sql<{ listens: boolean; definition: WorkflowDefinition }>`
    select w.state = 1 and v.version = w.version as listens, v.definition
    from workflows w join workflow_versions v on v.account = w.account and v.workflow = w.id
    where w.account = ${account} and w.id = ${id} and w.deleted_at is null
      and ((w.state = 1 and v.version = w.version) or exists (
        select from workflow_runs r where r.account = w.account and r.workflow = w.id and r.version = v.version and r.ended_at is null))`.execute(
    tx,
  )
  return rows.flatMap(({ listens, definition }) => [
    ...listAwaitedEvents(definition),
    ...(listens ? listListenedEvents(definition) : []),
  ])
}

/**
 * Registers the events that a workflow must currently be notified of, in the transaction that changes it; the workflow is locked. The
 * registration is effective once `waitForWorkflowListening`, called after the commit, has returned.
 */
export async function registerWorkflowInterests(tx: Db, key: WorkflowKey): Promise<void> {
  const { account, id } = key
  const eventFilters = await loadEventFilters(tx, key)
  const eventTypes = new Set(eventFilters.map(({ type }) => type))
  const interest = { account, kind: WORKFLOW_LISTENER_KIND, owner: String(id) }
  const sources = [...eventTypes].map((type) => ({ type, source: resolveEventSource(type) }))
  const kinds = sources.flatMap(({ type, source }): readonly string[] =>
    source.from === 'events' ? source.kinds : [type],
  )
  const channels = sources.flatMap(({ source }) => (source.from === 'events' ? source.channels : []))
  if (kinds.length === 0) await removeListenerInterest(tx, interest)
  else {
    await registerListenerInterest(tx, interest, {
      events: [...new Set(kinds)].sort(),
      channels: [...new Set(channels)].sort(),
      classification: ['human'],
      listener: null,
    })
  }
  const notices = noticeTypes.filter((type): type is NoticeType => eventTypes.has(type))
  await replaceListenedTypes(tx, account, `workflow ${id}`, notices)
  await watchSegments(tx, account, `workflow ${id}`, listFilterSegments(eventFilters))
}

/** Waits until no event that is committed later can miss the workflows of an account. Not to be called within a transaction. */
export function waitForWorkflowListening(db: Db, account: AccountId): Promise<void> {
  return waitForListenerInterests(db, account, WORKFLOW_LISTENER_KIND)
}

/** Finishes what processes that died have left: interests that nobody waits for. */
export async function finalizeLeftInterests(db: Db): Promise<void> {
  await runEachIsolated(db, 'listen for workflows', await findUnsettledAccounts(db, WORKFLOW_LISTENER_KIND), {
    subjectOf: (account) => `account ${account}`,
    work: (account) => waitForWorkflowListening(db, account),
  })
}

/** Takes back what workflows listen to that are inactive and whose runs have ended meanwhile. */
export async function purgeWorkflowInterests(db: Db): Promise<void> {
  const interestOwners = await listListenerInterests(db, WORKFLOW_LISTENER_KIND)
  const { rows } = await sql<WorkflowKey>`
    select g.account, g.id from unnest(
      ${interestOwners.map(({ account }) => account)}::integer[], ${interestOwners.map(({ owner }) => Number(owner))}::integer[]) as g (account, id)
    where not exists (
      select from workflows w where w.account = g.account and w.id = g.id and w.state = 1 and w.deleted_at is null)`.execute(
    db,
  )
  await runEachIsolated(db, 'forgetInterests', rows, {
    subjectOf: ({ id }) => `workflow ${id}`,
    async work(key) {
      await inTransaction(db, async (tx) => {
        await sql`select from workflows where account = ${key.account} and id = ${key.id} for no key update`.execute(tx)
        await registerWorkflowInterests(tx, key)
      })
      await waitForWorkflowListening(db, key.account)
    },
  })
}
