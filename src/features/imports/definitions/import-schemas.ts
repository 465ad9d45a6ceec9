import { type Static, type TSchema, Type } from 'typebox'
import { ignoredMemberSchema } from '../../../lib/errors/passed-over.ts'
import { int32Limits } from '../../../lib/int32.ts'
import { ImportFeature, ImportFeatureBody } from './feature-schemas.ts'
import { ImportFormatResponse } from './import-format-schemas.ts'

const BINDING_DESCRIPTION = 'an import format; null: the first line of a file names the fields'
const SCHEDULER_DESCRIPTION = 'when it runs by itself'
const Instant = Type.String({ format: 'date-time' })

function buildNullable<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
}

/** Source of the files of an import, as the API returns it. */
export const ImportSource = Type.Object({
  type: Type.Enum(['file', 'ftp'], { description: 'which of the possible kinds it is' }),
  id: buildNullable(Type.Integer({ description: 'of the last upload' })),
  creationDate: { ...Instant, description: 'when it was made, in UTC' },
  updateDate: buildNullable(Instant, 'when it was changed last, in UTC'),
  filename: buildNullable(
    Type.String({ description: 'ten hexadecimal digits, a low line, and the name it was sent under' }),
  ),
  folder: Type.Optional(Type.String({ description: 'ftp only; {id} and {name} are those of the import' })),
  templateFilename: Type.Optional(Type.String({ description: 'ftp only; with the wildcards * and ?' })),
})
export type ImportSource = Static<typeof ImportSource>

const FieldMaps = Type.Array(Type.Record(Type.String(), Type.Unknown()), {
  description: 'flat maps of values by field id or name',
})

export const ImportSourceBody = Type.Object({
  type: Type.Optional(Type.Enum(['file', 'ftp'], { description: 'which of the possible kinds it is' })),
  id: ignoredMemberSchema,
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
  filename: Type.Optional(buildNullable(Type.String({ maxLength: 1000, description: 'what the file is called' }))),
  data: Type.Optional(
    Type.Union([Type.String(), FieldMaps, Type.Null()], {
      description: 'the lines of the file, or values by field id or name',
    }),
  ),
  folder: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'folder that files are pulled from' }),
  ),
  templateFilename: Type.Optional(
    Type.String({ maxLength: 255, pattern: '^(?!\\.\\.$)[^/\\\\]+$', description: 'a name, without a folder' }),
  ),
})
export type ImportSourceBody = Static<typeof ImportSourceBody>

const SchedulerObject = Type.Unsafe<{ type: string } & Record<string, unknown>>(
  Type.Object(
    { type: Type.String({ description: 'which of the possible kinds it is' }) },
    { additionalProperties: true, description: SCHEDULER_DESCRIPTION },
  ),
)

export const ImportResponse = Type.Object({
  id: Type.Integer({ description: 'what names it in this account' }),
  name: Type.String({ description: 'the name that people give it' }),
  creationDate: { ...Instant, description: 'when it was made, in UTC' },
  updateDate: buildNullable(Instant, 'when it was changed last, in UTC'),
  binding: buildNullable(Type.Integer(), BINDING_DESCRIPTION),
  features: Type.Array(ImportFeature, { description: 'what an import does beside writing contacts' }),
  source: { ...ImportSource, description: 'where it comes from' },
  scheduler: Type.Optional(SchedulerObject),
})
export type ImportResponse = Static<typeof ImportResponse>

/** A request; of an import that exists what is absent stays. */
export const ImportBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(Type.String({ description: 'the name that people give it' })),
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
  binding: Type.Optional(buildNullable(Type.Integer(int32Limits), BINDING_DESCRIPTION)),
  features: Type.Optional(
    Type.Array(ImportFeatureBody, { maxItems: 8, description: 'what an import does beside writing contacts' }),
  ),
  source: Type.Optional({ ...ImportSourceBody, description: 'where it comes from' }),
  scheduler: Type.Optional(
    buildNullable(
      Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true })),
      SCHEDULER_DESCRIPTION,
    ),
  ),
})
export type ImportBody = Static<typeof ImportBody>

/** Input of a run, as the import showed it when the run began. */
export const ImportExecutionContent = Type.Object({
  features: Type.Array(ImportFeature, { description: 'what an import does beside writing contacts' }),
  bindings: buildNullable(ImportFormatResponse, 'the import format; null: none'),
  source: { ...ImportSource, description: 'where it comes from' },
})
export type ImportExecutionContent = Static<typeof ImportExecutionContent>

const Count = Type.Integer({ minimum: 0 })

/** A run of an import. Each data line counts in exactly one of the five counters. */
export const ImportExecution = Type.Object({
  id: Type.Integer({ description: 'what names it in this account' }),
  import: Type.Integer({ description: 'id of the import' }),
  startDate: { ...Instant, description: 'when it begins or began, in UTC' },
  endDate: buildNullable(Instant, 'when it ends or ended, in UTC'),
  dryRun: Type.Boolean({ description: 'nothing is written: the counters say what a run would come to' }),
  state: Type.Integer({ minimum: 0, maximum: 2, description: '0 processing or waiting, 1 completed, 2 error' }),
  progress: Type.Object(
    {
      bytes: Type.Integer({ description: 'bytes of the stored file that are read' }),
      lines: Type.Integer({ description: 'data lines that are read' }),
      total: Type.Integer({ description: 'size of the stored file in bytes' }),
    },
    { description: 'how far it is' },
  ),
  created: { ...Count, description: 'lines that made a contact' },
  updated: { ...Count, description: 'lines that changed a contact' },
  rejected: { ...Count, description: 'lines that were refused' },
  duplicates: { ...Count, description: 'lines that do not count, as another one has their key' },
  skipped: { ...Count, description: 'lines of known contacts that changed nothing' },
  blocked: Type.Integer({
    minimum: 0,
    description: 'contacts that features put on a red list or flagged, and that were not; beside the five counters',
  }),
  warnings: Type.Array(Type.String(), { description: 'columns that were not read, and the like; at most 100' }),
  error: buildNullable(
    Type.Object({
      type: Type.String({ description: 'which of the possible kinds it is' }),
      detail: Type.String({ description: 'more about it, in words' }),
    }),
    'why it failed',
  ),
  content: { ...ImportExecutionContent, description: 'what it says or holds' },
  source: { ...ImportSource, description: 'where it comes from' },
})
export type ImportExecution = Static<typeof ImportExecution>

/** The answer under the import media type: only how the last run stands. */
export const LastImportState = Type.Object({ state: Type.Integer({ description: 'where it stands on its way' }) })
export type LastImportState = Static<typeof LastImportState>
