import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import type { RunTraceEntry } from '../run-stepper/run.ts'
import { runTraceColumn, showTraceEntry } from './read-runs.ts'

const DateSchema = Type.String({ format: 'date-time' })
const FreeObjectSchema = Type.Record(Type.String(), Type.Unknown())

/** A run of a workflow, as the export of its contact has it. */
export const ContactWorkflowRun = Type.Object({
  id: Type.String({ description: 'what names it in this account' }),
  workflow: Type.Integer({ description: 'id of the workflow' }),
  version: Type.Integer({ description: 'which version it is' }),
  status: Type.String({ description: 'how it stands' }),
  reason: nullableSchema(Type.String({ description: 'why, in words or by a code' })),
  outcome: nullableSchema(Type.String({ description: 'how it ended' })),
  node: Type.String({ description: 'id of the node' }),
  start: Type.Object(
    {
      type: Type.String({ description: 'which of the possible kinds it is' }),
      id: nullableSchema(Type.String({ description: 'what names it in this account' })),
    },
    { description: 'what started it' },
  ),
  stamp: Type.Object(
    {
      time: Type.Integer({ description: 'milliseconds since 1970' }),
      id: Type.String({ description: 'what names it in this account' }),
      thread: Type.String({ description: 'what names one conversation or send' }),
      set: Type.String({ description: 'id of the batch: a request, or a run' }),
    },
    { description: 'what names one send' },
  ),
  event: nullableSchema({ ...FreeObjectSchema, description: 'the event that it is about' }),
  data: { ...FreeObjectSchema, description: 'values that templates and scripts read as `data`' },
  state: { ...FreeObjectSchema, description: 'values that templates and scripts read as `state`' },
  variables: { ...FreeObjectSchema, description: 'values that templates and scripts read by name' },
  creationDate: { ...DateSchema, description: 'when it was made, in UTC' },
  endDate: nullableSchema({ ...DateSchema, description: 'when it ends or ended, in UTC' }),
  trace: Type.Array(Type.Unknown(), { description: 'what it did, in order' }),
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
