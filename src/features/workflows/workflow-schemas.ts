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
const ZoneSchema = Type.Object({ id: Type.String() })
const PeriodSchema = Type.Object({
  type: Type.Enum(['rolling', 'calendar']),
  unit: Type.Enum(['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR']),
  value: Type.Integer({ minimum: 1 }),
})
const ExpressionSchema = Type.Object({
  type: Type.Enum(['literal', 'path', 'template', 'script']),
  value: Type.Unknown(),
})

export const ScriptingSchema = Type.Object({
  version: Type.Literal('7.0.0'),
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
      variables: Type.Optional(Type.Object({}, openObjectOptions)),
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
    timeZone: ZoneSchema,
    timeZoneField: nullableSchema(Type.Integer()),
    entryKey: nullableSchema(ExpressionSchema),
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
    filter: nullableSchema(ExpressionSchema),
  },
  openObjectOptions,
)

const descriptionMembers = { name: nullableSchema(Type.String()), description: nullableSchema(Type.String()) }

const ListenerSchema = Type.Object({
  id: IdSchema,
  ...descriptionMembers,
  enabled: Type.Boolean(),
  event: nullableSchema(EventFilterSchema),
  onOpen: Type.Enum(['start', 'skip', 'move', 'moveOrStart'], {
    description:
      'where there are open runs: start another, do nothing, or move them to handler; moveOrStart: start where there are none',
  }),
  correlation: Type.Enum(['contact', 'thread'], { description: 'whether open runs are found by contact or by thread' }),
  handler: nullableSchema(IdSchema),
})

const TaskSchema = Type.Object({
  id: IdSchema,
  ...descriptionMembers,
  enabled: Type.Boolean(),
  schedulers: Type.Array(Type.Object({ type: Type.Enum(['cron', 'once']), id: IdSchema }, openObjectOptions), {
    description: 'when it fires, by a pattern or once',
  }),
  provider: Type.Object(
    { type: Type.Enum(['none', 'segment', 'search', 'compilable']) },
    { ...openObjectOptions, description: 'whom or what each firing starts runs for' },
  ),
  handler: nullableSchema(IdSchema),
  missed: Type.Enum(['once', 'none'], {
    description: 'firings missed while the service was down: one for all of them, or none',
  }),
  overlap: Type.Enum(['skip', 'queue']),
  nextRun: nullableSchema(InstantSchema),
  lastRun: nullableSchema(InstantSchema),
})
export type WorkflowTaskDocument = Static<typeof TaskSchema>

const NodeSchema = Type.Object(
  {
    type: Type.String({ description: `one of ${[...workflowNodeTypes.keys()].join(', ')}` }),
    id: IdSchema,
    name: nullableSchema(Type.String()),
    description: nullableSchema(Type.String()),
    rationale: nullableSchema(Type.String()),
    default: Type.Boolean({ description: 'where runs begin that name no node' }),
    settings: Type.Object({}, { ...openObjectOptions, description: 'by type' }),
    next: nullableSchema(IdSchema),
  },
  openObjectOptions,
)

const CappingEntrySchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  key: { ...ExpressionSchema, description: 'what acts are counted by' },
  increment: Type.Integer({ minimum: 0, description: 'what an act adds to the sum, 1 by default' }),
  threshold: nullableSchema(Type.Integer({ description: 'what the sum in the period may come to' })),
  period: nullableSchema(PeriodSchema),
  nodes: Type.Array(IdSchema),
  action: Type.Enum(['continue', 'end'], { description: 'what a run does at a capped node: go on to next, or end' }),
})

/** The parts as they are answered. */
export const workflowPartSchemas = {
  listeners: Type.Array(ListenerSchema),
  tasks: Type.Array(TaskSchema),
  nodes: Type.Array(NodeSchema),
  capping: Type.Array(CappingEntrySchema),
  scripting: ScriptingSchema,
  settings: WorkflowSettingsSchema,
}

export const WorkflowDocument = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: nullableSchema(Type.String()),
  state: Type.Integer({ minimum: 0, maximum: 1, description: '0 inactive, 1 active' }),
  version: Type.Integer({ description: 'how often what it does was changed, from 1' }),
  creationDate: InstantSchema,
  updateDate: InstantSchema,
  scripting: workflowPartSchemas.scripting,
  settings: workflowPartSchemas.settings,
  listeners: workflowPartSchemas.listeners,
  tasks: workflowPartSchemas.tasks,
  capping: workflowPartSchemas.capping,
  nodes: workflowPartSchemas.nodes,
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
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  description: Type.Optional(nullableSchema(Type.String({ maxLength: 4000 }))),
  state: ignoredMemberSchema,
  version: ignoredMemberSchema,
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
  ...Type.Partial(Type.Object(workflowPartWriteSchemas)).properties,
})
export type WorkflowBody = Static<typeof WorkflowBody>

export const WorkflowQuery = Type.Object({
  state: Type.Optional(Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] })),
  name: Type.Optional(Type.String()),
})

export const WorkflowParams = Type.Object({ id: Type.String() })
export const WorkflowVersionParams = Type.Object({ id: Type.String(), version: Type.String() })

const versionMembers = { version: Type.Integer(), date: InstantSchema }
export const WorkflowVersionList = Type.Array(Type.Object(versionMembers))
export const WorkflowVersion = Type.Object({
  ...versionMembers,
  ...workflowPartSchemas,
  tasks: Type.Array(Type.Omit(TaskSchema, ['nextRun', 'lastRun'])),
})
export type WorkflowVersion = Static<typeof WorkflowVersion>

/** Problem types of the operations of workflows by status. */
export const workflowRefusals = {
  409:
    'workflow-active workflow-inactive workflow-flawed too-many-workflows in-use segment-gone webtask-gone ' +
    'stamp-used task-running recursion run-ended run-not-failed version-gone',
}
export const workflowWriteRefusals = { ...workflowRefusals, 403: 'approval-required' }
