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
  seq: Type.Integer({ description: 'the how many-th node of the run' }),
  node: Type.String({ description: 'id of the node' }),
  type: Type.String({ description: 'which of the possible kinds it is' }),
  visit: Type.Integer({ description: 'which visit of the node it was, from 1' }),
  attempt: Type.Integer({ description: 'which attempt of the visit it was, from 1' }),
  enter: { ...InstantSchema, description: 'when the node was entered, in UTC' },
  leave: { ...InstantSchema, description: 'when the node was left, in UTC' },
  outcome: Type.String({ description: 'how it ended' }),
  next: nullableSchema(Type.String({ description: 'id of the node that comes next; null: none' })),
  detail: nullableSchema({ ...JsonObjectSchema, description: 'more about it' }),
})
export type WorkflowTraceEntry = Static<typeof WorkflowTraceEntry>

/** A run as a list shows it. */
export const ListedWorkflowRun = Type.Object({
  id: { ...UuidSchema, description: 'what names it in this account' },
  workflow: Type.Integer({ description: 'id of the workflow' }),
  version: Type.Integer({ description: 'which version it is' }),
  contact: nullableSchema({ ...Footprint, description: 'the contact, by its id' }),
  status: Type.Enum([...workflowRunStatuses], { description: 'how it stands' }),
  reason: nullableSchema(Type.String({ description: 'why, in words or by a code' })),
  outcome: nullableSchema(Type.String({ description: 'how it ended' })),
  node: Type.String({ description: 'id of the node' }),
  start: Type.Object(
    {
      type: Type.Enum(['execution', 'listener', 'task'], { description: 'which of the possible kinds it is' }),
      id: nullableSchema(Type.String({ description: 'what names it in this account' })),
    },
    { description: 'what started it' },
  ),
  depth: Type.Integer({ description: 'how many workflows it follows from' }),
  stamp: Type.Object(
    {
      time: Type.Integer({ description: 'milliseconds since 1970' }),
      id: { ...UuidSchema, description: 'what names it in this account' },
      thread: { ...UuidSchema, description: 'what names one conversation or send' },
      set: { ...UuidSchema, description: 'id of the batch: a request, or a run' },
    },
    { description: 'what names one send' },
  ),
  wake: nullableSchema({ ...InstantSchema, description: 'when it goes on by itself, in UTC; null: no time is set' }),
  steps: Type.Integer({ description: 'visits of nodes' }),
  creationDate: { ...InstantSchema, description: 'when it was made, in UTC' },
  updateDate: { ...InstantSchema, description: 'when it was changed last, in UTC' },
  endDate: nullableSchema({ ...InstantSchema, description: 'when it ends or ended, in UTC' }),
})
export type ListedWorkflowRun = Static<typeof ListedWorkflowRun>

export const WorkflowRun = Type.Object({
  ...ListedWorkflowRun.properties,
  data: { ...JsonObjectSchema, description: 'values that templates and scripts read as `data`' },
  state: { ...JsonObjectSchema, description: 'values that templates and scripts read as `state`' },
  variables: { ...JsonObjectSchema, description: 'values that templates and scripts read by name' },
  trace: Type.Array(WorkflowTraceEntry, { description: 'the nodes that the run went through, in order' }),
})
export type WorkflowRun = Static<typeof WorkflowRun>

export const WorkflowRunParams = Type.Object({ id: Type.String(), run: Type.String() })

const sortParameter = Type.Optional(Type.Enum(['asc', 'desc'], { description: 'by date; ascending by default' }))
const periodParameters = {
  start: Type.Optional(Type.String({ description: 'an ISO 8601 date, or milliseconds; inclusive' })),
  end: Type.Optional(Type.String({ description: 'exclusive' })),
}

