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
  data: optionalOrNull({ ...FreeObjectSchema, description: 'Values that the script reads as `data`.' }),
  variables: Type.Optional({ ...VariablesSchema, description: 'Values that the script reads as `variables`.' }),
  receiver: Type.Optional({ ...ReceiverSchema, description: 'Contact that the script reads as `contact`.' }),
  expires: Type.Optional(
    Type.Unsafe<string | number | null>({
      type: ['string', 'number', 'null'],
      description: 'Time of expiry: an ISO 8601 date, or milliseconds since 1970. Null or absent: never.',
    }),
  ),
})
export type WebtaskCipherBody = Static<typeof WebtaskCipherBody>

export const WebtaskCipherToken = Type.Object({
  value: Type.String({ description: 'The token.' }),
  url: nullableSchema(
    Type.String({
      description:
        'URL that runs the webtask without a key. Null: the public route is closed, or the URL would exceed 2,000 characters.',
    }),
  ),
  expires: nullableSchema(Type.String({ format: 'date-time', description: 'Time of expiry, in UTC. Null: never.' })),
})
export type WebtaskCipherToken = Static<typeof WebtaskCipherToken>

/** A run that is asked for. */
export const WebtaskItem = Type.Object({
  receiver: Type.Optional({ ...ReceiverSchema, description: 'Contact that the script reads as `contact`.' }),
  related: Type.Optional({
    ...nullableSchema(ContactIdentification),
    description: 'Contact that the script reads as `related`.',
  }),
  data: optionalOrNull({ ...FreeObjectSchema, description: 'Values that the script reads as `data`.' }),
  variables: Type.Optional({ ...VariablesSchema, description: 'Values that the script reads as `variables`.' }),
  event: optionalOrNull({ ...FreeObjectSchema, description: 'Event that the script reads as `event`.' }),
  stamp: itemRecipientMembers.stamp,
  cipher: optionalOrNull(
    Type.String({ description: 'Token of this webtask. Its data, variables and receiver replace those of the item.' }),
  ),
})
export type WebtaskItem = Static<typeof WebtaskItem>
export const WebtaskItems = Type.Array(WebtaskItem, { maxItems: MAX_EXECUTION_ITEMS })

const LogSchema = Type.Object({
  level: Type.Enum(['info', 'warn', 'error'], { description: 'Severity of the line.' }),
  at: Type.Integer({ description: 'Milliseconds since the start of the run.' }),
  text: Type.String({ description: 'Text of the line.' }),
})
const LogsSchema = Type.Array(LogSchema, { description: 'Log lines of the script.' })

/** Why a run gave no value. */
export const WebtaskRunError = Type.Object(
  {
    type: Type.Enum(['script', 'timeout', 'memory', 'result', 'capability', 'write', 'recipient not found', 'busy'], {
      description:
        'Type of the error. `script`: the script threw it, or does not compile. `timeout`: a limit of time was exceeded. ' +
        '`memory`: a limit of memory was exceeded. `result`: the value is not JSON or is too large. `capability`: a ' +
        'call that is not allowed. `write`: a write could not be applied. `recipient not found`: the contact of the ' +
        'item is unknown. `busy`: no free worker.',
    }),
    message: Type.Optional(Type.String({ description: 'Explanation of the error.' })),
    limit: Type.Optional(
      Type.Enum(['cpu', 'wall', 'budget'], {
        description:
          'Limit that was exceeded. `cpu`: CPU time. `wall`: waiting time of host calls. `budget`: time of the request.',
      }),
    ),
    position: Type.Optional(
      Type.Object(
        {
          line: Type.Integer({ description: 'Line in the script, from 1.' }),
          column: Type.Integer({ description: 'Column in the line, from 1.' }),
        },
        { description: 'Position of the error in the script.' },
      ),
    ),
    stack: Type.Optional(Type.String({ description: 'Stack trace within the script.' })),
    receiver: Type.Optional({ ...ContactIdentification, description: 'Contact that was not found.' }),
    call: Type.Optional(Type.Integer({ description: 'Number of the host call that could not be applied.' })),
    problem: Type.Optional(Type.Object({}, { ...OPEN_OBJECT, description: 'Problem that the call caused.' })),
  },
  OPEN_OBJECT,
)
export type WebtaskRunError = Static<typeof WebtaskRunError>

const runMembers = {
  id: Type.String({ description: 'ID of the run: the `stamp.id` of the item, if given.' }),
  durationMs: Type.Integer({ description: 'Duration of the run, in milliseconds.' }),
  logs: LogsSchema,
}

export const WebtaskResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    id: runMembers.id,
    value: Type.Unknown({ description: 'Value that the script returned.' }),
    durationMs: runMembers.durationMs,
    logs: LogsSchema,
  }),
  Type.Object({
    type: buildTypeTag('error'),
    id: runMembers.id,
    value: { ...WebtaskRunError, description: 'Reason for the failure.' },
    durationMs: runMembers.durationMs,
    logs: LogsSchema,
  }),
])
export type WebtaskResult = Static<typeof WebtaskResult>

export const WebtaskRunQuery = Type.Object({
  start: Type.Optional(
    Type.String({ description: 'Start of the period, inclusive: an ISO 8601 date, or milliseconds since 1970.' }),
  ),
  end: Type.Optional(
    Type.String({ description: 'End of the period, exclusive: an ISO 8601 date, or milliseconds since 1970.' }),
  ),
  outcome: Type.Optional(Type.Enum(['success', 'error'], { description: 'Only runs with this outcome.' })),
})

export const WebtaskRun = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the run.' }),
  date: Type.String({ format: 'date-time', description: 'Time of the start, in UTC.' }),
  origin: Type.Object(
    {
      type: Type.Enum(['api', 'public', 'workflow'], {
        description:
          'Origin of the run. `api`: an execution. `public`: the public route. `workflow`: a node of a workflow.',
      }),
      id: Type.Optional(Type.Integer({ description: 'ID of the workflow.' })),
    },
    { description: 'Origin of the run.' },
  ),
  outcome: Type.Enum(['success', 'error'], { description: 'Outcome of the run.' }),
  durationMs: Type.Integer({ description: 'Duration of the run, in milliseconds.' }),
  error: nullableSchema({ ...WebtaskRunError, description: 'Reason for the failure. Null: success.' }),
  logs: LogsSchema,
})
export type WebtaskRun = Static<typeof WebtaskRun>
