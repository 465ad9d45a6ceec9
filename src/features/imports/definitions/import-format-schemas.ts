import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../../lib/errors/passed-over.ts'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { columnReadingMembers } from './feature-schemas.ts'

/** The field id that says of a column that it is not read. */
export const UNREAD_FIELD_ID = -10

const Binds = Type.Array(
  Type.Object({
    columnIndex: Type.Integer({ minimum: 0, maximum: 100_000, description: 'from 0' }),
    fieldId: Type.Integer({
      minimum: UNREAD_FIELD_ID,
      maximum: MAX_INT32,
      description: `a field, or ${UNREAD_FIELD_ID}: the column is not read`,
    }),
    ...columnReadingMembers,
  }),
  { maxItems: 10_000 },
)

const formatMembers = {
  name: Type.String({ description: '1 to 100 characters, unique in the account without regard to case' }),
  separator: Type.Integer({ minimum: 0, maximum: 127, description: 'character code; 0: found in the file' }),
  startAt: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    description: 'lines skipped before the first data line',
  }),
  binds: { ...Binds, description: 'which column fills which field' },
  savedImportFormat: Type.Boolean({ description: 'false: usable by id, not listed' }),
  encoding: Type.String({ maxLength: 50, description: 'auto, or the name of a character set' }),
  sheet: Type.String({
    maxLength: 255,
    description: 'the sheet of a workbook, in any case; default the first one that is not hidden',
  }),
  dateOrder: Type.Enum(['dmy', 'mdy'], { description: "of dates with slashes; default the account's" }),
}

const Identifier = Type.Object(
  { guid: Type.Integer({ description: 'the id' }) },
  { description: 'what names it in this account' },
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
