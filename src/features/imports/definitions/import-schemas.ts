import { type Static, type TSchema, Type } from 'typebox'
import { ignoredMemberSchema } from '../../../lib/errors/passed-over.ts'
import { COMPONENT_REF_KEYWORD } from '../../../lib/errors/schema-reference.ts'
import { int32Limits } from '../../../lib/int32.ts'
import { ImportFeature, ImportFeatureBody } from './feature-schemas.ts'
import { ImportFormatResponse } from './import-format-schemas.ts'

const BINDING_DESCRIPTION =
  'ID of the import format for reading the files. Null: the feature `columns` or the first line of a file names the fields.'
const SCHEDULER_DESCRIPTION =
  'Times at which the import runs by itself. Null: none. Absent: none, or unchanged in an update.'
const Instant = Type.String({ format: 'date-time' })

function buildNullable<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
}

/** Source of the files of an import, as the API returns it. */
export const ImportSource = Type.Object({
  type: Type.Enum(['file', 'ftp'], {
    description:
      'Type of the source. `file`: files are uploaded. `ftp`: files are pulled from the drop place of ' +
      'the account at the times of the scheduler.',
  }),
  id: buildNullable(Type.Integer({ description: 'ID of the last upload.' })),
  creationDate: { ...Instant, description: 'Time of creation, in UTC.' },
  updateDate: buildNullable(Instant, 'Time of the last change, in UTC. Null: never changed.'),
  filename: buildNullable(
    Type.String({
      description: 'Name of the last file: ten hexadecimal digits, an underscore and the name it was sent under.',
    }),
  ),
  folder: Type.Optional(
    Type.String({
      description: 'Folder in the drop place; `{id}` and `{name}` stand for those of the import. Only for `ftp`.',
    }),
  ),
  templateFilename: Type.Optional(
    Type.String({ description: 'File name to match, with the wildcards `*` and `?`. Only for `ftp`.' }),
  ),
})
export type ImportSource = Static<typeof ImportSource>

const FieldMaps = Type.Array(
  Type.Record(Type.String(), Type.Unknown(), { description: 'Values by field ID or name.' }),
  {
    description: 'Contacts, each a map of values by field ID or name.',
  },
)

export const ImportSourceBody = Type.Object({
  type: Type.Optional(
    Type.Enum(['file', 'ftp'], {
      description:
        'Type of the source. `file`: files are uploaded. `ftp`: files are pulled from the drop place of ' +
        'the account at the times of the scheduler.',
    }),
  ),
  id: ignoredMemberSchema,
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
  filename: Type.Optional(
    buildNullable(Type.String({ maxLength: 1000, description: 'Name of the file in `data`. Default: `import.csv`.' })),
  ),
  data: Type.Optional(
    Type.Union([Type.String(), FieldMaps, Type.Null()], {
      description:
        'Content of the file as text, or contacts as maps of values by field ID or name. Stored as a new ' +
        'upload; without `type`, the source becomes a `file`.',
    }),
  ),
  folder: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'Folder below the drop place to pull files from; `{id}` and `{name}` stand for those of the ' +
        'import. `..` and absolute paths are refused. Default: `{id} - {name}`.',
    }),
  ),
  templateFilename: Type.Optional(
    Type.String({
      maxLength: 255,
      pattern: '^(?!\\.\\.$)[^/\\\\]+$',
      description: 'Name of the files to pull, with the wildcards `*` and `?`; no folder. Default: `*`.',
    }),
  ),
})
export type ImportSourceBody = Static<typeof ImportSourceBody>

const SchedulerObject = Type.Unsafe<{ type: string } & Record<string, unknown>>(
  Type.Object(
    {
      type: Type.String({
        description: 'Type of the scheduler. `periodic`: runs repeatedly. `scheduled`: runs once, at `startDate`.',
      }),
    },
    { additionalProperties: true, description: SCHEDULER_DESCRIPTION, [COMPONENT_REF_KEYWORD]: 'ImportScheduler' },
  ),
)

export const ImportResponse = Type.Object({
  id: Type.Integer({ description: 'ID of the import.' }),
  name: Type.String({ description: 'Name of the import.' }),
  creationDate: { ...Instant, description: 'Time of creation, in UTC.' },
  updateDate: buildNullable(Instant, 'Time of the last change, in UTC. Null: never changed.'),
  binding: buildNullable(Type.Integer(), BINDING_DESCRIPTION),
  features: Type.Array(ImportFeature, {
    description:
      'Effects of the import in addition to writing contacts, and options for reading the file; each ' +
      'type at most once.',
  }),
  source: { ...ImportSource, description: 'Source of the files.' },
  scheduler: Type.Optional(SchedulerObject),
})
export type ImportResponse = Static<typeof ImportResponse>

