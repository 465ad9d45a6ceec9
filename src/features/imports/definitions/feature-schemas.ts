import { type Static, Type } from 'typebox'
import { int32IdLimits, int32Limits } from '../../../lib/int32.ts'
import { buildTaggedUnion, buildTypeTag, buildTypeTagSchema } from '../../../lib/type-tags.ts'
import { type BounceName, bounceCodes } from '../../contacts/bounce-flags/bounce-codes.ts'
import { type DateNumberUnit, dateNumberUnits } from '../../contacts/values/date-text.ts'
import type { DecimalMark } from '../../contacts/values/number-text.ts'

const optionalFlag = (description?: string) =>
  Type.Optional(Type.Boolean(description === undefined ? {} : { description }))

const Segmentation = Type.Object({
  type: buildTypeTag('segmentation'),
  segmentId: Type.Integer({
    ...int32Limits,
    description: 'ID of a static segment. The contact of every accepted line becomes a member.',
  }),
  emptyExisitingSegment: Type.Optional(
    Type.Boolean({
      description:
        'True: when the run completes, the contacts of its lines become the only members; a failed run ' +
        'changes nothing. Default: false. The spelling is part of the interface.',
    }),
  ),
  emptyExistingSegment: optionalFlag('Same as `emptyExisitingSegment`.'),
})

const RedList = Type.Object({
  type: buildTypeTag('redList'),
  destination: Type.Object(
    {
      mail: optionalFlag('True: the mail suppression list. Default: false.'),
      sms: optionalFlag('True: the SMS suppression list. Default: false.'),
      email: optionalFlag('Same as `mail`.'),
    },
    { description: 'Suppression lists to add the contact of every accepted line to.' },
  ),
})

const Duplicate = Type.Object({
  type: buildTypeTag('duplicate'),
  rules: Type.Optional(
    Type.Object(
      {
        first: optionalFlag('True: the first line counts, and the others are listed as rejects. The default.'),
        ignore: optionalFlag('True: the first line counts, and the others are not listed.'),
        last: optionalFlag('True: the last line counts, and the others are listed as rejects.'),
      },
      { description: 'Line that counts if several have the same unicity; at most one member can be true.' },
    ),
  ),
})

const Report = Type.Object({
  type: buildTypeTag('report'),
  sendFinalReport: optionalFlag('True: send a mail when the run ends. Default: false.'),
  sendErrorReport: optionalFlag('True: send a mail if the run failed or lines were rejected. Default: false.'),
  contactGuids: Type.Optional(
    Type.Array(Type.String(), { maxItems: 1000, description: 'IDs of the users to notify.' }),
  ),
  groupIds: Type.Optional(
    Type.Array(Type.Integer(int32Limits), { maxItems: 1000, description: 'IDs of the user groups to notify.' }),
  ),
})

const Database = Type.Object({
  type: buildTypeTag('database'),
  updateExisting: optionalFlag('True: existing contacts are changed. Default: true.'),
  crushData: optionalFlag('True: empty cells empty the field of an existing contact. Default: false.'),
})

const Normalization = Type.Object({
  type: buildTypeTag('normalization'),
  fields: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 250 }), {
      description:
        'Countries to try in order, as ISO 3166 codes, by ID of the phone field. Fields without an entry ' +
        'use the default country of the account.',
    }),
  ),
})

/** A column of a file: its heading, without regard to case, or its position in a line, from 0. */
const ImportColumnName = Type.Union(
  [Type.String({ maxLength: 1000 }), Type.Integer({ minimum: 0, maximum: 100_000 })],
  {
    description: 'Column, by its heading in any case or by its position from 0.',
  },
)
export type ImportColumnName = Static<typeof ImportColumnName>

const FieldId = Type.Union([Type.Integer(int32IdLimits), Type.Null()])

/** The schema of the choices for a column whose cells have several readings. */
export const columnReadingMembers = {
  decimalMark: Type.Optional(
    Type.Enum(['comma', 'point'], {
      description:
        'Decimal mark of numbers such as 1,234. Default: the mark that other numbers of the column show, ' +
        'else the setting of the account.',
    }),
  ),
  dateUnit: Type.Optional(
    Type.Enum([...dateNumberUnits], {
      description:
        'Unit of plain numbers in a date column: `seconds` or `milliseconds` since 1970, or `serial`, days ' +
        'since 1899-12-30 as in spreadsheets. Absent: numbers that could mean several dates are rejected.',
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
  header: Type.Optional(Type.Boolean({ description: 'True if the first line holds headings. Default: true.' })),
  encoding: Type.Optional(
    Type.Union([Type.String({ maxLength: 50 }), Type.Null()], {
      description:
        'Name of the character encoding, or `auto` to detect it. A byte order mark takes precedence. ' +
        'Default: `auto`.',
    }),
  ),
  sheet: Type.Optional(
    Type.Union([Type.String({ maxLength: 255 }), Type.Null()], {
      description: 'Name of the workbook sheet to read, in any case. Default: the first sheet that is not hidden.',
    }),
  ),
  fields: Type.Array(
    Type.Object({
      column: ImportColumnName,
      field: { ...FieldId, description: 'ID of the field. Null: the column is not read.' },
      ...columnReadingMembers,
    }),
    {
      maxItems: 10_000,
      description:
        'Columns of the file and the fields that they fill. Columns that are not listed are not read. ' +
        'Cannot be combined with a binding.',
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
    Type.Union([...ImportColumnName.anyOf, Type.Null()], {
      description: 'Column that holds the status word of a line. Give either `column` or `file`.',
    }),
  ),
  file: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], { description: 'True: the status word is part of the file name.' }),
  ),
  map: Type.Record(Type.String({ maxLength: 255 }), Type.Union([Type.Enum(statusMarks), Type.Null()]), {
    minProperties: 1,
    maxProperties: 1000,
    description:
      'Effect of each status word, in any case; `""` means an empty cell and `"*"` any other word. ' +
      '`redList` adds the contact to the suppression list of the channel, the other values set a bounce ' +
      'flag. `hardDomain`: domain unknown. `hardUser`: mailbox or subscriber unknown. `hardOther`: another permanent ' +
      'refusal. `hardRules`: refused by policy. `reportAsSpam`: complaint. Null: no effect.',
  }),
  field: Type.Optional(
    Type.Union([...FieldId.anyOf], {
      description:
        'ID of the email or phone field that the status applies to; it also decides the suppression list. ' +
        'Default: the email field of the unicity, else the first email field, else the first phone field.',
    }),
  ),
}

const Statuses = Type.Object({
  type: buildTypeTag('statuses'),
  ...statusRuleMembers,
  also: Type.Optional(
    Type.Array(Type.Object(statusRuleMembers), {
      maxItems: 10,
      description: 'Further rules for reading a status from a line.',
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
  properties: {
    type: {
      ...buildTypeTagSchema(featureBodies),
      description:
        'Type of the feature. `segmentation`: adds contacts to a segment. `redList`: adds contacts to ' +
        'suppression lists. `duplicate`: handles lines with the same unicity. `report`: sends reports by ' +
        'mail. `database`: controls changes of existing contacts. `normalization`: sets the countries of ' +
        'phone numbers. `columns`: assigns columns to fields. `statuses`: reads suppressions and bounces ' +
        'from the file.',
    },
  },
  additionalProperties: true,
})
