import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { COMPONENT_REF_KEYWORD } from '../../lib/errors/schema-reference.ts'
import { buildTypeTag } from '../../lib/type-tags.ts'
import { DefinitionFlaws } from '../../scripting/flaw-schemas.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

const InstantSchema = Type.String({ format: 'date-time' })
const OPEN_OBJECT = { additionalProperties: true }
/** Schema of a value that the definition shapes parse, since they are more precise than a schema. */
const buildUntypedSchema = (description: string, component: string) =>
  Type.Unsafe<unknown>({ description, [COMPONENT_REF_KEYWORD]: component })

const ValueSchema = Type.Object(
  {
    type: Type.Enum(['pipeline', 'template', 'script'], {
      description:
        'Type of the compilable. `pipeline`: rows from a source through cursors. `template`: a Liquid text. `script`: an ES module.',
    }),
    parameters: Type.Array(
      Type.Object(
        {
          name: nullableSchema(Type.String({ description: 'Name of the parameter.' })),
          type: nullableSchema(
            Type.Enum(['string', 'number', 'boolean', 'date', 'list', 'object'], {
              description: 'Type of the parameter.',
            }),
          ),
          required: Type.Boolean({ description: 'True if every execution must supply the parameter; default false.' }),
        },
        OPEN_OBJECT,
      ),
      { description: 'Parameters, at most 50.' },
    ),
  },
  { ...OPEN_OBJECT, description: 'Definition, by its type.', [COMPONENT_REF_KEYWORD]: 'StoredCompilableValue' },
)

const PreviewSchema = Type.Object(
  {
    arguments: Type.Object({}, { ...OPEN_OBJECT, description: 'Arguments by name of the parameter.' }),
    limit: Type.Integer({ minimum: 1, maximum: 100, description: 'Maximum number of rows, 1 to 100; default 10.' }),
  },
  { description: 'Default arguments and number of rows of a preview.' },
)

export const CompilableDocument = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the compilable.' }),
  name: Type.String({ description: 'Name of the compilable.' }),
  description: nullableSchema(Type.String({ description: 'Description of the compilable, for users.' })),
  state: Type.Enum(['draft', 'ready'], {
    description: '`draft`: has error flaws and cannot be executed. `ready`: has none.',
  }),
  stamp: Type.Object(
    {
      creation: { ...InstantSchema, description: 'Time of creation, in UTC.' },
      modification: { ...InstantSchema, description: 'Time of the last change, in UTC.' },
    },
    { description: 'Times of creation and of the last change.' },
  ),
  value: ValueSchema,
  preview: PreviewSchema,
})
export type CompilableDocument = Static<typeof CompilableDocument>

/** A write: every member may be absent; those the service sets may come back and are passed over. */
export const CompilableBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Name of the compilable. Required at creation; need not be unique.',
    }),
  ),
  description: Type.Optional(
    nullableSchema(Type.String({ maxLength: 4000, description: 'Description of the compilable, for users.' })),
  ),
  state: ignoredMemberSchema,
  stamp: ignoredMemberSchema,
  value: Type.Optional(
    buildUntypedSchema(
      'Definition of type `pipeline`, `template` or `script`. Required at creation.',
      'CompilableValue',
    ),
  ),
  preview: Type.Optional(
    buildUntypedSchema(
      'Default `{arguments, limit}` of a preview. An object with any other member is read as the arguments.',
      'CompilablePreviewWrite',
    ),
  ),
})
export type CompilableBody = Static<typeof CompilableBody>

export const CompilableQuery = Type.Object({
  name: Type.Optional(Type.String({ description: 'Only compilables with exactly this name.' })),
  state: Type.Optional(
    Type.Enum(['draft', 'ready'], {
      description: 'Only compilables in this state. `draft`: its definition has flaws. `ready`: it can be executed.',
    }),
  ),
})

export const CompilableParams = Type.Object({ id: Type.String() })

const ArgumentsSchema = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object({}, { ...OPEN_OBJECT, description: 'Arguments used, with defaults filled in.' }),
)

/** The arguments of an execution, by their names. */
export const ExecutionArguments = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { ...OPEN_OBJECT, description: 'Arguments by name of the parameter.' }),
)

const FailureSchema = Type.Object({
  type: buildTypeTag('error'),
  arguments: ArgumentsSchema,
  value: Type.Object(
    {
      type: Type.String({ description: 'Type of the error.' }),
      message: Type.String({ description: 'Explanation of the error.' }),
    },
    { ...OPEN_OBJECT, description: 'Reason for the failure.' },
  ),
})

export const CompilableExecution = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    arguments: ArgumentsSchema,
    value: Type.Unknown({
      description: 'Result: an array of rows for a pipeline, the output of a template, or the value of a script.',
    }),
  }),
  FailureSchema,
])
export type CompilableExecution = Static<typeof CompilableExecution>

const PlanSchema = Type.Object(
  {
    sql: Type.Integer({ description: 'Number of cursors that the database runs.' }),
    memory: Type.Integer({ description: 'Number of cursors that run in memory.' }),
    rowsRead: Type.Integer({ description: 'Number of rows read.' }),
    durationMs: Type.Integer({ description: 'Duration of the run, in milliseconds.' }),
  },
  { description: 'Work done by the run.' },
)

const WriteSchema = Type.Object({
  call: Type.String({ description: 'Name of the host function.' }),
  arguments: Type.Array(Type.Unknown({ description: 'Argument of the call, any JSON.' }), {
    description: 'Arguments of the call.',
  }),
})
const LogSchema = Type.Object({
  level: Type.String({ description: 'Severity of the line: `info`, `warn` or `error`.' }),
  at: Type.Integer({ description: 'Milliseconds since the start of the run.' }),
  text: Type.String({ description: 'Text of the line.' }),
})

export const CompilablePreviewBody = Type.Object({
  value: Type.Optional(
    buildUntypedSchema(
      'Compilable to preview, whole or only its `value`. Absent: the stored one.',
      'PreviewedCompilable',
    ),
  ),
  arguments: Type.Optional(ExecutionArguments),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Maximum number of rows, 1 to 100. Default: as in the preview of the compilable.',
    }),
  ),
})
export type CompilablePreviewBody = Static<typeof CompilablePreviewBody>

export const CompilablePreviewResponse = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    arguments: ArgumentsSchema,
    value: Type.Unknown({
      description: 'Result: an array of rows for a pipeline, the output of a template, or the value of a script.',
    }),
    writes: Type.Array(WriteSchema, { description: 'Writes that an execution would apply.' }),
    plan: PlanSchema,
    logs: Type.Optional(Type.Array(LogSchema, { description: 'Log lines of the script.' })),
  }),
  Type.Object({
    ...FailureSchema.properties,
    plan: PlanSchema,
    logs: Type.Optional(Type.Array(LogSchema, { description: 'Log lines of the script.' })),
  }),
  Type.Object({
    type: buildTypeTag('error'),
    flaws: { ...DefinitionFlaws, description: 'Flaws of the definition, at least one of severity `error`.' },
  }),
])
export type CompilablePreviewResponse = Static<typeof CompilablePreviewResponse>

/** Problem types of the operations of compilables by status. */
export const compilableRefusals = { 409: 'compilable-flawed too-many-compilables in-use' }
export const compilableWriteRefusals = { ...compilableRefusals, 403: 'approval-required' }
