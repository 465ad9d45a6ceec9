import { type OpenApiObject, openApiSchemaRef } from '../../../http/openapi/document.ts'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { timeSpanUnits } from '../../../lib/time/spans.ts'
import { listenedEventTypes, MAX_EVENT_FILTER_ITEMS } from '../../events/kinds/listened-types.ts'

type FilterRule = ReturnType<typeof listFilterRules>[number][1]

const NULL_SCHEMA: OpenApiObject = { type: 'null' }

/** A member that may be null: null counts as absent. */
const nullable = (description: string, schema: OpenApiObject): OpenApiObject =>
  typeof schema['type'] === 'string' && schema['enum'] === undefined
    ? { ...schema, type: [schema['type'], 'null'], description }
    : { anyOf: [schema, NULL_SCHEMA], description }

/** Criteria of segments, as they are stored: also those that are a flaw. */
export const storedCriteriaShapes: readonly OpenApiObject[] = [
  openApiSchemaRef('SegmentCriteria'),
  { type: 'object', additionalProperties: true, description: 'Criteria that are a flaw.' },
]

const clientIdSchema: OpenApiObject = { type: 'string', minLength: 1, maxLength: 128 }

/** Members of settings; each may be absent or null. */
export const settingMembers = {
  text: (description: string, limits: OpenApiObject = {}) => nullable(description, { type: 'string', ...limits }),
  boolean: (description: string) => nullable(description, { type: 'boolean' }),
  number: (description: string, minimum: number, maximum: number, type = 'integer') =>
    nullable(description, { type, minimum, maximum }),
  id: (description: string) => nullable(description, { type: 'integer', minimum: 1, maximum: MAX_INT32 }),
  uuid: (description: string) => nullable(description, { type: 'string', format: 'uuid' }),
  words: (description: string, ...values: string[]) => nullable(description, { type: 'string', enum: values }),
  clientId: (description: string) => nullable(description, clientIdSchema),
  way: (description: string) => nullable(description, clientIdSchema),
  variable: (description: string) =>
    nullable(description, { type: 'string', maxLength: 64, pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }),
  expression: (description: string) => nullable(description, openApiSchemaRef('Expression')),
  expressions: (description: string) =>
    nullable(description, { type: 'object', additionalProperties: openApiSchemaRef('Expression') }),
  period: (description: string) => nullable(description, openApiSchemaRef('Period')),
  deadline: (description: string) => nullable(description, openApiSchemaRef('WorkflowDeadline')),
  timeZone: (description: string) => nullable(description, openApiSchemaRef('WorkflowTimeZone')),
  event: (description: string) => nullable(description, openApiSchemaRef('WorkflowEventFilter')),
  component: (name: string, description: string) => nullable(description, openApiSchemaRef(name)),
  /** `note`: a sentence to add. */
  criteria: (note = '') => ({
    anyOf: [...storedCriteriaShapes, NULL_SCHEMA],
    description: `Criteria. They are stored as sent; those that a segment would not accept are a flaw.${note && ` ${note}`}`,
  }),
  object: (description: string, properties: Record<string, OpenApiObject>) =>
    nullable(description, { type: 'object', properties }),
  list: (description: string, items: OpenApiObject, maxItems: number) =>
    nullable(description, { type: 'array', items, maxItems }),
  objects: (description: string, properties: Record<string, OpenApiObject>, maxItems: number) =>
    nullable(description, { type: 'array', items: { type: 'object', properties }, maxItems }),
}

function listFilterRules() {
  return [...listenedEventTypes.values()].flatMap(({ members }) => Object.entries(members))
}

const filterMemberTexts: Readonly<Record<string, string>> = {
  ids: 'IDs of the actions, RCS actions or notifications.',
  causes: 'Types of cancellations.',
  verdicts: 'Verdicts of bounces.',
  kinds: 'Kinds of the event.',
  links: 'Names or IDs of links.',
  postbacks: 'Postbacks of suggestions.',
  versions: 'IDs of versions of the notifications.',
  campaigns: 'Display campaigns.',
  placements: 'Placements.',
  contents: 'Contents.',
  fields: 'IDs of fields.',
  channels: 'Suppression lists.',
  segments: 'IDs of segments. Required for activation.',
  applications: 'IDs of applications.',
  imports: 'IDs of imports.',
  names: 'Names of custom events. Required for activation.',
}

