import { buildOpenApiVariant, type OpenApiObject, openApiSchemaRef } from '../../../http/openapi/document.ts'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { listenedEventTypes } from '../../events/kinds/listened-types.ts'
import { settingMembers } from '../../workflows/description/value-schemas.ts'
import { aggregateFunctions } from '../definition/cursors.ts'
import { parameterTypes } from '../definition/parameter-types.ts'
import { comparisonOperatorNames } from '../values/operators.ts'

const { text, boolean, id, uuid, words, variable, expression, expressions, object, list, component } = settingMembers

type Members = Record<string, OpenApiObject>

const READY = 'Required for execution.'
const RESERVED = 'any name but `__proto__` and `constructor`'
const memberName = (description: string): OpenApiObject =>
  text(`${description}: ${RESERVED}. ${READY}`, { minLength: 1, maxLength: 255 })
const expressionRef = openApiSchemaRef('Expression')

/** A value, a literal of it, or the path of an argument. */
const valueOrArgument = (description: string, schema: OpenApiObject): OpenApiObject => ({
  anyOf: [
    schema,
    buildOpenApiVariant('literal', 'Value as an expression.', { value: { ...schema, description: 'Value.' } }),
    openApiSchemaRef('PipelineArgument'),
    { type: 'null' },
  ],
  description: `${description}, or the path of an argument.`,
})
const rowCount = (description: string): OpenApiObject =>
  valueOrArgument(description, { type: 'integer', minimum: 0, maximum: MAX_INT32 })

const periodBound = (description: string): OpenApiObject => ({
  anyOf: [{ type: ['string', 'number', 'null'] }, openApiSchemaRef('ExpressionObject'), openApiSchemaRef('Period')],
  description: `${description}: a date (ISO 8601, or milliseconds since 1970), an expression that gives one, or a period back from now. Absent or null: unlimited.`,
})

const sourceSchemas: Record<string, OpenApiObject> = {
  targets: buildOpenApiVariant('targets', 'All contacts, by ID.', {}),
  segment: buildOpenApiVariant('segment', 'Contacts of a segment, by ID.', {
    segment: valueOrArgument('ID of the segment', {
      type: 'integer',
      minimum: 1,
      maximum: MAX_INT32,
    }),
  }),
  events: buildOpenApiVariant('events', 'Events without proofs and robots, by ID.', {
    types: list(`Types of the events. ${READY}`, { type: 'string', enum: [...listenedEventTypes.keys()] }, 100),
    start: periodBound('Start of the period, inclusive'),
    end: periodBound('End of the period, exclusive'),
    ids: list(
      'IDs of actions (texts), and of RCS actions and notifications (integers). Absent or null: all.',
      { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 1, maximum: MAX_INT32 }] },
      100,
    ),
  }),
  valueList: buildOpenApiVariant('valueList', 'Values of a list as `{index, value}`, by index.', {
    id: id(`ID of the value list. ${READY}`),
  }),
  inline: buildOpenApiVariant('inline', 'Given rows, in their order; a value that is no object becomes `{value}`.', {
    rows: valueOrArgument('Rows, at most 10,000, any JSON', {
      type: 'array',
      maxItems: 10_000,
      items: { description: 'Row.' },
    }),
  }),
  compilable: buildOpenApiVariant('compilable', 'Rows of another pipeline.', {
    id: uuid(`ID of a compilable of type \`pipeline\`. ${READY}`),
    arguments: expressions('Arguments by name, at most 50; expressions read `arguments` and `now`.'),
  }),
}

const groupMembers: Members = {
  function: words(
    `Function over the rows of a group; all but \`count\` have a \`value\`. ${READY}`,
    ...aggregateFunctions,
  ),
  value: expression('Value of a row. Required with every function but `count`.'),
}
const expressionItems = (description: string): OpenApiObject => list(description, expressionRef, 50)

