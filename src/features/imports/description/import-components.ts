import { buildOpenApiVariant, type OpenApiObject, openApiSchemaRef } from '../../../http/openapi/document.ts'
import { ISO_WEEKDAYS } from '../run/schedule.ts'

const integer = (description: string, minimum: number, maximum: number): OpenApiObject => ({
  type: 'integer',
  minimum,
  maximum,
  description,
})
const timeMembers: Record<string, OpenApiObject> = {
  hour: integer('Hour. Default: 0.', 0, 23),
  minute: integer('Minute. Default: 0.', 0, 59),
  second: integer('Second. Default: 0.', 0, 59),
}
/** A shape that has all of its members. */
const buildVariant = (type: string, description: string, properties: Record<string, OpenApiObject>): OpenApiObject => ({
  ...buildOpenApiVariant(type, description, properties),
  required: ['type', ...Object.keys(properties)],
})

const occurrenceSchema: OpenApiObject = {
  description: 'Days on which the import runs.',
  oneOf: [
    buildVariant('daily', 'Every day.', {}),
    buildVariant('weekly', 'Days of the week.', {
      days: { type: 'array', minItems: 1, items: { enum: [...ISO_WEEKDAYS] }, description: 'Days of the week.' },
    }),
    buildVariant('monthly', 'Days of the month.', {
      days: { type: 'array', minItems: 1, items: integer('Day.', 1, 31), description: 'Days of the month.' },
    }),
  ],
}
const periodicitySchema: OpenApiObject = {
  description: 'Times of such a day. Default: once, at midnight.',
  oneOf: [
    {
      ...buildVariant('once', 'One time.', {
        value: { type: ['object', 'null'], properties: timeMembers, description: 'Time. Default: midnight.' },
      }),
      required: ['type'],
    },
    buildVariant('every', 'Repeatedly, from midnight.', {
      value: {
        type: 'object',
        required: ['minutes'],
        properties: { minutes: integer('Minutes between two runs.', 1, 1440) },
        description: 'Time between two runs.',
      },
    }),
  ],
}

const boundSchema = (description: string): OpenApiObject => ({
  anyOf: [
    { type: ['string', 'number', 'null'] },
    {
      type: 'object',
      required: ['year', 'month', 'date'],
      properties: {
        year: integer('Year.', 1, 9999),
        month: integer('Month.', 1, 12),
        date: integer('Day of the month.', 1, 31),
        ...timeMembers,
      },
    },
  ],
  description: `${description}: an ISO 8601 date, milliseconds since 1970, or a time in the time zone of the scheduler. Null: none.`,
})

const readOnly: OpenApiObject = { description: 'Read-only; ignored in requests.' }
const commonMembers: Record<string, OpenApiObject> = {
  name: { type: ['string', 'null'], maxLength: 1000, description: 'Name, for users.' },
  description: { type: ['string', 'null'], maxLength: 1000, description: 'Description, for users.' },
  enabled: { type: ['boolean', 'null'], description: 'False: the import does not run by itself. Default: true.' },
  timeZone: { type: ['string', 'null'], description: 'IANA time zone. Default: that of the account.' },
  id: readOnly,
  creationDate: readOnly,
  nextDate: readOnly,
}
const withCommonMembers = (schema: OpenApiObject): OpenApiObject => ({
  ...schema,
  properties: { ...(schema.properties as OpenApiObject), ...commonMembers },
})

const validitySchema: OpenApiObject = {
  type: ['object', 'null'],
  properties: { start: boundSchema('First time, inclusive'), end: boundSchema('Last time, inclusive') },
  description: 'Period in which the import runs. Null: unlimited.',
}

const schedulerSchemas = [
  {
    ...buildVariant('periodic', 'Runs repeatedly.', {
      frequency: {
        type: 'object',
        required: ['occurs'],
        properties: { occurs: occurrenceSchema, periodicity: periodicitySchema },
        description: 'Days and times of the runs.',
      },
      validity: validitySchema,
    }),
    required: ['type', 'frequency'],
  },
  buildVariant('scheduled', 'Runs once.', {
    startDate: { type: ['string', 'number'], description: 'Time of the run: ISO 8601, or milliseconds since 1970.' },
  }),
]
/** Schedulers of imports as components of the description. Requests are checked by `parseImportSchedulerBody`. */
export const importComponents: Readonly<Record<string, OpenApiObject>> = {
  ImportScheduler: {
    description: 'Times at which an import runs by itself.',
    oneOf: schedulerSchemas.map(withCommonMembers),
  },
  ImportSchedulerWrite: {
    description:
      'Times at which an import runs by itself. Words are read in any letter case, and numbers may be texts. Without `type`, `frequency`, `validity` and `startDate`: unchanged.',
    anyOf: [
      openApiSchemaRef('ImportScheduler'),
      {
        type: 'object',
        additionalProperties: true,
        description: 'Scheduler with words in another letter case, or without a change.',
      },
    ],
  },
}
