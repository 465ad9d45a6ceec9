import { channelRedListNames } from '../../../channels/channel-traits.ts'
import { type OpenApiObject, openApiSchemaRef } from '../../../http/openapi/document.ts'
import { int32IdLimits, MAX_INT32 } from '../../../lib/int32.ts'
import { bounceNames } from '../../contacts/bounce-flags/bounce-codes.ts'
import { eventChannels, eventKindTable, eventTypes } from '../../events/kinds/event-kinds.ts'
import { criteriaTimeUnits } from '../criteria/criteria-types.ts'
import { comparisonByFieldType } from '../criteria/criterion-columns.ts'
import { countOperatorNames } from '../criteria/event-leaf.ts'
import { fieldOperators, instantOperators } from '../criteria/field-operators.ts'

const idSchema = (description: string): OpenApiObject => ({ type: 'integer', ...int32IdLimits, description })
const wordsSchema = (values: Iterable<string>, description: string): OpenApiObject => ({
  type: 'string',
  enum: [...new Set(values)],
  description,
})

const criteriaRef = openApiSchemaRef('SegmentCriteria')
const fixedDateSchema: OpenApiObject = {
  anyOf: [{ type: 'string' }, { type: 'number' }],
  description: 'Fixed date: ISO 8601, milliseconds since 1970, or with slashes in the `dateOrder` of the account.',
}

function buildLeaf(
  types: readonly string[],
  description: string,
  properties: Record<string, OpenApiObject>,
  ...required: string[]
): OpenApiObject {
  const type: OpenApiObject = { type: 'string', enum: [...types], description: 'Type of the condition.' }
  return { type: 'object', description, required: ['type', ...required], properties: { type, ...properties } }
}

const buildGroup = (mode: string, description: string): OpenApiObject => ({
  type: 'object',
  description,
  required: [mode],
  properties: { [mode]: { type: 'array', items: criteriaRef, description: 'Groups and conditions.' } },
})

const buildAmountGroup = (mode: string, description: string): OpenApiObject => ({
  type: 'object',
  required: [mode],
  properties: { [mode]: { ...openApiSchemaRef('CriteriaTimeAmount'), description } },
})

/** A span of fixed dates, of which one is required. */
const buildFixedSpan = (required: 'start' | 'end'): OpenApiObject => ({
  type: 'object',
  required: [required],
  properties: {
    start: { ...fixedDateSchema, description: 'Start, inclusive: a fixed date.' },
    end: { ...fixedDateSchema, description: 'End, exclusive: a fixed date.' },
  },
})

/** The operators of each type of field, in words. */
function describeFieldOperators(): string {
  const fieldTypes = Object.entries(comparisonByFieldType)
  const sentences = Object.entries(fieldOperators).map(([comparison, operators]) => {
    const types = fieldTypes.filter(([, ofType]) => ofType === comparison).map(([type]) => `\`${type}\``)
    return `${types.join(', ')}: ${Object.keys(operators).join(', ')}.`
  })
  return `Comparison, by the type of the field. ${sentences.join(' ')}`
}

const timeSchemas: Record<string, OpenApiObject> = {
  CriteriaTimeAmount: {
    type: 'object',
    description: 'Amount of time.',
    required: ['value', 'unit'],
    properties: {
      value: {
        type: 'integer',
        minimum: 0,
        maximum: 100_000,
        description: 'Number of units; at least 1 in a span of time.',
      },
      unit: wordsSchema(
        criteriaTimeUnits,
        'Unit. Minutes and hours count from the present instant, the others by days in the time zone of the account.',
      ),
    },
  },
  CriteriaRelativeDate: {
    description: 'Date relative to the present.',
    oneOf: [buildAmountGroup('ago', 'Time before the present.'), buildAmountGroup('ahead', 'Time after the present.')],
  },
  CriteriaTimeSpan: {
    description:
      'Span of time: `last` or `next`, including today, or fixed dates, of which one is enough: `start` inclusive, `end` exclusive.',
    oneOf: [
      buildAmountGroup('last', 'Time up to the present.'),
      buildAmountGroup('next', 'Time from the present.'),
      { anyOf: [buildFixedSpan('start'), buildFixedSpan('end')] },
    ],
  },
  CriteriaDayRange: {
    type: 'object',
    description: 'Days from today, both inclusive, on which month and day fall, whatever the year.',
    required: ['from', 'to'],
    properties: {
      from: { type: 'integer', minimum: -366, maximum: 366, description: 'First day; 0 is today.' },
      to: { type: 'integer', minimum: -366, maximum: 366, description: 'Last day.' },
    },
  },
}

const relativeDateRef = openApiSchemaRef('CriteriaRelativeDate')
const dateValues = [relativeDateRef, openApiSchemaRef('CriteriaTimeSpan'), openApiSchemaRef('CriteriaDayRange')]

const eventWords = [...eventTypes, ...eventKindTable.flatMap(({ kind }) => [kind.split('/')[0]!, kind])]
const linkWords = eventKindTable.flatMap(({ kind }) => (kind.startsWith('hits/') ? kind.slice('hits/'.length) : []))

const countValue = { type: 'integer', minimum: 0, maximum: 1_000_000_000 }
const eventCountSchema: OpenApiObject = {
  type: 'object',
  description: 'Number of events. Absent: at least 1.',
  required: ['operator', 'value'],
  properties: {
    operator: wordsSchema(countOperatorNames, 'Comparison.'),
    value: {
      anyOf: [countValue, { type: 'array', items: countValue, minItems: 2, maxItems: 2 }],
      description: 'Number to compare with; of `between`, `[from, to]`, both inclusive.',
    },
  },
}

