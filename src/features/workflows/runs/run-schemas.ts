import { type Static, Type } from 'typebox'
import { ListPageQuery } from '../../../http/resource/list.ts'
import { int32IdLimits } from '../../../lib/int32.ts'
import { buildTypeTag } from '../../../lib/type-tags.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { Footprint } from '../../contacts/records/identification-schemas.ts'

const InstantSchema = Type.String({ format: 'date-time' })
const UuidSchema = Type.String({ format: 'uuid' })
const JsonObjectSchema = Type.Object({}, { additionalProperties: true })

/** Statuses that runs show. Open runs are `paused` while their workflow is inactive. */
export const workflowRunStatuses = [
  'running',
  'waiting',
  'paused',
  'completed',
  'failed',
  'killed',
  'expired',
  'capped',
] as const
export type WorkflowRunStatus = (typeof workflowRunStatuses)[number]

/** One node in a trace, as it is answered. */
export const WorkflowTraceEntry = Type.Object({
  seq: Type.Integer({ description: 'Position of the visit in the run, from 1. Attempts of one visit share it.' }),
  node: Type.String({ description: 'ID of the node.' }),
  type: Type.String({ description: 'Type of the node.' }),
  visit: Type.Integer({ description: 'Number of the visit of this node, from 1.' }),
  attempt: Type.Integer({ description: 'Number of the attempt within the visit, from 1.' }),
  enter: { ...InstantSchema, description: 'Time of entry into the node, in UTC.' },
  leave: { ...InstantSchema, description: 'Time of exit from the node, in UTC.' },
  outcome: Type.String({
    description: 'Outcome of the node, such as `done`, `accepted`, `capped`, `failed` or `timeout`.',
  }),
  next: nullableSchema(Type.String({ description: 'ID of the next node. Null: the run ended.' })),
  detail: nullableSchema({
    ...JsonObjectSchema,
    description: 'Details by type of node, such as the stamp of a send, or the error. Null: none.',
  }),
})
export type WorkflowTraceEntry = Static<typeof WorkflowTraceEntry>

/** A run as a list shows it. */
export const ListedWorkflowRun = Type.Object({
  id: { ...UuidSchema, description: 'ID of the run.' },
  workflow: Type.Integer({ description: 'ID of the workflow.' }),
  version: Type.Integer({ description: 'Version of the workflow that the run follows.' }),
  contact: nullableSchema({ ...Footprint, description: 'Contact of the run. Null: none, or deleted.' }),
  status: Type.Enum([...workflowRunStatuses], {
    description:
      'Status of the run. `running`: due or in progress. `waiting`: until a time or an event. `paused`: open while the workflow is inactive. `completed`, `failed`, `killed`, `expired`, `capped`: ended.',
  }),
  reason: nullableSchema(
    Type.String({ description: 'Reason for the status, such as `contact deleted` or `too many nodes`. Null: none.' }),
  ),
  outcome: nullableSchema(Type.String({ description: 'Outcome set by the node that ended the run. Null: none.' })),
  node: Type.String({ description: 'ID of the current or last node.' }),
  start: Type.Object(
    {
      type: Type.Enum(['execution', 'listener', 'task'], {
        description: 'Type of the start. `execution`: a request. `listener`: an event. `task`: a firing of a task.',
      }),
      id: nullableSchema(Type.String({ description: 'ID of the listener or task. Null: an execution.' })),
    },
    { description: 'Origin of the run.' },
  ),
  depth: Type.Integer({ description: 'Number of runs that led to this one, from 0.' }),
  stamp: Type.Object(
    {
      time: Type.Integer({ description: 'Time in milliseconds since 1970.' }),
      id: { ...UuidSchema, description: 'ID of the stamp.' },
      thread: {
        ...UuidSchema,
        description: 'ID of the thread that the run shares with its messages and the reactions to them.',
      },
      set: { ...UuidSchema, description: 'ID of the batch: the items of one request, or the runs of one firing.' },
    },
    { description: 'Stamp that identifies the run in its messages and events.' },
  ),
  wake: nullableSchema({
    ...InstantSchema,
    description: 'Time at which the run continues on its own, in UTC. Null: none is set.',
  }),
  steps: Type.Integer({ description: 'Number of node visits.' }),
  creationDate: { ...InstantSchema, description: 'Time of creation, in UTC.' },
  updateDate: { ...InstantSchema, description: 'Time of the last change, in UTC.' },
  endDate: nullableSchema({ ...InstantSchema, description: 'Time of the end, in UTC. Null: the run is open.' }),
})
export type ListedWorkflowRun = Static<typeof ListedWorkflowRun>

export const WorkflowRun = Type.Object({
  ...ListedWorkflowRun.properties,
  data: { ...JsonObjectSchema, description: 'Values that templates and scripts read as `data`.' },
  state: { ...JsonObjectSchema, description: 'Values that templates and scripts read as `state`.' },
  variables: { ...JsonObjectSchema, description: 'Values that templates and scripts read by name.' },
  trace: Type.Array(WorkflowTraceEntry, {
    description: 'Visited nodes in order, as far as the `trace` setting keeps them.',
  }),
})
export type WorkflowRun = Static<typeof WorkflowRun>

export const WorkflowRunParams = Type.Object({ id: Type.String(), run: Type.String() })

const sortParameter = Type.Optional(Type.Enum(['asc', 'desc'], { description: 'Order by date; default: ascending.' }))
const periodParameters = {
  start: Type.Optional(
    Type.String({ description: 'Start of the period, inclusive: an ISO 8601 date, or milliseconds since 1970.' }),
  ),
  end: Type.Optional(
    Type.String({ description: 'End of the period, exclusive: an ISO 8601 date, or milliseconds since 1970.' }),
  ),
}

