import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../../lib/errors/passed-over.ts'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { columnReadingMembers } from './feature-schemas.ts'

/** The field id that says of a column that it is not read. */
export const UNREAD_FIELD_ID = -10

const Binds = Type.Array(
  Type.Object({
    columnIndex: Type.Integer({ minimum: 0, maximum: 100_000, description: 'Position of the column, from 0.' }),
    fieldId: Type.Integer({
      minimum: UNREAD_FIELD_ID,
      maximum: MAX_INT32,
      description: `ID of the field that the column fills; ${UNREAD_FIELD_ID}: the column is not read.`,
    }),
    ...columnReadingMembers,
  }),
  { maxItems: 10_000 },
)

const formatMembers = {
  name: Type.String({
    description: 'Name of the import format: 1 to 100 characters, unique in the account regardless of case.',
  }),
  separator: Type.Integer({
    minimum: 0,
    maximum: 127,
    description: 'Character code of the separator, such as 59 for `;`. 0: detected from the file. Default: 0.',
  }),
  startAt: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'Number of lines to skip before the first data line. Default: 1.',
  }),
  binds: { ...Binds, description: 'Columns of the file and the fields that they fill.' },
  savedImportFormat: Type.Boolean({
    description: 'False: the format can be used by its ID but is not listed. Default: true.',
  }),
  encoding: Type.String({
    maxLength: 50,
    description: 'Name of the character encoding, or `auto` to detect it. Default: `auto`.',
  }),
  sheet: Type.String({
    maxLength: 255,
    description: 'Name of the workbook sheet to read, in any case. Default: the first sheet that is not hidden.',
  }),
  dateOrder: Type.Enum(['dmy', 'mdy'], {
    description:
      'Order of day and month in dates written with slashes. `dmy`: day first. `mdy`: month first. Default: the setting of the account.',
  }),
}

const Identifier = Type.Object(
  { guid: Type.Integer({ description: 'ID of the import format, for `binding` of an import.' }) },
  { description: 'Identifier of the import format.' },
)

/** Rules for reading the columns of a file. */
export const ImportFormatResponse = Type.Object({
  identifier: Identifier,
  name: formatMembers.name,
  separator: formatMembers.separator,
  startAt: formatMembers.startAt,
  binds: formatMembers.binds,
  savedImportFormat: formatMembers.savedImportFormat,
  encoding: Type.Optional(formatMembers.encoding),
  sheet: Type.Optional(formatMembers.sheet),
  dateOrder: Type.Optional(formatMembers.dateOrder),
})
export type ImportFormatResponse = Static<typeof ImportFormatResponse>

/** A request; of a format that exists what is absent stays. */
export const ImportFormatBody = Type.Object({
  identifier: ignoredMemberSchema,
  name: Type.Optional(formatMembers.name),
  separator: Type.Optional(Type.Union([formatMembers.separator, Type.Null()])),
  startAt: Type.Optional(Type.Union([formatMembers.startAt, Type.Null()])),
  binds: Type.Optional(formatMembers.binds),
  savedImportFormat: Type.Optional(Type.Union([formatMembers.savedImportFormat, Type.Null()])),
  encoding: Type.Optional(Type.Union([formatMembers.encoding, Type.Null()])),
  sheet: Type.Optional(Type.Union([formatMembers.sheet, Type.Null()])),
  dateOrder: Type.Optional(Type.Union([formatMembers.dateOrder, Type.Null()])),
})
export type ImportFormatBody = Static<typeof ImportFormatBody>
