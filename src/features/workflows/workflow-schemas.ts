import { type Static, type TSchema, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { COMPONENT_REF_KEYWORD } from '../../lib/errors/schema-reference.ts'
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
const createShapeSchema = (description: string, component?: string) =>
  Type.Unsafe<unknown>({ description, ...(component && { [COMPONENT_REF_KEYWORD]: component }) })
const ZoneSchema = Type.Object({
  id: Type.String({ description: 'IANA name of the time zone, such as `Europe/Paris`.' }),
})
const PeriodSchema = Type.Object(
  {
    type: Type.Enum(['rolling', 'calendar'], {
      description:
        'Type of the period. `rolling`: counted from the instant itself. `calendar`: aligned on the starts of units, such as midnight.',
    }),
    unit: Type.Enum(['MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'], {
      description: 'Unit of `value`.',
    }),
    value: Type.Integer({ minimum: 1, description: 'Number of units.' }),
  },
  { description: 'Period of time.' },
)
/** An expression as it is stored; the description has its forms. */
const ExpressionSchema = {
  ...Type.Object({
    type: Type.Enum(['literal', 'path', 'template', 'script'], {
      description:
        'Type of the expression. `literal`: the value itself. `path`: a path such as `contact.fields.12`. `template`: a Liquid text. `script`: a JavaScript expression.',
    }),
    value: Type.Unknown({ description: 'Content of the expression, by its type.' }),
  }),
  [COMPONENT_REF_KEYWORD]: 'ExpressionObject',
}

export const ScriptingSchema = Type.Object({
  version: Type.Literal('7.0.0', { description: 'Version of the scripting object; always `7.0.0`.' }),
  environment: Type.Object(
    {
      capabilities: Type.Optional(
        Type.Array(Type.String(), {
          description:
            'Groups of host functions that scripts may call, such as `targets.read`. Adding one requires the matching right.',
        }),
      ),
      http: Type.Optional(
        Type.Object(
          {
            allow: Type.Array(Type.String(), {
              description:
                'Allowed hosts, such as `api.shop.test`, `*.shop.test:8443` or `http://host`; https unless written with `http://`.',
            }),
          },
          { description: 'Servers that scripts and `request` nodes may call.' },
        ),
      ),
      variables: Type.Optional(
        Type.Object(
          {},
          { ...openObjectOptions, description: 'Constants that templates and scripts read as `environment.x`.' },
        ),
      ),
      secrets: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          description:
            'Secrets by name, used as `[[secret:name]]` in headers and bodies of HTTP calls. Shown as `***`; sending `***` keeps the stored value.',
        }),
      ),
    },
    { description: 'Capabilities, allowed hosts, constants and secrets of scripts.' },
  ),
  imports: nullableSchema(
    Type.Array(Type.Object({}, { ...openObjectOptions, [COMPONENT_REF_KEYWORD]: 'ScriptImport' }), {
      description: 'Modules that scripts may import: sources, or scripts of webtasks.',
    }),
  ),
  initializers: nullableSchema(
    Type.Array(Type.Object({}, { ...openObjectOptions, [COMPONENT_REF_KEYWORD]: 'ScriptModule' }), {
      description: 'Modules that run before each script, in order.',
    }),
  ),
  filters: nullableSchema(
    Type.Array(Type.Object({}, { ...openObjectOptions, [COMPONENT_REF_KEYWORD]: 'ScriptModule' }), {
      description: 'Filters for templates, each a JavaScript function.',
    }),
  ),
})

/** A `scripting` object as it is sent. */
export const ScriptingWriteSchema = nullableSchema(
  Type.Object({}, { ...openObjectOptions, [COMPONENT_REF_KEYWORD]: 'ScriptingWrite' }),
)

export const WorkflowSettingsSchema = Type.Object(
  {
    timeZone: { ...ZoneSchema, description: 'Time zone of the workflow; default: that of the account.' },
    timeZoneField: nullableSchema(
      Type.Integer({
        description:
          'ID of the text field that holds the time zone of the contact. Null or unreadable value: `timeZone`.',
      }),
    ),
    entryKey: nullableSchema({
      ...ExpressionSchema,
      description:
        'Expression that gives the key by which re-entry and concurrency count runs. Null: the contact. An empty result refuses the start.',
    }),
    reentry: Type.Object(
      {
        mode: Type.Enum(['always', 'never', 'afterExit', 'afterPeriod'], {
          description:
            '`always`: at any time. `never`: once only. `afterExit`: with no open run. `afterPeriod`: once `period` has passed since the last start.',
        }),
        period: nullableSchema({
          ...PeriodSchema,
          description: 'Required with `afterPeriod`: the time between two starts.',
        }),
      },
      { description: 'Conditions for another start with the same contact or `entryKey`.' },
    ),
    concurrency: Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Maximum number of open runs for each contact or `entryKey`; default 1.',
    }),
    maxNodes: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Maximum number of node visits in a run; default 500. Beyond it, the run fails.',
    }),
    maxDuration: {
      ...PeriodSchema,
      description: 'Maximum duration of a run; default 365 days. Beyond it, the run expires, even during a wait.',
    },
    onDeactivate: Type.Enum(['pause', 'kill'], {
      description: 'Open runs on deactivation. `pause`: they continue after the next activation. `kill`: they end.',
    }),
    migration: Type.Enum(['none', 'atWaits'], {
      description:
        '`none`: each run keeps its version. `atWaits`: a run that wakes continues with the current version.',
    }),
    trace: Type.Enum(['all', 'errors', 'none'], {
      description: 'Nodes in the trace of a run. `all`: every node. `errors`: only nodes that failed. `none`: no node.',
    }),
  },
  {
    ...openObjectOptions,
    description: 'Settings of the runs. Members not listed here are stored as sent and have no effect.',
  },
)

