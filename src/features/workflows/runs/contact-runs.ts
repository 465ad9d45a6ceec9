import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import type { RunTraceEntry } from '../run-stepper/run.ts'
import { runTraceColumn, showTraceEntry } from './read-runs.ts'
import { WorkflowTraceEntry } from './run-schemas.ts'

const DateSchema = Type.String({ format: 'date-time' })
const FreeObjectSchema = Type.Record(Type.String(), Type.Unknown())

/** A run of a workflow, as the export of its contact has it. */
export const ContactWorkflowRun = Type.Object({
  id: Type.String({ description: 'ID of the run.' }),
  workflow: Type.Integer({ description: 'ID of the workflow.' }),
  version: Type.Integer({ description: 'Version of the workflow that the run follows.' }),
  status: Type.String({
    description:
      'Stored status of the run: `running`, `waiting`, `completed`, `failed`, `killed`, `expired` or `capped`.',
  }),
  reason: nullableSchema(
    Type.String({ description: 'Reason for the status, such as `contact deleted` or `too many nodes`. Null: none.' }),
  ),
  outcome: nullableSchema(Type.String({ description: 'Outcome set by the node that ended the run. Null: none.' })),
  node: Type.String({ description: 'ID of the current or last node.' }),
  start: Type.Object(
    {
      type: Type.String({ description: 'Type of the start: `execution`, `listener` or `task`.' }),
      id: nullableSchema(Type.String({ description: 'ID of the listener or task. Null: an execution.' })),
    },
    { description: 'Origin of the run.' },
  ),
  stamp: Type.Object(
    {
      time: Type.Integer({ description: 'Time in milliseconds since 1970.' }),
      id: Type.String({ description: 'ID of the stamp.' }),
      thread: Type.String({
        description: 'ID of the thread that the run shares with its messages and the reactions to them.',
      }),
      set: Type.String({ description: 'ID of the batch: the items of one request, or the runs of one firing.' }),
    },
    { description: 'Stamp that identifies the run in its messages and events.' },
  ),
  event: nullableSchema({
    ...FreeObjectSchema,
    description: 'Event that templates and scripts read as `event`. Null: none.',
  }),
  data: { ...FreeObjectSchema, description: 'Values that templates and scripts read as `data`.' },
  state: { ...FreeObjectSchema, description: 'Values that templates and scripts read as `state`.' },
  variables: { ...FreeObjectSchema, description: 'Values that templates and scripts read by name.' },
  creationDate: { ...DateSchema, description: 'Time of creation, in UTC.' },
  endDate: nullableSchema({ ...DateSchema, description: 'Time of the end, in UTC. Null: the run is open.' }),
  trace: Type.Array(WorkflowTraceEntry, {
    description: 'Visited nodes in order, as far as the `trace` setting keeps them.',
  }),
})
export type ContactWorkflowRun = Static<typeof ContactWorkflowRun>

interface ContactRunRow extends Omit<ContactWorkflowRun, 'start' | 'stamp' | 'creationDate' | 'endDate' | 'trace'> {
  startType: string
  startId: string | null
  stampTime: Date
  stamp: string
  thread: string
  set: string
  createdAt: Date
  endedAt: Date | null
  trace: RunTraceEntry[]
}

/** Runs of a contact in all workflows, the first one first. */
export async function* streamContactRuns(
  db: Db,
  account: AccountId,
  contact: number,
): AsyncGenerator<ContactWorkflowRun> {
  const query = sql<ContactRunRow>`
    select r.id, r.workflow, r.version, r.status, r.reason, r.outcome, r.node, r.start_type as "startType", r.start_id as "startId",
      r.stamp, r.stamp_time as "stampTime", r.thread, r.set, r.event, r.data, r.state, r.variables, r.created_at as "createdAt",
      r.ended_at as "endedAt", ${runTraceColumn}
    from workflow_runs r where r.account = ${account} and r.contact = ${contact} order by r.created_at, r.id`
  for await (const {
    startType,
    startId,
    stampTime,
    stamp,
    thread,
    set: setId,
    createdAt,
    endedAt,
    ...row
  } of streamRows(db, query)) {
    yield {
      ...row,
      start: { type: startType, id: startId },
      stamp: { time: stampTime.getTime(), id: stamp, thread, set: setId },
      creationDate: createdAt.toISOString(),
      endDate: endedAt?.toISOString() ?? null,
      trace: row.trace.map(showTraceEntry),
    }
  }
}
