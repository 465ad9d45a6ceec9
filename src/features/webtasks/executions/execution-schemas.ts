import { type Static, Type } from 'typebox'
import { buildTypeTag } from '../../../lib/type-tags.ts'
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
  data: optionalOrNull({ ...FreeObjectSchema, description: 'values that templates and scripts read as `data`' }),
  variables: Type.Optional({ ...VariablesSchema, description: 'values that templates and scripts read by name' }),
  receiver: Type.Optional({ ...ReceiverSchema, description: 'the contact that it is for' }),
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
  receiver: Type.Optional({ ...ReceiverSchema, description: 'the contact that it is for' }),
  related: Type.Optional({
    ...nullableSchema(ContactIdentification),
    description: 'the contact that templates read as `related`',
  }),
  data: optionalOrNull({ ...FreeObjectSchema, description: 'values that templates and scripts read as `data`' }),
  variables: Type.Optional({ ...VariablesSchema, description: 'values that templates and scripts read by name' }),
  event: optionalOrNull({ ...FreeObjectSchema, description: 'the event that it is about' }),
  stamp: itemRecipientMembers.stamp,
  cipher: optionalOrNull(
    Type.String({ description: 'a token of this webtask: what it holds takes the place of what the item has' }),
  ),
})
export type WebtaskItem = Static<typeof WebtaskItem>
export const WebtaskItems = Type.Array(WebtaskItem, { maxItems: MAX_EXECUTION_ITEMS })

const LogSchema = Type.Object({
  level: Type.Enum(['info', 'warn', 'error'], { description: 'how grave it is' }),
  at: Type.Integer({ description: 'milliseconds after the start' }),
  text: Type.String({ description: 'the text, plain' }),
})
const LogsSchema = Type.Array(LogSchema, { description: 'what a script wrote down' })

/** Why a run gave no value. */
export const WebtaskRunError = Type.Object(
  {
    type: Type.Enum(['script', 'timeout', 'memory', 'result', 'capability', 'write', 'recipient not found', 'busy'], {
      description: 'which of the possible kinds it is',
    }),
    message: Type.Optional(Type.String({ description: 'what is wrong, in words' })),
    limit: Type.Optional(Type.Enum(['cpu', 'wall', 'budget'], { description: 'which limit it met' })),
    position: Type.Optional(
      Type.Object(
        {
          line: Type.Integer({ description: 'line of the text, from 1' }),
          column: Type.Integer({ description: 'column of the line, from 1' }),
        },
        { description: 'where it stands in the text' },
      ),
    ),
    stack: Type.Optional(Type.String({ description: 'where the script failed' })),
    receiver: Type.Optional({ ...ContactIdentification, description: 'the contact that it is for' }),
    call: Type.Optional(Type.Integer({ description: 'the how many-th call could not be applied' })),
    problem: Type.Optional(Type.Object({}, { ...OPEN_OBJECT, description: 'the problem that the call met' })),
  },
  OPEN_OBJECT,
)
export type WebtaskRunError = Static<typeof WebtaskRunError>

const runMembers = {
  id: Type.String({ description: 'what names it in this account' }),
  durationMs: Type.Integer({ description: 'how long it took, in milliseconds' }),
  logs: LogsSchema,
}

export const WebtaskResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    id: runMembers.id,
    value: Type.Unknown({ description: 'the value itself' }),
    durationMs: runMembers.durationMs,
    logs: LogsSchema,
  }),
  Type.Object({
    type: buildTypeTag('error'),
    id: runMembers.id,
    value: { ...WebtaskRunError, description: 'the value itself' },
    durationMs: runMembers.durationMs,
    logs: LogsSchema,
  }),
])
export type WebtaskResult = Static<typeof WebtaskResult>

export const WebtaskRunQuery = Type.Object({
  start: Type.Optional(Type.String({ description: 'the start of the time, inclusive' })),
  end: Type.Optional(Type.String({ description: 'the end of the time, exclusive' })),
  outcome: Type.Optional(Type.Enum(['success', 'error'], { description: 'only those that ended so' })),
})

export const WebtaskRun = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  date: Type.String({ format: 'date-time', description: 'when it happened, in UTC' }),
  origin: Type.Object(
    {
      type: Type.Enum(['api', 'public', 'workflow'], { description: 'which of the possible kinds it is' }),
      id: Type.Optional(Type.Integer({ description: 'of a workflow' })),
    },
    { description: 'what started it' },
  ),
  outcome: Type.Enum(['success', 'error'], { description: 'how it ended' }),
  durationMs: Type.Integer({ description: 'how long it took, in milliseconds' }),
  error: nullableSchema({ ...WebtaskRunError, description: 'why it failed' }),
  logs: LogsSchema,
})
export type WebtaskRun = Static<typeof WebtaskRun>