const leafSchemas: Record<string, OpenApiObject> = {
  FieldCriterion: buildLeaf(
    ['field'],
    'Condition on the value of a field.',
    {
      field: idSchema('ID of a field with `isCriterion`.'),
      operator: wordsSchema(Object.values(fieldOperators).flatMap(Object.keys), describeFieldOperators()),
      value: {
        anyOf: [
          { type: 'string' },
          { type: 'number' },
          {
            type: 'array',
            maxItems: 1000,
            items: { anyOf: [{ type: 'string' }, { type: 'number' }, relativeDateRef] },
          },
          ...dateValues,
        ],
        description:
          'Value to compare with: of `in` and `notIn`, an array; of `between`, `[from, to]`; of `within`, a span of time; of `anniversary`, a range of days; of `before` and `after`, a fixed or relative date; absent with `empty` and `notEmpty`; otherwise one value. Values of lists are labels; a deleted label is returned as its index.',
      },
    },
    'field',
    'operator',
  ),
  DateCriterion: buildLeaf(
    ['creationDate', 'lastUpdateDate'],
    'Condition on the time at which the contact was created or last changed.',
    {
      operator: wordsSchema(Object.keys(instantOperators), 'Comparison.'),
      value: {
        anyOf: [
          ...(fixedDateSchema.anyOf as OpenApiObject[]),
          {
            type: 'array',
            minItems: 2,
            maxItems: 2,
            items: { anyOf: [{ type: 'string' }, { type: 'number' }, relativeDateRef] },
          },
          ...dateValues,
        ],
        description:
          'Value to compare with: of `before` and `after`, a fixed or relative date; of `between`, `[start, end]`: start inclusive, end exclusive; of `within`, a span of time; of `anniversary`, a range of days.',
      },
    },
    'operator',
    'value',
  ),
  SegmentCriterion: buildLeaf(
    ['segment'],
    'Condition on the membership in a segment.',
    {
      segment: idSchema('ID of a segment, static or dynamic, expired or not.'),
      operator: wordsSchema(['in', 'notIn'], '`in`: members. `notIn`: all others. Default: `in`.'),
    },
    'segment',
  ),
  EventCriterion: buildLeaf(
    ['event'],
    'Condition on the number of events of the contact. Events of tests never count.',
    {
      event: wordsSchema(
        ['', ...eventWords],
        'Type of events, kind, or kind that includes all kinds below it. Empty: every kind.',
      ),
      channel: wordsSchema(eventChannels, 'Channel that has such events. Absent: all.'),
      link: wordsSchema(linkWords, 'Kind of the link, for hits only. Absent: all.'),
      actions: {
        type: 'array',
        maxItems: 1000,
        items: { anyOf: [{ type: 'string' }, { type: 'integer', ...int32IdLimits }] },
        description:
          'IDs of email and SMS actions (texts), and of RCS actions and notifications (integers). Empty: no event. Absent: all.',
      },
      period: {
        ...openApiSchemaRef('CriteriaTimeSpan'),
        description: 'Span of time by the timestamp of the events. Absent: all stored events.',
      },
      count: eventCountSchema,
      robots: { type: 'boolean', description: 'True: hits and interactions of robots count. Default: false.' },
    },
    'event',
  ),
  RedListCriterion: buildLeaf(['redList'], 'Condition on an entry on a suppression list.', {
    channel: wordsSchema(
      [...channelRedListNames, 'any'],
      'Suppression list; `sms` applies to SMS and RCS. Default: `any`.',
    ),
  }),
  BounceCriterion: buildLeaf(['bounce'], 'Condition on a bounce flag of an address.', {
    field: idSchema('ID of a field of type `email` or `phone`. Absent: every such field.'),
    is: {
      type: 'array',
      minItems: 1,
      items: { anyOf: [{ type: 'string' }, { type: 'integer', minimum: 0, maximum: MAX_INT32 }] },
      description: `Bounce flags: \`hard\`, names (${bounceNames.join(', ')}; in any case), or codes. Absent: the flags that stop sends.`,
    },
  }),
  SubscriptionCriterion: buildLeaf(
    ['subscription'],
    'Condition on a device that receives push messages, muted or not.',
    {
      application: { type: 'string', format: 'uuid', description: 'ID of an application. Absent: every application.' },
    },
  ),
}

const groupSchemas: Record<string, OpenApiObject> = {
  AllCriteria: buildGroup('all', 'Group that holds if every node holds; empty: for every contact.'),
  AnyCriteria: buildGroup('any', 'Group that holds if at least one node holds; empty: for no contact.'),
  NoneCriteria: buildGroup('none', 'Group that holds if no node holds; empty: for every contact.'),
}

/** Criteria of contacts as components of the description. What requests may have is checked by `parseCriteria`. */
export const criteriaComponents: Readonly<Record<string, OpenApiObject>> = {
  SegmentCriteria: {
    description:
      'Criteria of contacts: a group with exactly one of `all`, `any` and `none`, or one condition with a `type`. At most 200 conditions and 20 levels of groups. A member that is null counts as absent.',
    oneOf: [...Object.keys(groupSchemas), ...Object.keys(leafSchemas)].map(openApiSchemaRef),
  },
  ...groupSchemas,
  ...leafSchemas,
  ...timeSchemas,
}