function buildFilterItem(rule: FilterRule): OpenApiObject {
  if (rule.of === 'words') return { type: 'string', enum: [...rule.words] }
  if (rule.of === 'uuids') return { type: 'string', format: 'uuid' }
  if (rule.of === 'texts') return { type: 'string', minLength: 1, maxLength: rule.most }
  return rule.what === 'action' ? { type: 'string' } : { type: 'integer', minimum: 1, maximum: MAX_INT32 }
}

/** Event filters, a shape for all types that are filtered by the same members. */
function buildEventFilterSchema(): OpenApiObject {
  const typesByMembers = Map.groupBy(listenedEventTypes, ([, { members }]) => JSON.stringify(members))
  const shapes = [...typesByMembers.values()].map((entries) => {
    const members = Object.entries(entries[0]![1].members).map(([name, rule]) => [
      name,
      settingMembers.list(filterMemberTexts[name]!, buildFilterItem(rule), MAX_EVENT_FILTER_ITEMS),
    ])
    const type: OpenApiObject = {
      type: 'string',
      enum: entries.map(([name]) => name),
      description: 'Type of the event.',
    }
    const filter = settingMembers.expression('Condition on the event. Absent or null: none.')
    return { type: 'object', required: ['type'], properties: { type, ...Object.fromEntries(members), filter } }
  })
  return {
    description: 'Filter of events. A member that is absent, null or empty admits every event of the type.',
    oneOf: shapes,
  }
}

/** Values of settings, as components of the description. */
export const workflowValueComponents: Readonly<Record<string, OpenApiObject>> = {
  Expression: {
    description: 'Expression, or a bare value in its place; at most 32 KB. Returned as an object.',
    anyOf: [{ type: ['string', 'number', 'boolean', 'null'] }, openApiSchemaRef('ExpressionObject')],
  },
  ExpressionObject: {
    description: 'Expression.',
    anyOf: [
      {
        type: 'object',
        required: ['type'],
        properties: {
          type: { type: 'string', enum: ['literal'], description: 'Type of the expression: a value.' },
          value: { description: 'Value itself, any JSON.' },
        },
      },
      {
        type: 'object',
        required: ['type', 'value'],
        properties: {
          type: {
            type: 'string',
            enum: ['path', 'template', 'script'],
            description:
              'Type of the expression. `path`: a path such as `contact.fields.12`. `template`: a Liquid text. `script`: a JavaScript expression.',
          },
          value: { type: 'string', maxLength: 32_768, description: 'Path, Liquid text or JavaScript expression.' },
        },
      },
    ],
  },
  Period: {
    type: 'object',
    description: 'Period of time.',
    required: ['unit', 'value'],
    properties: {
      type: settingMembers.words(
        '`rolling`: counted from the instant itself (default). `calendar`: from the start of the unit.',
        'rolling',
        'calendar',
      ),
      unit: { type: 'string', enum: [...timeSpanUnits], description: 'Unit of `value`.' },
      value: { type: 'integer', minimum: 1, maximum: MAX_INT32, description: 'Number of units.' },
    },
  },
  Instant: { type: ['string', 'number'], description: 'An ISO 8601 date, or milliseconds since 1970.' },
  WorkflowDeadline: {
    description: 'Deadline: a period, or a date.',
    anyOf: [
      openApiSchemaRef('Period'),
      { type: 'object', required: ['until'], properties: { until: settingMembers.expression('Date.') } },
    ],
  },
  WorkflowTimeZone: {
    description: 'Time zone: an object, or its ID. Returned as an object.',
    anyOf: [
      { type: 'string' },
      {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', description: 'IANA name, or `contact` for the time zone of the contact.' },
        },
      },
    ],
  },
  WorkflowEventFilter: buildEventFilterSchema(),
}
