import { buildOpenApiVariant, type OpenApiObject, openApiSchemaRef } from '../../../http/openapi/document.ts'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { settingMembers, storedCriteriaShapes } from './value-schemas.ts'

const { text, boolean, number, clientId, way, words, expressions, timeZone, component, list } = settingMembers

type Members = Record<string, OpenApiObject>

const MAX_PROJECTIONS = 1000
const nodeIdItem: OpenApiObject = { type: 'string', minLength: 1, maxLength: 128 }
const partMembers: Members = {
  name: text('Name, for users.', { maxLength: 255 }),
  description: text('Description, for users.', { maxLength: 4000 }),
}

const schedulerMembers: Members = {
  id: clientId('ID of the scheduler, unique in the task. Absent or null: generated.'),
  name: partMembers['name']!,
}
const cronField = (unit: string, values: string): OpenApiObject =>
  text(`${unit}: \`*\`, or values, ranges and steps such as \`${values}\`, separated by commas. Default: \`*\`.`, {
    minLength: 1,
    maxLength: 200,
  })

const schedulerSchema: OpenApiObject = {
  description: 'Scheduler of a task.',
  oneOf: [
    buildOpenApiVariant(
      'cron',
      'Scheduler that fires at every time that matches; if days of the month and days of the week are given, one of them is enough.',
      {
        ...schedulerMembers,
        timeZone: timeZone('Time zone, not `contact`. Absent or null: that of the workflow.'),
        minute: cronField('Minutes', '0,30'),
        hour: cronField('Hours', '8-18/2'),
        dayOfMonth: cronField('Days of the month, `L` for the last', '1,15'),
        month: cronField('Months, as numbers or `JAN` to `DEC`', '1-6'),
        dayOfWeek: cronField('Days of the week, `MON` to `SUN`, or 0 (Sunday) to 6', 'MON-FRI'),
      },
    ),
    buildOpenApiVariant('once', 'Scheduler that fires at one date.', {
      ...schedulerMembers,
      at: {
        type: ['string', 'integer', 'null'],
        description: 'Date: ISO 8601, or milliseconds since 1970. Returned as ISO 8601. Required for activation.',
      },
    }),
  ],
}

const projection = (roots: string): OpenApiObject =>
  expressions(`\`data\` of the runs, by name, at most 1,000; expressions read ${roots}, \`environment\` and \`now\`.`)
const providerValue = (properties: Members, ...required: string[]): OpenApiObject => ({
  type: ['object', 'null'],
  description: 'Required for activation.',
  required,
  properties,
})

const providerSchema: OpenApiObject = {
  description: 'Source of the runs that each firing starts, with their data.',
  oneOf: [
    buildOpenApiVariant('none', 'One run without contact.', { projection: projection('`task`') }),
    buildOpenApiVariant('segment', 'One run for each contact of a segment.', {
      value: providerValue({ id: settingMembers.id('ID of the segment. Required for activation.') }),
      projection: projection('`contact`'),
    }),
    buildOpenApiVariant('search', 'One run for each contact that matches criteria.', {
      value: {
        anyOf: [
          {
            type: 'object',
            required: ['criteria'],
            properties: {
              criteria: settingMembers.criteria(),
            },
          },
          ...storedCriteriaShapes,
          { type: 'null' },
        ],
        description: '`{criteria}`, or the criteria themselves. Returned as `{criteria}`. Required for activation.',
      },
      projection: projection('`contact`'),
    }),
    buildOpenApiVariant('compilable', 'One run for each row of a pipeline.', {
      value: providerValue({
        id: settingMembers.uuid('ID of a compilable of type `pipeline`. Required for activation.'),
        arguments: expressions('Arguments by name, at most 1,000; expressions read `task`.'),
        receiver: component(
          'Expression',
          'Identification of the contact of a row; reads `row`. Absent: the contact with the ID `row.id`. Null: no contact.',
        ),
      }),
      projection: projection('`row`, `contact`'),
    }),
  ],
}

