import { type Static, Type } from 'typebox'
import { int32IdLimits, int32Limits } from '../../../lib/int32.ts'
import { buildTaggedUnion, buildTypeTag, buildTypeTagSchema } from '../../../lib/type-tags.ts'
import { type BounceName, bounceCodes } from '../../contacts/bounce-flags/bounce-codes.ts'
import type { DateNumberUnit } from '../../contacts/values/date-text.ts'
import type { DecimalMark } from '../../contacts/values/number-text.ts'

const optionalFlag = (description?: string) =>
  Type.Optional(Type.Boolean(description === undefined ? {} : { description }))

const Segmentation = Type.Object({
  type: buildTypeTag('segmentation'),
  segmentId: Type.Integer({
    ...int32Limits,
    description: 'a static segment, which the contact of every accepted line joins',
  }),
  emptyExisitingSegment: Type.Optional(
    Type.Boolean({ description: 'true: from the end of the run on they are its only members. Spelled so' }),
  ),
  emptyExistingSegment: optionalFlag('read as emptyExisitingSegment'),
})

const RedList = Type.Object({
  type: buildTypeTag('redList'),
  destination: Type.Object(
    {
      mail: optionalFlag('the red list of mail'),
      sms: optionalFlag('the red list of SMS'),
      email: optionalFlag('read as mail'),
    },
    { description: 'which red lists' },
  ),
})

const Duplicate = Type.Object({
  type: buildTypeTag('duplicate'),
  rules: Type.Optional(
    Type.Object(
      {
        first: optionalFlag('of lines with one key the first counts; the default'),
        ignore: optionalFlag('as first, and the others are not among the rejects'),
        last: optionalFlag('of lines with one key the last counts'),
      },
      { description: 'one of them true' },
    ),
  ),
})

const Report = Type.Object({
  type: buildTypeTag('report'),
  sendFinalReport: optionalFlag('whether a mail is sent at the end'),
  sendErrorReport: optionalFlag('whether a mail is sent when it failed or lines were rejected'),
  contactGuids: Type.Optional(Type.Array(Type.String(), { maxItems: 1000, description: 'ids of users who get it' })),
  groupIds: Type.Optional(
    Type.Array(Type.Integer(int32Limits), { maxItems: 1000, description: 'ids of groups of users who get it' }),
  ),
})

const Database = Type.Object({
  type: buildTypeTag('database'),
  updateExisting: optionalFlag('whether known contacts are changed; true by default'),
  crushData: optionalFlag('whether empty cells empty fields; false by default'),
})

const Normalization = Type.Object({
  type: buildTypeTag('normalization'),
  fields: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 250 }), {
      description: 'by phone field, the countries tried in order',
    }),
  ),
})

/** A column of a file: its heading, without regard to case, or its position in a line, from 0. */
const ImportColumnName = Type.Union(
  [Type.String({ maxLength: 1000 }), Type.Integer({ minimum: 0, maximum: 100_000 })],
  {
    description: 'its heading, or its place in a line from 0',
  },
)
export type ImportColumnName = Static<typeof ImportColumnName>

const FieldId = Type.Union([Type.Integer(int32IdLimits), Type.Null()])

/** The schema of the choices for a column whose cells have several readings. */
export const columnReadingMembers = {
  decimalMark: Type.Optional(
    Type.Enum(['comma', 'point'], {
      description:
        "the decimal mark in numbers such as 1,234; default: the one that the column's numbers show, else the account's",
    }),
  ),
  dateUnit: Type.Optional(
    Type.Enum(['seconds', 'milliseconds', 'serial'], {
      description:
        'the unit of bare numbers in a column of dates: seconds or milliseconds since 1970, or days since 1899-12-30, as in spreadsheets; by default, numbers that could mean several dates are refused',
    }),
  ),
}

/** The choices for reading a column; absent if not chosen. */
export interface ColumnReading {
  decimalMark?: DecimalMark
  dateUnit?: DateNumberUnit
}

