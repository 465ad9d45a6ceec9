import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { buildTypeTag } from '../../lib/type-tags.ts'
import { DefinitionFlaws } from '../../scripting/flaw-schemas.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

const InstantSchema = Type.String({ format: 'date-time' })
const OPEN_OBJECT = { additionalProperties: true }
/** Schema of a value that the definition shapes parse, since they are more precise than a schema. */
const buildUntypedSchema = (description: string) => Type.Unsafe<unknown>({ description })

const ValueSchema = Type.Object(
  {
    type: Type.Enum(['pipeline', 'template', 'script'], { description: 'which of the possible kinds it is' }),
    parameters: Type.Array(
      Type.Object(
        {
          name: nullableSchema(Type.String({ description: 'the name that people give it' })),
          type: nullableSchema(
            Type.Enum(['string', 'number', 'boolean', 'date', 'list', 'object'], {
              description: 'which of the possible kinds it is',
            }),
          ),
          required: Type.Boolean({ description: 'whether it must be given' }),
        },
        OPEN_OBJECT,
      ),
      { description: 'what it is given' },
    ),
  },
  { ...OPEN_OBJECT, description: 'a pipeline of rows, a Liquid template, or a script' },
)

const PreviewSchema = Type.Object(
  {
    arguments: Type.Object({}, { ...OPEN_OBJECT, description: 'values by the names of parameters' }),
    limit: Type.Integer({ minimum: 1, maximum: 100, description: 'the most that there may be' }),
  },
  { description: 'what a preview is made with' },
)

export const CompilableDocument = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  name: Type.String({ description: 'the name that people give it' }),
  description: nullableSchema(Type.String({ description: 'words that say what it is for' })),
  state: Type.Enum(['draft', 'ready'], { description: 'draft: it has flaws that are errors' }),
  stamp: Type.Object(
    {
      creation: { ...InstantSchema, description: 'when it was made, in UTC' },
      modification: { ...InstantSchema, description: 'when it was changed last, in UTC' },
    },
    { description: 'when it was made and changed last' },
  ),
  value: ValueSchema,
  preview: PreviewSchema,
})
export type CompilableDocument = Static<typeof CompilableDocument>

/** A write: every member may be absent; those the service sets may come back and are passed over. */
export const CompilableBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'the name that people give it' })),
  description: Type.Optional(
    nullableSchema(Type.String({ maxLength: 4000, description: 'words that say what it is for' })),
  ),
  state: ignoredMemberSchema,
  stamp: ignoredMemberSchema,
  value: Type.Optional(buildUntypedSchema('of type pipeline, template or script')),
  preview: Type.Optional(
    buildUntypedSchema(
      '`{arguments, limit}` of a preview; an object with any other member is the arguments themselves',
    ),
  ),
})
export type CompilableBody = Static<typeof CompilableBody>

export const CompilableQuery = Type.Object({
  name: Type.Optional(Type.String({ description: 'only what has this name' })),
  state: Type.Optional(Type.Enum(['draft', 'ready'], { description: 'only what is in this state' })),
})

export const CompilableParams = Type.Object({ id: Type.String() })

const ArgumentsSchema = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object({}, { ...OPEN_OBJECT, description: 'those that were used, defaults filled in' }),
)

/** The arguments of an execution, by their names. */
export const ExecutionArguments = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { ...OPEN_OBJECT, description: 'values by the names of parameters' }),
)

const FailureSchema = Type.Object({
  type: buildTypeTag('error'),
  arguments: ArgumentsSchema,
  value: Type.Object(
    {
      type: Type.String({ description: 'which of the possible kinds it is' }),
      message: Type.String({ description: 'what is wrong, in words' }),
    },
    { ...OPEN_OBJECT, description: 'the value itself' },
  ),
})

export const CompilableExecution = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    arguments: ArgumentsSchema,
    value: Type.Unknown({ description: 'the value itself' }),
  }),
  FailureSchema,
])
export type CompilableExecution = Static<typeof CompilableExecution>

const PlanSchema = Type.Object(
  {
    sql: Type.Integer({ description: 'cursors that the database does' }),
    memory: Type.Integer({ description: 'cursors that are done in memory' }),
    rowsRead: Type.Integer({ description: 'rows that were read' }),
    durationMs: Type.Integer({ description: 'how long it took, in milliseconds' }),
  },
  { description: 'what the run took' },
)

const WriteSchema = Type.Object({
  call: Type.String({ description: 'what was called' }),
  arguments: Type.Array(Type.Unknown(), { description: 'what it was called with' }),
})
const LogSchema = Type.Object({
  level: Type.String({ description: 'how grave it is' }),
  at: Type.Integer({ description: 'milliseconds after the start' }),
  text: Type.String({ description: 'the text, plain' }),
})

export const CompilablePreviewBody = Type.Object({
  value: Type.Optional(buildUntypedSchema('a whole compilable, or its `value`; the stored one when it is absent')),
  arguments: Type.Optional(ExecutionArguments),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'the most that there may be' })),
})
export type CompilablePreviewBody = Static<typeof CompilablePreviewBody>

export const CompilablePreviewResponse = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    arguments: ArgumentsSchema,
    value: Type.Unknown({ description: 'the value itself' }),
    writes: Type.Array(WriteSchema, { description: 'what an execution would have written' }),
    plan: PlanSchema,
    logs: Type.Optional(Type.Array(LogSchema, { description: 'of a script' })),
  }),
  Type.Object({
    ...FailureSchema.properties,
    plan: PlanSchema,
    logs: Type.Optional(Type.Array(LogSchema, { description: 'what a script wrote down' })),
  }),
  Type.Object({
    type: buildTypeTag('error'),
    flaws: { ...DefinitionFlaws, description: 'what is wrong with it' },
  }),
])
export type CompilablePreviewResponse = Static<typeof CompilablePreviewResponse>

/** Problem types of the operations of compilables by status. */
export const compilableRefusals = { 409: 'compilable-flawed too-many-compilables in-use' }
export const compilableWriteRefusals = { ...compilableRefusals, 403: 'approval-required' }