const cursorSchemas: Record<string, OpenApiObject> = {
  filter: buildOpenApiVariant('filter', 'Retains the rows that match.', {
    condition: component('PipelineCondition', `Condition on \`row\`. ${READY}`),
  }),
  map: buildOpenApiVariant('map', 'Computes members of each row.', {
    fields: expressions(`Values by name of the member, at most 200. ${READY}`),
    keep: boolean('True: the members are added to the row. Default: false, they replace it.'),
  }),
  sort: buildOpenApiVariant('sort', 'Sorts the rows; equal rows retain their order.', {
    by: list(`Keys, the first decides first. ${READY}`, openApiSchemaRef('PipelineSortKey'), 50),
  }),
  distinct: buildOpenApiVariant('distinct', 'Retains the first of rows with the same values.', {
    by: expressionItems(`Values to compare. ${READY}`),
  }),
  limit: buildOpenApiVariant('limit', 'Retains some rows.', {
    count: rowCount('Maximum number of rows'),
    offset: rowCount('Number of rows to skip (default 0)'),
  }),
  group: buildOpenApiVariant(
    'group',
    'Makes one row of rows with the same values; the row has the members of `by` and `aggregates`.',
    {
      by: expressions('Values to compare, by name of the member, at most 200. Empty: one group.'),
      aggregates: {
        type: ['object', 'null'],
        additionalProperties: openApiSchemaRef('PipelineAggregate'),
        description: 'Aggregates by name of the member, at most 200.',
      },
    },
  ),
  join: buildOpenApiVariant('join', 'Adds rows of another source to each row.', {
    source: component('PipelineSource', `Source of the other rows. ${READY}`),
    on: object(`Values that are equal in both rows; null matches nothing. ${READY}`, {
      left: expression(`Value of \`row\`. ${READY}`),
      right: expression(`Value of \`other\`. ${READY}`),
    }),
    kind: words(
      'Rows without a match. `left`: they stay. `inner`: they are dropped. Default: `left`.',
      'left',
      'inner',
    ),
    into: memberName('Name of the member that receives the other row'),
    many: boolean('True: the member is an array of all matches. Default: false, the first match.'),
  }),
  expand: buildOpenApiVariant('expand', 'Makes one row of each element of a list.', {
    value: expression(`List. ${READY}`),
    into: memberName('Name of the member that receives the element'),
  }),
  script: buildOpenApiVariant('script', 'Passes batches of 500 rows to a script, which may return ten times as many.', {
    value: text(`Source of a module whose default export is \`(rows, context) => rows\`. ${READY}`, {
      maxLength: 262_144,
    }),
  }),
}

const conditionRef = openApiSchemaRef('PipelineCondition')
const buildGroup = (mode: string, description: string): OpenApiObject => ({
  type: 'object',
  description,
  required: [mode],
  properties: { [mode]: { type: 'array', items: conditionRef, description: 'Groups and conditions.' } },
})

const conditionSchema: OpenApiObject = {
  description:
    'Condition on a row: a group with exactly one of `all`, `any` and `none`, a comparison, criteria, or an expression that gives true. At most 200 conditions and 20 levels of groups.',
  anyOf: [
    buildGroup('all', 'Group that holds if every node holds.'),
    buildGroup('any', 'Group that holds if at least one node holds.'),
    buildGroup('none', 'Group that holds if no node holds.'),
    buildOpenApiVariant(
      'compare',
      'Comparison of two values. With a null or a value of another type, only negative operators hold.',
      {
        left: expression(`Value of \`row\`. ${READY}`),
        operator: words(`Comparison. ${READY}`, ...comparisonOperatorNames),
        right: expression(
          'Value to compare with: of `between`, `[from, to]`; of `in` and `notIn`, an array. Required except with `empty` and `notEmpty`.',
        ),
        exact: boolean('True: letter case and accents count. Default: false.'),
      },
    ),
    buildOpenApiVariant('criteria', 'Criteria of segments, for rows of contacts.', {
      value: settingMembers.criteria(READY),
    }),
    expressionRef,
  ],
}

const parameters = list('Parameters of an execution. Default: none.', openApiSchemaRef('CompilableParameter'), 50)