const missed = words(
  'Firings missed during downtime. `once`: one firing replaces them all if the last is less than 24 hours old. `none`: they are dropped. Default: `once`.',
  'once',
  'none',
)
const overlap = words(
  'Firing that is due while the previous one still reads rows. `skip`: it is dropped. `queue`: it waits, at most one. Default: `skip`.',
  'skip',
  'queue',
)

const taskSchema: OpenApiObject = {
  type: 'object',
  description: 'Task that starts runs at scheduled times.',
  properties: {
    id: clientId('ID of the task, unique in the workflow. Absent or null: generated.'),
    ...partMembers,
    enabled: boolean('True if the schedulers fire the task. Default: true.'),
    schedulers: list(
      'Schedulers; the task fires for each. Default: none.',
      openApiSchemaRef('WorkflowTaskScheduler'),
      10,
    ),
    provider: component('WorkflowTaskProvider', 'Source of the runs. Default: one run without contact.'),
    projection: {
      type: ['object', 'null'],
      additionalProperties: openApiSchemaRef('Expression'),
      maxProperties: MAX_PROJECTIONS,
      description: '`projection` of a provider without one. Returned in the provider.',
      deprecated: true,
    },
    handler: way('ID of the node where runs start. Required for activation.'),
    missed,
    overlap,
    nextRun: { description: 'Read-only; ignored in requests.' },
    lastRun: { description: 'Read-only; ignored in requests.' },
  },
}

const cappingEntrySchema: OpenApiObject = {
  type: 'object',
  description: 'Limit on how often nodes act.',
  properties: {
    id: settingMembers.uuid(
      'ID of the capping entry. Absent or null: that of a stored entry that counts the same, or a new one.',
    ),
    key: component(
      'Expression',
      'Key by which actions are counted, at most 256 characters; not a script. Default: the ID of the contact. Empty result: not capped.',
    ),
    increment: number('Amount that each action adds to the sum. 0: the entry only checks. Default: 1.', 0, MAX_INT32),
    threshold: number(
      'Maximum of the sum within the period. 0 or less: always capped. Required for activation.',
      -MAX_INT32 - 1,
      MAX_INT32,
    ),
    period: component(
      'Period',
      'Period over which the sum is computed; `SECOND` and `MILLISECOND` are always `rolling`. Required for activation.',
    ),
    nodes: list('IDs of the nodes that are counted and capped. Default: none.', nodeIdItem, 1000),
    action: words(
      'Effect on a capped run. `continue`: it goes to the next node. `end`: it ends as `capped`. Default: `continue`.',
      'continue',
      'end',
    ),
  },
}

/** The stored form of a shape: members that it always has. */
function buildStored(name: string, description: string, properties: Members): OpenApiObject {
  return {
    description,
    allOf: [{ type: 'object', required: Object.keys(properties), properties }, openApiSchemaRef(name)],
  }
}
const storedName: OpenApiObject = { type: ['string', 'null'], description: 'Name, for users.' }

/** Tasks and capping entries of workflows as components of the description. Requests are checked by the shapes of those parts. */
export const workflowPartComponents: Readonly<Record<string, OpenApiObject>> = {
  WorkflowTaskScheduler: schedulerSchema,
  StoredWorkflowTaskScheduler: buildStored('WorkflowTaskScheduler', 'Scheduler as it is stored.', {
    id: { type: 'string', description: 'ID of the scheduler, unique in the task.' },
    name: storedName,
  }),
  WorkflowTaskProvider: providerSchema,
  StoredWorkflowTaskProvider: buildStored('WorkflowTaskProvider', 'Source of the runs as it is stored.', {
    projection: {
      type: 'object',
      additionalProperties: openApiSchemaRef('ExpressionObject'),
      description: '`data` of the runs, by name.',
    },
  }),
  WorkflowTaskWrite: taskSchema,
  WorkflowCappingEntryWrite: cappingEntrySchema,
}
