import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { inTransaction, toJsonbText } from '../../../src/database/connection/connect.ts'
import { leaseListenerPartitions } from '../../../src/features/listeners/partitions.ts'
import {
  registerWorkflowInterests,
  WORKFLOW_LISTENER_KIND,
  waitForWorkflowListening,
} from '../../../src/features/workflows/definition/event-interests.ts'
import {
  createWorkflowDefinition,
  parseWorkflowDefinition,
} from '../../../src/features/workflows/definition/parse-definition.ts'
import type { WorkflowDefinition } from '../../../src/features/workflows/definition/workflow-definition.ts'
import { dispatchWorkflowEvents } from '../../../src/features/workflows/dispatch/dispatch-events.ts'
import { openWorkflowEngine } from '../../../src/features/workflows/engine/engine.ts'
import type { WorkflowEngineContext } from '../../../src/features/workflows/engine/engine-context.ts'
import { createWorkflowWorker, type WorkflowWorker } from '../../../src/features/workflows/engine/worker.ts'
import { type RunStart, type RunStartResult, startRuns } from '../../../src/features/workflows/starts/start-runs.ts'
import { scheduleWorkflowTasks } from '../../../src/features/workflows/tasks/schedule-tasks.ts'
import { createWorkflowTaskWorker, type WorkflowTaskWorker } from '../../../src/features/workflows/tasks/task-worker.ts'
import { createUuidV7 } from '../../../src/lib/ids.ts'
import type { Harness } from '../harness.ts'

/** A workflow as a test writes it: what is left out is as of a new one. */
export type GivenWorkflow = { [Part in keyof WorkflowDefinition]?: unknown }

export interface WorkflowStage {
  engine: WorkflowEngineContext
  worker: WorkflowWorker
  tasks: WorkflowTaskWorker
  /** Stores an active workflow; gives its number. */
  activate(given: GivenWorkflow): Promise<number>
  start(workflow: number, given?: Partial<RunStart>): Promise<RunStartResult>
  /** Performs all that is due. */
  work(): Promise<void>
  /** Takes all events that are queued. */
  dispatch(): Promise<void>
  /** Dispatches and performs in turns, until nothing is left to do. */
  settle(): Promise<void>
  /** A run, with the nodes of its trace. */
  run(
    id: string,
  ): Promise<Record<string, unknown> & { trace: { node: string; outcome: string; next: string | null }[] }>
}

/** Runs workflows of the first account of a harness, in its process, by its clock. */
export function workflowStage({ context, own, clock, crossSomewhere }: Harness): WorkflowStage {
  const { db } = context
  const engine = openWorkflowEngine(context)
  const worker = createWorkflowWorker(engine)

  async function activate(given: GivenWorkflow): Promise<number> {
    const secrets = { seal: (_: string, secret: string) => secret, open: (_: string, sealed: string) => sealed }
    const reader = { timeZone: 'Europe/Paris', secrets, now: clock.now(), strict: true }
    const base = createWorkflowDefinition(reader)
    const definition = parseWorkflowDefinition(given, { kept: base, stored: base }, reader)
    const now = new Date(clock.now())
    const { rows } = await sql<{ id: number }>`
      with made as (
        insert into workflows (account, name, state, state_since, created_at, updated_at)
        values (${own.account}, 'test', 1, ${now}, ${now}, ${now}) returning account, id, version)
      insert into workflow_versions (account, workflow, version, definition, created_at)
      select account, id, version, ${toJsonbText(definition)}::jsonb, ${now} from made returning workflow as id`.execute(
      db,
    )
    const { id } = rows[0]!
    await scheduleWorkflowTasks(db, { account: own.account, id }, { before: null, after: definition }, clock.now())
    await inTransaction(db, (tx) => registerWorkflowInterests(tx, { account: own.account, id }))
    await waitForWorkflowListening(db, own.account)
    return id
  }

  const taker = { taker: randomUUID() }
  async function dispatch(): Promise<number> {
    await crossSomewhere()
    await leaseListenerPartitions(db, { kind: WORKFLOW_LISTENER_KIND, ...taker }, 600_000)
    let total = 0
    for (let taken = 1; taken > 0; total += taken) taken = await dispatchWorkflowEvents(engine, taker)
    return total
  }

  async function work(): Promise<number> {
    await crossSomewhere()
    let total = 0
    for (let taken = 1; taken > 0; total += taken) taken = await worker.work()
    await worker.idle()
    return total
  }

  async function start(workflow: number, given: Partial<RunStart> = {}): Promise<RunStartResult> {
    const key = { account: own.account, workflow, version: 1 }
    const definition = (await engine.definitions.load(db, [key]))(key)!
    const stamp = createUuidV7(clock.now())
    const [started] = await inTransaction(db, (tx) =>
      startRuns(
        tx,
        [
          {
            definition,
            contact: null,
            entryKey: null,
            node: definition.entry!,
            type: 'execution',
            source: null,
            event: null,
            data: {},
            state: {},
            variables: {},
            depth: 0,
            id: null,
            after: null,
            zone: 'Europe/Paris',
            stamp: { id: stamp, thread: stamp, set: stamp, time: clock.now() },
            ...given,
          },
        ],
        clock.now(),
      ),
    )
    return started!
  }

  return {
    engine,
    worker,
    tasks: createWorkflowTaskWorker(engine),
    activate,
    start,
    async work() {
      await work()
    },
    async dispatch() {
      await dispatch()
    },
    async settle() {
      while ((await dispatch()) + (await work()) > 0);
    },
    async run(id) {
      const { rows } = await sql<Record<string, unknown>>`
        select r.*, coalesce((
          select jsonb_agg(e order by (e ->> 'seq')::integer) from workflow_traces t, jsonb_array_elements(t.entries) e
          where t.account = r.account and t.run = r.id), '[]') as trace
        from workflow_runs r where r.account = ${own.account} and r.id = ${id}`.execute(db)
      return rows[0] as never
    },
  }
}