export const WorkflowRunQuery = Type.Object({
  ...ListPageQuery.properties,
  contact: Type.Optional(
    Type.String({ description: 'ID of the contact. Use at most one of `contact`, `unicity` and `hash`.' }),
  ),
  unicity: Type.Optional(Type.String({ description: 'Concatenated unicity of the contact.' })),
  hash: Type.Optional(Type.String({ description: 'MD5 of the concatenated unicity, 32 hexadecimal digits.' })),
  status: Type.Optional(
    Type.String({
      description: `Only runs with one of these statuses, separated by commas: ${workflowRunStatuses.join(', ')}.`,
    }),
  ),
  node: Type.Optional(Type.String({ description: 'Only runs whose current or last node has this ID.' })),
  version: Type.Optional(
    Type.Integer({ ...int32IdLimits, description: 'Only runs of this version. Default: all versions.' }),
  ),
  ...periodParameters,
  sort: sortParameter,
})
export type WorkflowRunQuery = Static<typeof WorkflowRunQuery>

export const PublishedEventQuery = Type.Object({
  ...ListPageQuery.properties,
  ...periodParameters,
  sort: sortParameter,
})

/** A custom event that a run has published. */
export const PublishedRunEvent = Type.Object({
  type: buildTypeTag('custom'),
  name: Type.String({ description: 'Name of the event.' }),
  id: { ...UuidSchema, description: 'ID of the event.' },
  timestamp: Type.Integer({ description: 'Time of the event, in milliseconds since 1970.' }),
  contact: nullableSchema(Type.String({ description: 'ID of the contact. Null: the run has no contact.' })),
  data: { ...JsonObjectSchema, description: 'Data of the event.' },
  stamp: nullableSchema({ ...JsonObjectSchema, description: 'Stamp of the run. Null: none.' }),
  depth: Type.Integer({ description: 'Number of runs that led to the event, from 1.' }),
})
export type PublishedRunEvent = Static<typeof PublishedRunEvent>

const IntegerSchema = Type.Integer()

export const WorkflowStatisticsQuery = Type.Object({
  version: Type.Optional(
    Type.Integer({
      ...int32IdLimits,
      description: 'Only counts of this version. Default: all versions.',
    }),
  ),
  ...periodParameters,
})

/** Counts of a workflow. */
export const WorkflowStatistics = Type.Object({
  workflow: { ...IntegerSchema, description: 'ID of the workflow.' },
  version: nullableSchema(Type.Integer({ description: 'Version of the counts. Null: all versions.' })),
  runs: Type.Object(
    {
      started: { ...IntegerSchema, description: 'Runs started in the period.' },
      open: { ...IntegerSchema, description: 'Runs open now.' },
      running: { ...IntegerSchema, description: 'Open runs that are due or in progress now.' },
      waiting: { ...IntegerSchema, description: 'Open runs that wait for a time or an event now.' },
      paused: { ...IntegerSchema, description: 'Open runs while the workflow is inactive.' },
      completed: { ...IntegerSchema, description: 'Runs completed in the period.' },
      failed: { ...IntegerSchema, description: 'Runs that failed in the period.' },
      killed: {
        ...IntegerSchema,
        description: 'Runs killed in the period: by a request, a deactivation, a deletion or another run.',
      },
      expired: { ...IntegerSchema, description: 'Runs that exceeded `maxDuration` in the period.' },
      capped: { ...IntegerSchema, description: 'Runs ended by capping in the period.' },
    },
    { description: 'Number of runs, by status.' },
  ),
  refused: Type.Record(Type.String(), IntegerSchema, { description: 'Number of refused starts, by reason.' }),
  nodes: Type.Array(
    Type.Object({
      id: Type.String({ description: 'ID of the node.' }),
      type: nullableSchema(Type.String({ description: 'Type of the node. Null: no stored version contains it.' })),
      entered: { ...IntegerSchema, description: 'Visits begun in the period.' },
      left: { ...IntegerSchema, description: 'Visits ended in the period.' },
      current: { ...IntegerSchema, description: 'Runs at the node now.' },
      failed: { ...IntegerSchema, description: 'Visits that failed in the period.' },
      retried: { ...IntegerSchema, description: 'Attempts after a failed one in the period.' },
      capped: { ...IntegerSchema, description: 'Visits in the period where capping prevented the action.' },
      outputs: Type.Record(Type.String(), IntegerSchema, {
        description: 'Visits ended in the period, by the ID of the next node. Empty ID: the run ended.',
      }),
    }),
    { description: 'Counts by node.' },
  ),
  listeners: Type.Array(
    Type.Object({
      id: Type.String({ description: 'ID of the listener.' }),
      matched: { ...IntegerSchema, description: 'Events that matched in the period.' },
      started: { ...IntegerSchema, description: 'Runs started in the period.' },
      moved: { ...IntegerSchema, description: 'Runs moved to the handler in the period.' },
      refused: { ...IntegerSchema, description: 'Starts and moves refused in the period.' },
    }),
    { description: 'Counts by listener.' },
  ),
  tasks: Type.Array(
    Type.Object({
      id: Type.String({ description: 'ID of the task.' }),
      fired: { ...IntegerSchema, description: 'Firings in the period.' },
      missed: { ...IntegerSchema, description: 'Firings missed in the period because of downtime.' },
      skipped: {
        ...IntegerSchema,
        description: 'Firings dropped in the period because the previous one still read rows.',
      },
      rows: { ...IntegerSchema, description: 'Rows read in the period.' },
      started: { ...IntegerSchema, description: 'Runs started in the period.' },
    }),
    { description: 'Counts by task.' },
  ),
})
export type WorkflowStatistics = Static<typeof WorkflowStatistics>
