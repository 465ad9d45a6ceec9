import { type Static, Type } from 'typebox'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { itemRecipientMembers, MAX_EXECUTION_ITEMS, optionalOrNull } from '../../actions/execution/item-schemas.ts'
import { TemplateVariable } from '../../actions/validation/validation-schemas.ts'
import { ContactIdentification } from '../../contacts/records/identification-schemas.ts'

const MAX_VARIABLES = 1000
const OPEN_OBJECT = { additionalProperties: true }
const FreeObjectSchema = Type.Record(Type.String(), Type.Unknown())
const VariablesSchema = optionalOrNull(Type.Array(TemplateVariable, { maxItems: MAX_VARIABLES }))
const ReceiverSchema = optionalOrNull(ContactIdentification)

/** Content of a token. */
export const WebtaskCipherBody = Type.Object({
  data: optionalOrNull(FreeObjectSchema),
  variables: VariablesSchema,
  receiver: ReceiverSchema,
  expires: Type.Optional(Type.Unknown({ description: 'a date; null: never' })),
})
export type WebtaskCipherBody = Static<typeof WebtaskCipherBody>

export const WebtaskCipherToken = Type.Object({
  value: Type.String({ description: 'the token' }),
  url: nullableSchema(
    Type.String({ description: 'where it runs the webtask without a key; null where that is not possible' }),
  ),
  expires: nullableSchema(
    Type.String({ format: 'date-time', description: 'when the token ends, in UTC; null: never' }),
  ),
})
export type WebtaskCipherToken = Static<typeof WebtaskCipherToken>

/** A run that is asked for. */
export const WebtaskItem = Type.Object({
  receiver: ReceiverSchema,
  related: optionalOrNull(ContactIdentification),
  data: optionalOrNull(FreeObjectSchema),
  variables: VariablesSchema,
  event: optionalOrNull(FreeObjectSchema),
  stamp: itemRecipientMembers.stamp,
  cipher: optionalOrNull(
    Type.String({ description: 'a token of this webtask: what it holds takes the place of what the item has' }),
  ),
})
export type WebtaskItem = Static<typeof WebtaskItem>
export const WebtaskItems = Type.Array(WebtaskItem, { maxItems: MAX_EXECUTION_ITEMS })

const LogSchema = Type.Object({
  level: Type.Enum(['info', 'warn', 'error']),
  at: Type.Integer({ description: 'milliseconds after the start' }),
  text: Type.String(),
})
const LogsSchema = Type.Array(LogSchema)

/** Why a run gave no value. */
export const WebtaskRunError = Type.Object(
  {
    type: Type.Enum([
      ...['script', 'timeout', 'memory', 'result', 'capability', 'write', 'recipient not found', 'busy'],
    ]),
    message: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Enum(['cpu', 'wall', 'budget'], { description: 'which limit it met' })),
    position: Type.Optional(Type.Object({ line: Type.Integer(), column: Type.Integer() })),
    stack: Type.Optional(Type.String()),
    receiver: Type.Optional(ContactIdentification),
    call: Type.Optional(Type.Integer({ description: 'the how many-th call could not be applied' })),
    problem: Type.Optional(Type.Object({}, { ...OPEN_OBJECT, description: 'the problem that the call met' })),
  },
  OPEN_OBJECT,
)
export type WebtaskRunError = Static<typeof WebtaskRunError>

const runMembers = { id: Type.String(), durationMs: Type.Integer(), logs: LogsSchema }

export const WebtaskResult = Type.Union([
  Type.Object({
    type: Type.Literal('success'),
    id: runMembers.id,
    value: Type.Unknown(),
    durationMs: runMembers.durationMs,
    logs: LogsSchema,
  }),
  Type.Object({
    type: Type.Literal('error'),
    id: runMembers.id,
    value: WebtaskRunError,
    durationMs: runMembers.durationMs,
    logs: LogsSchema,
  }),
])
export type WebtaskResult = Static<typeof WebtaskResult>

export const WebtaskRunQuery = Type.Object({
  start: Type.Optional(Type.String()),
  end: Type.Optional(Type.String()),
  outcome: Type.Optional(Type.Enum(['success', 'error'])),
})

export const WebtaskRun = Type.Object({
  id: Type.String({ format: 'uuid' }),
  date: Type.String({ format: 'date-time' }),
  origin: Type.Object(
    {
      type: Type.Enum(['api', 'public', 'workflow']),
      id: Type.Optional(Type.Integer({ description: 'of a workflow' })),
    },
    { description: 'what started it' },
  ),
  outcome: Type.Enum(['success', 'error']),
  durationMs: Type.Integer(),
  error: nullableSchema(WebtaskRunError),
  logs: LogsSchema,
})
export type WebtaskRun = Static<typeof WebtaskRun>
