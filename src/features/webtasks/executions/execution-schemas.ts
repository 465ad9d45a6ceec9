import { type Static, Type } from 'typebox'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import { given, MAX_ITEMS, optional } from '../../actions/execution/item-schemas.ts'
import { Variable } from '../../actions/validation/validation-schemas.ts'
import { Identification } from '../../contacts/records/identification-schemas.ts'

const MAX_VARIABLES = 1000
const open = { additionalProperties: true }
const Free = Type.Record(Type.String(), Type.Unknown())
const variables = optional(Type.Array(Variable, { maxItems: MAX_VARIABLES }))
const receiver = optional(Identification)

/** What a token holds. */
export const CipherBody = Type.Object({
  data: optional(Free),
  variables,
  receiver,
  expires: Type.Optional(Type.Unknown({ description: 'a date; null: never' })),
})
export type CipherBody = Static<typeof CipherBody>

export const CipherToken = Type.Object({
  value: Type.String({ description: 'the token' }),
  url: nullable(
    Type.String({ description: 'where it runs the webtask without a key; null where that is not possible' }),
  ),
  expires: nullable(Type.String({ format: 'date-time', description: 'when the token ends, in UTC; null: never' })),
})
export type CipherToken = Static<typeof CipherToken>

/** A run that is asked for. */
export const WebtaskItem = Type.Object({
  receiver,
  related: optional(Identification),
  data: optional(Free),
  variables,
  event: optional(Free),
  stamp: given.stamp,
  cipher: optional(
    Type.String({ description: 'a token of this webtask: what it holds takes the place of what the item has' }),
  ),
})
export type WebtaskItem = Static<typeof WebtaskItem>
export const WebtaskItems = Type.Array(WebtaskItem, { maxItems: MAX_ITEMS })

const Log = Type.Object({
  level: Type.Enum(['info', 'warn', 'error']),
  at: Type.Integer({ description: 'milliseconds after the start' }),
  text: Type.String(),
})
const logs = Type.Array(Log)

/** Why a run gave no value. */
export const RunError = Type.Object(
  {
    type: Type.Enum([
      ...['script', 'timeout', 'memory', 'result', 'capability', 'write', 'recipient not found', 'busy'],
    ]),
    message: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Enum(['cpu', 'wall', 'budget'], { description: 'which limit it met' })),
    position: Type.Optional(Type.Object({ line: Type.Integer(), column: Type.Integer() })),
    stack: Type.Optional(Type.String()),
    receiver: Type.Optional(Identification),
    call: Type.Optional(Type.Integer({ description: 'the how many-th call could not be applied' })),
    problem: Type.Optional(Type.Object({}, { ...open, description: 'the problem that the call met' })),
  },
  open,
)
export type RunError = Static<typeof RunError>

const ran = { id: Type.String(), durationMs: Type.Integer(), logs }

export const WebtaskResult = Type.Union([
  Type.Object({ type: Type.Literal('success'), id: ran.id, value: Type.Unknown(), durationMs: ran.durationMs, logs }),
  Type.Object({ type: Type.Literal('error'), id: ran.id, value: RunError, durationMs: ran.durationMs, logs }),
])
export type WebtaskResult = Static<typeof WebtaskResult>

export const RunQuery = Type.Object({
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
  error: nullable(RunError),
  logs,
})
export type WebtaskRun = Static<typeof WebtaskRun>