const Columns = Type.Object({
  type: buildTypeTag('columns'),
  header: Type.Optional(Type.Boolean({ description: 'whether the first line holds the headings; default true' })),
  encoding: Type.Optional(
    Type.Union([Type.String({ maxLength: 50 }), Type.Null()], {
      description: 'auto, or the name of a character set; default auto. A byte order mark overrides it',
    }),
  ),
  sheet: Type.Optional(
    Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
      description: 'the sheet of a workbook, in any case; default the first one that is not hidden',
    }),
  ),
  fields: Type.Array(
    Type.Object({
      column: ImportColumnName,
      field: { ...FieldId, description: 'id of the field' },
      ...columnReadingMembers,
    }),
    {
      maxItems: 10_000,
      description:
        'which column fills which field; null, and those that are not here: not read. Without a binding alone',
    },
  ),
})

/** The effect of a status word: an entry on the red list, a bounce flag, or nothing. */
export type StatusMark = 'redList' | StoppingFlag
type StoppingFlag = {
  [Name in BounceName]: (typeof bounceCodes)[Name]['stops'] extends true ? Name : never
}[BounceName]

const stoppingFlagNames = Object.entries(bounceCodes).flatMap(([name, { stops }]) =>
  stops ? [name as StoppingFlag] : [],
)
export const statusMarks: readonly StatusMark[] = ['redList', ...stoppingFlagNames]

const statusRuleMembers = {
  column: Type.Optional(
    Type.Union([...ImportColumnName.anyOf, Type.Null()], { description: 'where the word of a line is' }),
  ),
  file: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], { description: 'true: the word is in the name of the file' }),
  ),
  map: Type.Record(Type.String({ maxLength: 255 }), Type.Union([Type.Enum(statusMarks), Type.Null()]), {
    minProperties: 1,
    maxProperties: 1000,
    description: 'by word, without regard to case; "" is an empty cell, "*" every other word. null: nothing is done',
  }),
  field: Type.Optional(
    Type.Union([...FieldId.anyOf], {
      description: 'the email or phone field that the status is of, and so the red list; default the first email field',
    }),
  ),
}

const Statuses = Type.Object({
  type: buildTypeTag('statuses'),
  ...statusRuleMembers,
  also: Type.Optional(
    Type.Array(Type.Object(statusRuleMembers), {
      maxItems: 10,
      description: 'further places where a line has a status',
    }),
  ),
})
export type StatusRuleBody = Omit<Static<typeof Statuses>, 'type' | 'also'>

const featureBodies = [Segmentation, RedList, Duplicate, Report, Database, Normalization, Columns, Statuses]

/** An effect of an import in addition to writing contacts, distinguished by `type`. */
export const ImportFeatureBody = buildTaggedUnion(featureBodies)
export type ImportFeatureBody = Static<typeof ImportFeatureBody>

/** A feature as it is stored and answered: every member with its value. */
export type ImportFeature =
  | { type: 'segmentation'; segmentId: number; emptyExisitingSegment: boolean }
  | { type: 'redList'; destination: { mail: boolean; sms: boolean } }
  | { type: 'duplicate'; rules: { [rule in DuplicateRule]?: true } }
  | {
      type: 'report'
      sendFinalReport: boolean
      sendErrorReport: boolean
      contactGuids: string[]
      groupIds: number[]
    }
  | { type: 'database'; updateExisting: boolean; crushData: boolean }
  | { type: 'normalization'; fields: Record<string, string[]> }
  | ({ type: 'columns' } & ColumnMapping)
  | ({ type: 'statuses' } & ImportStatusRule & { also?: ImportStatusRule[] })

/** Columns that fill fields if no import format defines them. */
export interface ColumnMapping {
  header: boolean
  /** Absent if it is detected. */
  encoding?: string
  /** Absent: the first one. */
  sheet?: string
  fields: ({ column: ImportColumnName; field: number | null } & ColumnReading)[]
}

/** Location of the status of a line, and the effect of its words. */
export interface ImportStatusRule {
  /** One of the two. */
  column?: ImportColumnName
  file?: true
  map: Record<string, StatusMark | null>
  field?: number
}

export type DuplicateRule = 'first' | 'ignore' | 'last'

export const ImportFeature = Type.Unsafe<ImportFeature>({
  type: 'object',
  required: ['type'],
  properties: { type: { ...buildTypeTagSchema(featureBodies), description: 'which of the possible kinds it is' } },
  additionalProperties: true,
})