const valueSchemas: Record<string, OpenApiObject> = {
  PipelineDefinition: buildOpenApiVariant(
    'pipeline',
    'Pipeline: rows from a source through cursors. The result is an array of rows.',
    {
      source: component('PipelineSource', `Source of the rows. ${READY}`),
      cursors: list('Cursors that the rows pass through, in order.', openApiSchemaRef('PipelineCursor'), 30),
      parameters,
    },
  ),
  TemplateDefinition: buildOpenApiVariant('template', 'Template: a Liquid text over `arguments`.', {
    value: text(`Liquid text. ${READY}`, { maxLength: 262_144 }),
    output: words(
      'Result. `text`: the text. `html`: the text, in which values are escaped. `json`: the text read as JSON. Default: `text`.',
      'text',
      'html',
      'json',
    ),
    parameters,
  }),
  ScriptDefinition: buildOpenApiVariant('script', 'Script: a module like that of a webtask, called with `arguments`.', {
    value: text(`Source of the module. ${READY}`, { maxLength: 262_144 }),
    scripting: component(
      'ScriptingWrite',
      'Capabilities, modules and values of the script. Absent: as stored. Null: the defaults.',
    ),
    parameters,
  }),
}

const previewSchema: OpenApiObject = {
  type: ['object', 'null'],
  additionalProperties: true,
  description:
    'Default arguments and number of rows of a preview. An object with any other member is read as the arguments.',
  properties: {
    arguments: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'Arguments by name of the parameter, by its type. Default: none.',
    },
    limit: settingMembers.number('Maximum number of rows. Default: 10.', 1, 100),
  },
}

/** Compilables and their pipelines as components of the description. Requests are checked by the shapes of `definition/`. */
export const pipelineComponents: Readonly<Record<string, OpenApiObject>> = {
  PipelineArgument: {
    type: 'object',
    description: 'Path of an argument.',
    required: ['type', 'value'],
    properties: {
      type: { type: 'string', enum: ['path'], description: 'Type of the expression.' },
      value: { type: 'string', description: 'Path, such as `arguments.top`.' },
    },
  },
  PipelineSource: { description: 'Source of rows, by its type.', oneOf: Object.values(sourceSchemas) },
  PipelineSortKey: {
    type: 'object',
    description: 'Key of a sort.',
    properties: {
      value: expression(`Value of \`row\`. ${READY}`),
      direction: words('Direction. `asc`: ascending. `desc`: descending. Default: `asc`.', 'asc', 'desc'),
      nulls: words('Position of rows without a value. Default: `last`.', 'first', 'last'),
    },
  },
  PipelineAggregate: { type: 'object', description: 'Aggregate of a group.', properties: groupMembers },
  PipelineCondition: conditionSchema,
  PipelineCursor: {
    description: 'Step that rows pass through, by its type. Expressions read `row`, `arguments` and `now`.',
    oneOf: Object.values(cursorSchemas),
  },
  CompilableParameter: {
    type: 'object',
    description: 'Parameter of an execution.',
    properties: {
      name: variable(`Name, unique among the parameters. ${READY}`),
      type: words(`Type; dates are texts in ISO 8601, or milliseconds since 1970. ${READY}`, ...parameterTypes),
      required: boolean('True if every execution must supply the parameter. Default: false.'),
      default: { description: 'Value of an execution that does not supply the parameter, of its type. Null: none.' },
      description: text('Description of the parameter, for users.', { maxLength: 4000 }),
    },
  },
  ...valueSchemas,
  CompilableValue: {
    description: 'Definition of a compilable, by its type.',
    oneOf: Object.keys(valueSchemas).map(openApiSchemaRef),
  },
  StoredCompilableValue: {
    description: 'Definition of a compilable as it is stored, with its defaults.',
    allOf: [
      {
        type: 'object',
        required: ['parameters'],
        properties: {
          parameters: {
            type: 'array',
            items: openApiSchemaRef('CompilableParameter'),
            description: 'Parameters of an execution.',
          },
        },
      },
      openApiSchemaRef('CompilableValue'),
    ],
  },
  CompilablePreviewWrite: previewSchema,
  PreviewedCompilable: {
    description: 'Compilable to preview, whole or only its `value`.',
    anyOf: [
      openApiSchemaRef('CompilableValue'),
      {
        type: 'object',
        additionalProperties: true,
        description: 'Whole compilable; members not listed here have no effect.',
        required: ['value'],
        properties: {
          value: openApiSchemaRef('CompilableValue'),
          preview: component('CompilablePreviewWrite', 'Default arguments and number of rows of the preview.'),
        },
      },
    ],
  },
}
