import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Db } from '../../../database/connection/connect.ts'
import { rows } from '../../../database/rows/stream.ts'
import type { AccountId } from '../../../lib/account.ts'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import type { TraceEntry } from '../stepping/run.ts'
import { showEntry, traceColumn } from './reading.ts'

const date = Type.String({ format: 'date-time' })
const Free = Type.Record(Type.String(), Type.Unknown())

/** A run of a workflow, as the export of its contact has it. */
export const ContactRun = Type.Object({
  id: Type.String(),
  workflow: Type.Integer(),
  version: Type.Integer(),
  status: Type.String(),
  reason: nullable(Type.String()),
  outcome: nullable(Type.String()),
  node: Type.String(),
  start: Type.Object({ type: Type.String(), id: nullable(Type.String()) }, { description: 'what started it' }),
  stamp: Type.Object({ time: Type.Integer(), id: Type.String(), thread: Type.String(), set: Type.String() }),
  event: nullable(Free),
  data: Free,
  state: { ...Free, description: 'values that templates and scripts read as `state`' },
  variables: Free,
  creationDate: date,
  endDate: nullable(date),
  trace: Type.Array(Type.Unknown(), { description: 'what it did, in order' }),
})
export type ContactRun = Static<typeof ContactRun>

interface Row extends Omit<ContactRun, 'start' | 'stamp' | 'creationDate' | 'endDate' | 'trace'> {
  startType: string
  startId: string | null
  stampTime: Date
  stamp: string
  thread: string
  set: string
  createdAt: Date
  endedAt: Date | null
  trace: TraceEntry[]
}

/** Runs of a contact in all workflows, the first one first. */
export async function* runsOfContact(db: Db, account: AccountId, contact: number): AsyncGenerator<ContactRun> {
  const query = sql<Row>`
    select r.id, r.workflow, r.version, r.status, r.reason, r.outcome, r.node, r.start_type as "startType", r.start_id as "startId",
      r.stamp, r.stamp_time as "stampTime", r.thread, r.set, r.event, r.data, r.state, r.variables, r.created_at as "createdAt",
      r.ended_at as "endedAt", ${traceColumn}
    from workflow_runs r where r.account = ${account} and r.contact = ${contact} order by r.created_at, r.id`
  for await (const { startType, startId, stampTime, stamp, thread, set, createdAt, endedAt, ...row } of rows(
    db,
    query,
  )) {
    yield {
      ...row,
      start: { type: startType, id: startId },
      stamp: { time: stampTime.getTime(), id: stamp, thread, set },
      creationDate: createdAt.toISOString(),
      endDate: endedAt?.toISOString() ?? null,
      trace: row.trace.map(showEntry),
    }
  }
}