const EventFilterSchema = Type.Object(
  {
    type: Type.String({ description: `Type of the event: one of ${[...listenedEventTypes.keys()].join(', ')}.` }),
    filter: nullableSchema({
      ...ExpressionSchema,
      description: 'Condition on the event. Null: every event of this type.',
    }),
  },
  openObjectOptions,
)

const descriptionMembers = {
  name: nullableSchema(Type.String({ description: 'Name of the listener or task, for users.' })),
  description: nullableSchema(Type.String({ description: 'Description of the listener or task, for users.' })),
}

const ListenerSchema = Type.Object({
  id: { ...IdSchema, description: 'ID of the listener, unique in the workflow.' },
  ...descriptionMembers,
  enabled: Type.Boolean({ description: 'True if the listener is active; default true.' }),
  event: nullableSchema({
    ...EventFilterSchema,
    description: 'Event that triggers the listener. Required for activation.',
    [COMPONENT_REF_KEYWORD]: 'WorkflowEventFilter',
  }),
  onOpen: Type.Enum(['start', 'skip', 'move', 'moveOrStart'], {
    description:
      'Effect when runs are already open. `start`: starts another one. `skip`: does nothing. `move`: moves them to `handler`. `moveOrStart`: as `move`, but starts a run if none is open.',
  }),
  correlation: Type.Enum(['contact', 'thread'], {
    description: 'How `onOpen` finds open runs: by contact or by thread.',
  }),
  handler: nullableSchema({ ...IdSchema, description: 'ID of the node where runs start.' }),
})

const TaskSchema = Type.Object({
  id: { ...IdSchema, description: 'ID of the task, unique in the workflow.' },
  ...descriptionMembers,
  enabled: Type.Boolean({ description: 'True if the schedulers fire the task; default true.' }),
  schedulers: Type.Array(
    Type.Object(
      {
        type: Type.Enum(['cron', 'once'], {
          description: 'Type of the scheduler. `cron`: a recurring pattern. `once`: one date.',
        }),
        id: { ...IdSchema, description: 'ID of the scheduler.' },
      },
      { ...openObjectOptions, [COMPONENT_REF_KEYWORD]: 'StoredWorkflowTaskScheduler' },
    ),
    {
      description: 'Schedulers, at most 10; the task fires for each.',
    },
  ),
  provider: Type.Object(
    {
      type: Type.Enum(['none', 'segment', 'search', 'compilable'], {
        description:
          'Type of the provider. `none`: one run without contact. `segment`: one run for each contact of a segment. `search`: one run for each contact that matches criteria. `compilable`: one run for each row of a pipeline.',
      }),
    },
    {
      ...openObjectOptions,
      description: 'Source of the runs that each firing starts, with their data.',
      [COMPONENT_REF_KEYWORD]: 'StoredWorkflowTaskProvider',
    },
  ),
  handler: nullableSchema({ ...IdSchema, description: 'ID of the node where runs start.' }),
  missed: Type.Enum(['once', 'none'], {
    description:
      'Firings missed during downtime. `once`: one firing replaces them all if the last is less than 24 hours old. `none`: they are dropped.',
  }),
  overlap: Type.Enum(['skip', 'queue'], {
    description:
      'Firing that is due while the previous one still reads rows. `skip`: it is dropped. `queue`: it waits, at most one.',
  }),
  nextRun: nullableSchema({
    ...InstantSchema,
    description: 'Time of the next firing, in UTC. Null: none is scheduled.',
  }),
  lastRun: nullableSchema({ ...InstantSchema, description: 'Time of the last firing, in UTC. Null: none so far.' }),
})
export type WorkflowTaskDocument = Static<typeof TaskSchema>

const NodeSchema = Type.Object(
  {
    type: Type.String({ description: `Type of the node: one of ${[...workflowNodeTypes.keys()].join(', ')}.` }),
    id: { ...IdSchema, description: 'ID of the node, unique in the workflow.' },
    name: nullableSchema(Type.String({ description: 'Name of the node, for users.' })),
    description: nullableSchema(Type.String({ description: 'Description of the node, for users.' })),
    rationale: nullableSchema(Type.String({ description: 'Reason for the node, for users.' })),
    default: Type.Boolean({ description: 'True for the node where runs start if the execution names none.' }),
    settings: Type.Object({}, { ...openObjectOptions, description: 'Settings of the node, by its type.' }),
    next: nullableSchema({ ...IdSchema, description: 'ID of the next node. Null: the run completes.' }),
  },
  { ...openObjectOptions, [COMPONENT_REF_KEYWORD]: 'StoredWorkflowNode' },
)

const CappingEntrySchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the capping entry.' }),
  key: {
    ...ExpressionSchema,
    description:
      'Expression that gives the key by which actions are counted; default: the contact ID. Empty result: not capped.',
  },
  increment: Type.Integer({
    minimum: 0,
    description: 'Amount that each action adds to the sum; default 1. With 0, the entry only checks.',
  }),
  threshold: nullableSchema(
    Type.Integer({ description: 'Maximum of the sum within the period. 0 or less: always capped.' }),
  ),
  period: nullableSchema({ ...PeriodSchema, description: 'Period over which the sum is computed.' }),
  nodes: Type.Array(IdSchema, { description: 'IDs of the nodes that are counted and capped.' }),
  action: Type.Enum(['continue', 'end'], {
    description: 'Effect on a capped run. `continue`: it goes to the next node. `end`: it ends as `capped`.',
  }),
})

const workflowPartTexts = {
  listeners: 'Listeners: the events that start or move runs.',
  tasks: 'Tasks that start runs at scheduled times.',
  nodes: 'Nodes of the graph.',
  capping: 'Limits on how often nodes act.',
  scripting: 'Capabilities, modules and values of scripts and templates.',
  settings: 'Settings of the runs.',
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
  id: Type.Integer({ description: 'ID of the workflow.' }),
  name: Type.String({ description: 'Name of the workflow.' }),
  description: nullableSchema(Type.String({ description: 'Description of the workflow, for users.' })),
  state: Type.Integer({
    minimum: 0,
    maximum: 1,
    description: '`0`: inactive. `1`: active. Changed only by activation and deactivation.',
  }),
  version: Type.Integer({
    description: 'Version of the definition, from 1. Increases with each change except of name and description.',
  }),
  creationDate: { ...InstantSchema, description: 'Time of creation, in UTC.' },
  updateDate: { ...InstantSchema, description: 'Time of the last change, in UTC.' },
  scripting: workflowParts.scripting,
  settings: workflowParts.settings,
  listeners: workflowParts.listeners,
  tasks: workflowParts.tasks,
  capping: workflowParts.capping,
  nodes: workflowParts.nodes,
})
export type WorkflowDocument = Static<typeof WorkflowDocument>

const createItemsSchema = (most: number, description: string, component?: string): TSchema =>
  Type.Array(createShapeSchema(description, component), { maxItems: most })

/** The parts as they are sent: arrays are replaced whole. */
export const workflowPartWriteSchemas = {
  listeners: createItemsSchema(
    MAX_LISTENERS,
    'Listener that starts or moves runs when an event arrives.',
    'WorkflowListenerWrite',
  ),
  tasks: createItemsSchema(MAX_TASKS, 'Task that starts runs at scheduled times.', 'WorkflowTaskWrite'),
  nodes: createItemsSchema(MAX_NODES, `Node of type ${[...workflowNodeTypes.keys()].join(', ')}.`, 'WorkflowNode'),
  capping: createItemsSchema(MAX_CAPPING_ENTRIES, 'Limit on how often nodes act.', 'WorkflowCappingEntryWrite'),
  scripting: ScriptingWriteSchema,
  settings: nullableSchema(Type.Object({}, { ...openObjectOptions, [COMPONENT_REF_KEYWORD]: 'WorkflowSettingsWrite' })),
}

/** A write: every member may be absent; those the service sets may come back and are passed over. */
export const WorkflowBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Name of the workflow. Required at creation; need not be unique.',
    }),
  ),
  description: Type.Optional(
    nullableSchema(Type.String({ maxLength: 4000, description: 'Description of the workflow, for users.' })),
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
    Type.Unsafe<0 | 1>({
      type: 'integer',
      enum: [0, 1],
      description: 'Only workflows in this state. 0: inactive. 1: active.',
    }),
  ),
  name: Type.Optional(Type.String({ description: 'Only workflows with exactly this name.' })),
})

export const WorkflowParams = Type.Object({ id: Type.String() })
export const WorkflowVersionParams = Type.Object({ id: Type.String(), version: Type.String() })

const versionMembers = {
  version: Type.Integer({ description: 'Number of the version, from 1.' }),
  date: { ...InstantSchema, description: 'Time at which the version was created, in UTC.' },
}
export const WorkflowVersionList = Type.Array(Type.Object(versionMembers))
export const WorkflowVersion = Type.Object({
  ...versionMembers,
  ...workflowParts,
  tasks: Type.Array(Type.Omit(TaskSchema, ['nextRun', 'lastRun']), {
    description: 'Tasks that start runs at scheduled times.',
  }),
})
export type WorkflowVersion = Static<typeof WorkflowVersion>

/** Problem types of the operations of workflows by status. */
export const workflowRefusals = {
  409:
    'workflow-active workflow-inactive workflow-flawed too-many-workflows in-use segment-gone webtask-gone ' +
    'stamp-used task-running recursion run-ended run-not-failed version-gone',
}
export const workflowWriteRefusals = { ...workflowRefusals, 403: 'approval-required' }
