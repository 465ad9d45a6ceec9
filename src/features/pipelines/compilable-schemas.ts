import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { DefinitionFlaws } from '../../scripting/flaw-schemas.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

const Instant = Type.String({ format: 'date-time' })
const open = { additionalProperties: true }
/** What is read by the shapes of definitions, which say more than a schema. */
const read = (description: string) => Type.Unsafe<unknown>({ description })

const Value = Type.Object(
  {
    type: Type.Enum(['pipeline', 'template', 'script']),
    parameters: Type.Array(
      Type.Object(
        {
          name: nullableSchema(Type.String()),
          type: nullableSchema(Type.Enum(['string', 'number', 'boolean', 'date', 'list', 'object'])),
          required: Type.Boolean(),
        },
        open,
      ),
    ),
  },
  { ...open, description: 'a pipeline of rows, a Liquid template, or a script' },
)

const Preview = Type.Object(
  {
    arguments: Type.Object({}, { ...open, description: 'values by the names of parameters' }),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
  },
  { description: 'what a preview is made with' },
)

export const CompilableDocument = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  description: nullableSchema(Type.String()),
  state: Type.Enum(['draft', 'ready'], { description: 'draft: it has flaws that are errors' }),
  stamp: Type.Object(
    { creation: Instant, modification: Instant },
    { description: 'when it was made and changed last' },
  ),
  value: Value,
  preview: Preview,
})
export type CompilableDocument = Static<typeof CompilableDocument>

/** A write: every member may be absent; those the service sets may come back and are passed over. */
export const CompilableBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  description: Type.Optional(nullableSchema(Type.String({ maxLength: 4000 }))),
  state: ignoredMemberSchema,
  stamp: ignoredMemberSchema,
  value: Type.Optional(read('of type pipeline, template or script')),
  preview: Type.Optional(
    read('`{arguments, limit}` of a preview; an object with any other member is the arguments themselves'),
  ),
})
export type CompilableBody = Static<typeof CompilableBody>

export const CompilableQuery = Type.Object({
  name: Type.Optional(Type.String()),
  state: Type.Optional(Type.Enum(['draft', 'ready'])),
})

export const CompilableParams = Type.Object({ id: Type.String() })

const Arguments = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object({}, { ...open, description: 'those that were used, defaults filled in' }),
)

/** The arguments of an execution, by their names. */
export const ExecutionArguments = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { ...open, description: 'values by the names of parameters' }),
)

const Failed = Type.Object({
  type: Type.Literal('error'),
  arguments: Arguments,
  value: Type.Object({ type: Type.String(), message: Type.String() }, open),
})

export const CompilableExecution = Type.Union([
  Type.Object({ type: Type.Literal('success'), arguments: Arguments, value: Type.Unknown() }),
  Failed,
])
export type CompilableExecution = Static<typeof CompilableExecution>

const Plan = Type.Object({
  sql: Type.Integer({ description: 'cursors that the database does' }),
  memory: Type.Integer({ description: 'cursors that are done in memory' }),
  rowsRead: Type.Integer({ description: 'rows that were read' }),
  durationMs: Type.Integer(),
})

const Write = Type.Object({
  call: Type.String({ description: 'what was called' }),
  arguments: Type.Array(Type.Unknown(), { description: 'what it was called with' }),
})
const Log = Type.Object({
  level: Type.String(),
  at: Type.Integer({ description: 'milliseconds after the start' }),
  text: Type.String(),
})

export const CompilablePreviewBody = Type.Object({
  value: Type.Optional(read('a whole compilable, or its `value`; the stored one when it is absent')),
  arguments: Type.Optional(ExecutionArguments),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
})
export type CompilablePreviewBody = Static<typeof CompilablePreviewBody>

export const CompilablePreviewResponse = Type.Union([
  Type.Object({
    type: Type.Literal('success'),
    arguments: Arguments,
    value: Type.Unknown(),
    writes: Type.Array(Write, { description: 'what an execution would have written' }),
    plan: Plan,
    logs: Type.Optional(Type.Array(Log, { description: 'of a script' })),
  }),
  Type.Object({
    ...Failed.properties,
    plan: Plan,
    logs: Type.Optional(Type.Array(Log)),
  }),
  Type.Object({ type: Type.Literal('error'), flaws: { ...DefinitionFlaws, description: 'what is wrong with it' } }),
])
export type CompilablePreviewResponse = Static<typeof CompilablePreviewResponse>
