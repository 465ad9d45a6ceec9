import { type Static, type TSchema, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { listenedEventTypes } from '../events/kinds/listened-types.ts'
import { workflowNodeTypes } from './nodes/node-types.ts'

const MAX_NODES = 1000
const MAX_LISTENERS = 100
const MAX_TASKS = 50
const MAX_CAPPING_ENTRIES = 50

const IdSchema = Type.String({ minLength: 1, maxLength: 128 })
const InstantSchema = Type.String({ format: 'date-time' })
const openObjectOptions = { additionalProperties: true }
/** Creates a schema for values that the definition shapes in `src/scripting/schemas/` read. Those shapes are more precise than a schema. */
const createShapeSchema = (description: string) => Type.Unsafe<unknown>({ description })
const ZoneSchema = Type.Object({ id: Type.String({ description: 'what names it in this account' }) })
const PeriodSchema = Type.Object(
  {
    type: Type.Enum(['rolling', 'calendar'], { description: 'which of the possible kinds it is' }),
    unit: Type.Enum(['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'], {
      description: 'the unit of the number beside it',
    }),
    value: Type.Integer({ minimum: 1, description: 'the value itself' }),
  },
  { description: 'a length of time' },
)
const ExpressionSchema = Type.Object({
  type: Type.Enum(['literal', 'path', 'template', 'script'], { description: 'which of the possible kinds it is' }),
  value: Type.Unknown({ description: 'the value itself' }),
})

export const ScriptingSchema = Type.Object({
  version: Type.Literal('7.0.0', { description: 'which version it is' }),
  environment: Type.Object(
    {
      capabilities: Type.Optional(Type.Array(Type.String(), { description: 'what scripts may call, by name' })),
      http: Type.Optional(
        Type.Object(
          {
            allow: Type.Array(Type.String(), {
              description: 'hosts, as in `api.shop.test`, `*.shop.test:8443` or `http://host`',
            }),
          },
          { description: 'what servers scripts and requests may ask' },
        ),
      ),
      variables: Type.Optional(
        Type.Object({}, { ...openObjectOptions, description: 'values that templates and scripts read by name' }),
      ),
      secrets: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'shown as "***"' })),
    },
    { description: 'what scripts may do, and constants' },
  ),
  imports: nullableSchema(
    Type.Array(Type.Object({}, openObjectOptions), { description: 'modules that scripts may import' }),
  ),
  initializers: nullableSchema(
    Type.Array(Type.Object({}, openObjectOptions), { description: 'modules that run before each run, in order' }),
  ),
  filters: nullableSchema(Type.Array(Type.Object({}, openObjectOptions), { description: 'filters for templates' })),
})

export const WorkflowSettingsSchema = Type.Object(
  {
    timeZone: { ...ZoneSchema, description: 'an IANA time zone' },
    timeZoneField: nullableSchema(Type.Integer({ description: "id of the text field that holds the contact's zone" })),
    entryKey: nullableSchema({ ...ExpressionSchema, description: 'what runs are counted by; null: the contact' }),
    reentry: Type.Object(
      {
        mode: Type.Enum(['always', 'never', 'afterExit', 'afterPeriod'], {
          description: 'always; never: once; afterExit: with no open run; afterPeriod: a period after the last start',
        }),
        period: nullableSchema(PeriodSchema),
      },
      { description: 'when a contact, or what entryKey names, may start again' },
    ),
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'open runs of one contact, or of one entryKey, at most',
    }),
    maxNodes: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'visits of nodes in one run at most; then it fails',
    }),
    maxDuration: { ...PeriodSchema, description: 'how long a run may take; then it expires' },
    onDeactivate: Type.Enum(['pause', 'kill'], { description: 'what becomes of open runs when it is deactivated' }),
    migration: Type.Enum(['none', 'atWaits'], {
      description: 'atWaits: runs that wake go on with the current version; none: each keeps its own',
    }),
    trace: Type.Enum(['all', 'errors', 'none'], { description: 'what the trace of a run keeps' }),
  },
  { ...openObjectOptions, description: 'other members are kept as they were sent' },
)