export const WorkflowRunQuery = Type.Object({
  ...ListPageQuery.properties,
  contact: Type.Optional(Type.String({ description: 'id of a contact' })),
  unicity: Type.Optional(Type.String({ description: 'the concatenated values of the unicity fields' })),
  hash: Type.Optional(Type.String({ description: 'MD5 of the concatenated unicity, 32 hexadecimal digits' })),
  status: Type.Optional(Type.String({ description: `separated by commas, of ${workflowRunStatuses.join(', ')}` })),
  node: Type.Optional(Type.String({ description: 'where it stands, or ended' })),
  version: Type.Optional(
    Type.Integer({ ...int32IdLimits, description: 'which version is meant; the newest by default' }),
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
  name: Type.String({ description: 'the name that people give it' }),
  id: { ...UuidSchema, description: 'what names it in this account' },
  timestamp: Type.Integer({ description: 'milliseconds since 1970' }),
  contact: nullableSchema(Type.String({ description: 'the contact, by its id' })),
  data: { ...JsonObjectSchema, description: 'what the event carries' },
  stamp: nullableSchema({ ...JsonObjectSchema, description: 'what names one send' }),
  depth: Type.Integer({ description: 'how deep it stands' }),
})
export type PublishedRunEvent = Static<typeof PublishedRunEvent>

const IntegerSchema = Type.Integer()

export const WorkflowStatisticsQuery = Type.Object({
  version: Type.Optional(
    Type.Integer({ ...int32IdLimits, description: 'which version is meant; the newest by default' }),
  ),
  ...periodParameters,
})

/** Counts of a workflow. */
export const WorkflowStatistics = Type.Object({
  workflow: { ...IntegerSchema, description: 'id of the workflow' },
  version: nullableSchema(Type.Integer({ description: 'null: all of them' })),
  runs: Type.Object(
    {
      started: { ...IntegerSchema, description: 'that began' },
      open: { ...IntegerSchema, description: 'that have not ended' },
      running: { ...IntegerSchema, description: 'that are open and go on' },
      waiting: { ...IntegerSchema, description: 'that are open and wait' },
      paused: { ...IntegerSchema, description: 'that are open while the workflow is inactive' },
      completed: { ...IntegerSchema, description: 'that came to an end' },
      failed: { ...IntegerSchema, description: 'that ended by an error' },
      killed: { ...IntegerSchema, description: 'that were ended from outside' },
      expired: { ...IntegerSchema, description: 'that took longer than maxDuration' },
      capped: { ...IntegerSchema, description: 'that capping ended' },
    },
    { description: 'how many runs, by how they stand' },
  ),
  refused: Type.Record(Type.String(), IntegerSchema, { description: 'starts that were refused, by reason' }),
  nodes: Type.Array(
    Type.Object({
      id: Type.String({ description: 'what names it in this account' }),
      type: nullableSchema(Type.String({ description: 'null: no version that is kept has it' })),
      entered: { ...IntegerSchema, description: 'visits' },
      left: { ...IntegerSchema, description: 'visits that are over' },
      current: { ...IntegerSchema, description: 'runs that stand there now' },
      failed: { ...IntegerSchema, description: 'visits that failed' },
      retried: { ...IntegerSchema, description: 'attempts after one that failed' },
      capped: { ...IntegerSchema, description: 'visits that capping kept from acting' },
      outputs: Type.Record(Type.String(), IntegerSchema, {
        description: 'by the node where they lead to; "" of those that end the run',
      }),
    }),
    { description: 'the steps of the graph' },
  ),
  listeners: Type.Array(
    Type.Object({
      id: Type.String({ description: 'what names it in this account' }),
      matched: { ...IntegerSchema, description: 'events that fit' },
      started: { ...IntegerSchema, description: 'runs it began' },
      moved: { ...IntegerSchema, description: 'runs it moved to its handler' },
      refused: { ...IntegerSchema, description: 'starts that were refused' },
    }),
    { description: 'the events that start or move runs' },
  ),
  tasks: Type.Array(
    Type.Object({
      id: Type.String({ description: 'what names it in this account' }),
      fired: { ...IntegerSchema, description: 'how often it fired' },
      missed: { ...IntegerSchema, description: 'firings that were missed while the service was down' },
      skipped: {
        ...IntegerSchema,
        description: 'firings that were left out, as the one before still read rows',
      },
      rows: { ...IntegerSchema, description: 'rows that were read' },
      started: { ...IntegerSchema, description: 'runs it began' },
    }),
    { description: 'what starts runs at a time' },
  ),
})
export type WorkflowStatistics = Static<typeof WorkflowStatistics>