/** A request; of an import that exists what is absent stays. */
export const ImportBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(Type.String({ description: 'Name of the import, 1 to 200 characters; need not be unique.' })),
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
  binding: Type.Optional(buildNullable(Type.Integer(int32Limits), BINDING_DESCRIPTION)),
  features: Type.Optional(
    Type.Array(ImportFeatureBody, {
      maxItems: 8,
      description:
        'Effects of the import in addition to writing contacts, and options for reading the file; each ' +
        'type at most once. In an update they replace all features.',
    }),
  ),
  source: Type.Optional({ ...ImportSourceBody, description: 'Source of the files.' }),
  scheduler: Type.Optional(
    buildNullable(
      Type.Unsafe<Record<string, unknown>>(
        Type.Object({}, { additionalProperties: true, [COMPONENT_REF_KEYWORD]: 'ImportSchedulerWrite' }),
      ),
      SCHEDULER_DESCRIPTION,
    ),
  ),
})
export type ImportBody = Static<typeof ImportBody>

/** Input of a run, as the import showed it when the run began. */
export const ImportExecutionContent = Type.Object({
  features: Type.Array(ImportFeature, { description: 'Features that the run uses.' }),
  bindings: buildNullable(ImportFormatResponse, 'Import format that the run uses. Null: none.'),
  source: { ...ImportSource, description: 'Source that the run reads.' },
})
export type ImportExecutionContent = Static<typeof ImportExecutionContent>

const Count = Type.Integer({ minimum: 0 })

/** A run of an import. Each data line counts in exactly one of the five counters. */
export const ImportExecution = Type.Object({
  id: Type.Integer({ description: 'ID of the execution.' }),
  import: Type.Integer({ description: 'ID of the import.' }),
  startDate: { ...Instant, description: 'Time at which the run was requested, in UTC.' },
  endDate: buildNullable(Instant, 'Time of the end, in UTC. Null: not ended.'),
  dryRun: Type.Boolean({
    description: 'True: nothing is written; the counters show the result that a run would have.',
  }),
  state: Type.Integer({
    minimum: 0,
    maximum: 2,
    description:
      'State of the run: 0 running or waiting, 1 completed, with or without rejected lines, 2 failed or ' +
      'cancelled.',
  }),
  progress: Type.Object(
    {
      bytes: Type.Integer({ description: 'Number of bytes of the stored file that have been read.' }),
      lines: Type.Integer({ description: 'Number of data lines that have been read.' }),
      total: Type.Integer({ description: 'Size of the stored file, in bytes.' }),
    },
    { description: 'Progress of the run.' },
  ),
  created: { ...Count, description: 'Number of lines that created a contact.' },
  updated: { ...Count, description: 'Number of lines that changed a contact.' },
  rejected: { ...Count, description: 'Number of lines that were rejected.' },
  duplicates: { ...Count, description: 'Number of lines that were skipped because another line has the same unicity.' },
  skipped: { ...Count, description: 'Number of lines whose contact exists and was not changed.' },
  blocked: Type.Integer({
    minimum: 0,
    description:
      'Number of contacts that the features newly put on a suppression list or flagged as bounced. Not ' +
      'part of the line counters.',
  }),
  warnings: Type.Array(Type.String(), {
    description: 'Warnings of the run, such as columns that were not read; at most 100.',
  }),
  error: buildNullable(
    Type.Object({
      type: Type.String({ description: 'Type of the error, such as `unicity-not-bound` or `cancelled`.' }),
      detail: Type.String({ description: 'Explanation of the error.' }),
    }),
    'Error that ended the run. Null: none.',
  ),
  content: { ...ImportExecutionContent, description: 'Definition that the run uses, as it was when the run started.' },
  source: { ...ImportSource, description: 'Source that the run reads.' },
})
export type ImportExecution = Static<typeof ImportExecution>

/** The answer under the import media type: only how the last run stands. */
export const LastImportState = Type.Object({
  state: Type.Integer({
    description: 'State of the last run: 0 running or waiting, 1 completed, 2 failed or cancelled.',
  }),
})
export type LastImportState = Static<typeof LastImportState>