const EventFilterSchema = Type.Object(
  {
    type: Type.String({ description: `one of ${[...listenedEventTypes.keys()].join(', ')}` }),
    filter: nullableSchema({ ...ExpressionSchema, description: 'what the event must fulfil' }),
  },
  openObjectOptions,
)

const descriptionMembers = {
  name: nullableSchema(Type.String({ description: 'the name that people give it' })),
  description: nullableSchema(Type.String({ description: 'words that say what it is for' })),
}

const ListenerSchema = Type.Object({
  id: { ...IdSchema, description: 'what names it in this account' },
  ...descriptionMembers,
  enabled: Type.Boolean({ description: 'whether it is on' }),
  event: nullableSchema({ ...EventFilterSchema, description: 'the event that it is about' }),
  onOpen: Type.Enum(['start', 'skip', 'move', 'moveOrStart'], {
    description:
      'where there are open runs: start another, do nothing, or move them to handler; moveOrStart: start where there are none',
  }),
  correlation: Type.Enum(['contact', 'thread'], { description: 'whether open runs are found by contact or by thread' }),
  handler: nullableSchema({ ...IdSchema, description: 'id of the node where runs start' }),
})

const TaskSchema = Type.Object({
  id: { ...IdSchema, description: 'what names it in this account' },
  ...descriptionMembers,
  enabled: Type.Boolean({ description: 'whether it is on' }),
  schedulers: Type.Array(
    Type.Object(
      {
        type: Type.Enum(['cron', 'once'], { description: 'which of the possible kinds it is' }),
        id: { ...IdSchema, description: 'what names it in this account' },
      },
      openObjectOptions,
    ),
    {
      description: 'when it fires, by a pattern or once',
    },
  ),
  provider: Type.Object(
    {
      type: Type.Enum(['none', 'segment', 'search', 'compilable'], {
        description: 'which of the possible kinds it is',
      }),
    },
    { ...openObjectOptions, description: 'whom or what each firing starts runs for' },
  ),
  handler: nullableSchema({ ...IdSchema, description: 'id of the node where runs start' }),
  missed: Type.Enum(['once', 'none'], {
    description: 'firings missed while the service was down: one for all of them, or none',
  }),
  overlap: Type.Enum(['skip', 'queue'], {
    description: 'what becomes of a firing while the one before still reads rows: it is left out, or one waits',
  }),
  nextRun: nullableSchema({ ...InstantSchema, description: 'when it runs next, in UTC' }),
  lastRun: nullableSchema({ ...InstantSchema, description: 'when it ran last, in UTC' }),
})
export type WorkflowTaskDocument = Static<typeof TaskSchema>

const NodeSchema = Type.Object(
  {
    type: Type.String({ description: `one of ${[...workflowNodeTypes.keys()].join(', ')}` }),
    id: { ...IdSchema, description: 'what names it in this account' },
    name: nullableSchema(Type.String({ description: 'the name that people give it' })),
    description: nullableSchema(Type.String({ description: 'words that say what it is for' })),
    rationale: nullableSchema(Type.String({ description: 'why it is there, in words' })),
    default: Type.Boolean({ description: 'where runs begin that name no node' }),
    settings: Type.Object({}, { ...openObjectOptions, description: 'by type' }),
    next: nullableSchema({ ...IdSchema, description: 'id of the node that comes next; null: none' }),
  },
  openObjectOptions,
)

const CappingEntrySchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  key: { ...ExpressionSchema, description: 'what acts are counted by' },
  increment: Type.Integer({ minimum: 0, description: 'what an act adds to the sum, 1 by default' }),
  threshold: nullableSchema(Type.Integer({ description: 'what the sum in the period may come to' })),
  period: nullableSchema(PeriodSchema),
  nodes: Type.Array(IdSchema, { description: 'the steps of the graph' }),
  action: Type.Enum(['continue', 'end'], { description: 'what a run does at a capped node: go on to next, or end' }),
})

const workflowPartTexts = {
  listeners: 'the events that start or move runs',
  tasks: 'what starts runs at a time',
  nodes: 'the steps of the graph',
  capping: 'how often nodes act at most',
  scripting: 'what scripts and templates may do and share',
  settings: 'how it is made and sent',
}

/** The parts as members of a workflow. Alone they have no description, or one of their own. */
function describeWorkflowParts<Parts extends Record<keyof typeof workflowPartTexts, TSchema>>(parts: Parts): Parts {
  const describedParts = Object.entries(parts).map(([part, schema]) => [
    part,
    { description: workflowPartTexts[part as keyof typeof workflowPartTexts], ...schema },
  ])
  return Object.fromEntries(describedParts)
}

/** The parts as they are answered. */
export const workflowPartSchemas = {
  listeners: Type.Array(ListenerSchema),
  tasks: Type.Array(TaskSchema),
  nodes: Type.Array(NodeSchema),
  capping: Type.Array(CappingEntrySchema),
  scripting: ScriptingSchema,
  settings: WorkflowSettingsSchema,
}
const workflowParts = describeWorkflowParts(workflowPartSchemas)

export const WorkflowDocument = Type.Object({
  id: Type.Integer({ description: 'what names it in this account' }),
  name: Type.String({ description: 'the name that people give it' }),
  description: nullableSchema(Type.String({ description: 'words that say what it is for' })),
  state: Type.Integer({ minimum: 0, maximum: 1, description: '0 inactive, 1 active' }),
  version: Type.Integer({ description: 'how often what it does was changed, from 1' }),
  creationDate: { ...InstantSchema, description: 'when it was made, in UTC' },
  updateDate: { ...InstantSchema, description: 'when it was changed last, in UTC' },
  scripting: workflowParts.scripting,
  settings: workflowParts.settings,
  listeners: workflowParts.listeners,
  tasks: workflowParts.tasks,
  capping: workflowParts.capping,
  nodes: workflowParts.nodes,
})
export type WorkflowDocument = Static<typeof WorkflowDocument>

const createItemsSchema = (most: number, description: string): TSchema =>
  Type.Array(createShapeSchema(description), { maxItems: most })

/** The parts as they are sent: arrays are replaced whole. */
export const workflowPartWriteSchemas = {
  listeners: createItemsSchema(MAX_LISTENERS, 'what starts runs when an event comes'),
  tasks: createItemsSchema(MAX_TASKS, 'what starts runs at certain times'),
  nodes: createItemsSchema(MAX_NODES, `a node of type ${[...workflowNodeTypes.keys()].join(', ')}`),
  capping: createItemsSchema(MAX_CAPPING_ENTRIES, 'how often nodes act at most'),
  scripting: nullableSchema(Type.Object({}, openObjectOptions)),
  settings: nullableSchema(Type.Object({}, openObjectOptions)),
}

/** A write: every member may be absent; those the service sets may come back and are passed over. */
export const WorkflowBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'the name that people give it' })),
  description: Type.Optional(
    nullableSchema(Type.String({ maxLength: 4000, description: 'words that say what it is for' })),
  ),
  state: ignoredMemberSchema,
  version: ignoredMemberSchema,
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
  ...Type.Partial(Type.Object(describeWorkflowParts(workflowPartWriteSchemas))).properties,
})
export type WorkflowBody = Static<typeof WorkflowBody>

export const WorkflowQuery = Type.Object({
  state: Type.Optional(
    Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1], description: 'only what is in this state' }),
  ),
  name: Type.Optional(Type.String({ description: 'only what has this name' })),
})

export const WorkflowParams = Type.Object({ id: Type.String() })
export const WorkflowVersionParams = Type.Object({ id: Type.String(), version: Type.String() })

const versionMembers = {
  version: Type.Integer({ description: 'which version it is' }),
  date: { ...InstantSchema, description: 'when it happened, in UTC' },
}
export const WorkflowVersionList = Type.Array(Type.Object(versionMembers))
export const WorkflowVersion = Type.Object({
  ...versionMembers,
  ...workflowParts,
  tasks: Type.Array(Type.Omit(TaskSchema, ['nextRun', 'lastRun']), { description: 'what starts runs at a time' }),
})
export type WorkflowVersion = Static<typeof WorkflowVersion>

/** Problem types of the operations of workflows by status. */
export const workflowRefusals = {
  409:
    'workflow-active workflow-inactive workflow-flawed too-many-workflows in-use segment-gone webtask-gone ' +
    'stamp-used task-running recursion run-ended run-not-failed version-gone',
}
export const workflowWriteRefusals = { ...workflowRefusals, 403: 'approval-required' }
