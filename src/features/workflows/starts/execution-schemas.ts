import { type Static, Type } from 'typebox'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { buildTypeTag } from '../../../lib/type-tags.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import {
  itemRecipientMembers,
  MAX_EXECUTION_ITEMS,
  optionalOrNull,
  ResultRecipient,
} from '../../actions/execution/item-schemas.ts'
import { TemplateVariable } from '../../actions/validation/validation-schemas.ts'
import { ContactIdentification } from '../../contacts/records/identification-schemas.ts'

const FreeObjectSchema = Type.Record(Type.String(), Type.Unknown())
const NameSchema = Type.String({ minLength: 1, maxLength: 128 })
const MAX_LIST_ITEMS = 1000

/** An item is simulated, and nothing of it is kept. */
export const ExecutionDebug = Type.Object({
  version: optionalOrNull(Type.String({ description: 'which version it is' })),
  id: optionalOrNull(Type.String({ maxLength: 128, description: 'what names it in this account' })),
  ttl: optionalOrNull(Type.Integer({ minimum: 1, maximum: MAX_INT32, description: 'nodes at most' })),
  nodes: optionalOrNull(
    Type.Array(Type.Unsafe<string | { id?: unknown }>({ anyOf: [{ type: 'string' }, { type: 'object' }] }), {
      maxItems: MAX_LIST_ITEMS,
      description: 'nodes whose trace is answered: ids, or objects with an id',
    }),
  ),
})
export type ExecutionDebug = Static<typeof ExecutionDebug>

/** A run that is to be started, or an open one that is to go on. */
export const WorkflowExecutionItem = Type.Object({
  id: optionalOrNull(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'id of the run: the one wished for, or of an open run; a text stands for a uuid',
    }),
  ),
  receiver: Type.Optional({ ...nullableSchema(ContactIdentification), description: 'the contact that it is for' }),
  node: optionalOrNull({ ...NameSchema, description: 'id of the node' }),
  event: optionalOrNull({ ...FreeObjectSchema, description: 'the event that it is about' }),
  state: optionalOrNull({ ...FreeObjectSchema, description: 'values that templates and scripts read as `state`' }),
  data: optionalOrNull({ ...FreeObjectSchema, description: 'values that templates and scripts read as `data`' }),
  variables: optionalOrNull(
    Type.Array(TemplateVariable, {
      maxItems: MAX_LIST_ITEMS,
      description: 'values that templates and scripts read by name',
    }),
  ),
  resolutions: optionalOrNull(
    Type.Array(
      Type.Object({
        key: Type.String({ minLength: 1, maxLength: 257, description: 'a node, or a node and one of its waits' }),
        value: optionalOrNull({ ...FreeObjectSchema, description: 'the value itself' }),
      }),
      { maxItems: MAX_LIST_ITEMS, description: 'waits that are over, as if the event "value" had come' },
    ),
  ),
  stamp: itemRecipientMembers.stamp,
  debug: optionalOrNull({
    ...ExecutionDebug,
    description: 'present: the item is simulated, and nothing of it is kept',
  }),
})
export type WorkflowExecutionItem = Static<typeof WorkflowExecutionItem>
export const WorkflowExecutionItems = Type.Array(WorkflowExecutionItem, { maxItems: MAX_EXECUTION_ITEMS })

const createErrorSchema = (type: string, members: Parameters<typeof Type.Object>[0] = {}) =>
  Type.Object({ type: Type.Literal(type, { description: 'which of the possible kinds it is' }), ...members })
const IdSchema = Type.String({ description: 'what names it in this account' })

const FailureSchema = Type.Object({
  type: buildTypeTag('error'),
  value: Type.Union(
    [
      createErrorSchema('recipient not found', {
        receiver: { ...ContactIdentification, description: 'the contact that it is for' },
      }),
      createErrorSchema('re-entry refused', {
        reason: Type.Enum(['concurrency', 'never', 'afterExit', 'afterPeriod', 'empty key'], {
          description: 'why, in words or by a code',
        }),
      }),
      createErrorSchema('run not waiting', { id: nullableSchema(IdSchema) }),
      createErrorSchema('run id used', { id: IdSchema }),
      createErrorSchema('run too large'),
      createErrorSchema('busy'),
      Type.Object(
        { type: Type.String({ description: 'which of the possible kinds it is' }) },
        { additionalProperties: true, description: 'of a simulated node' },
      ),
    ],
    { description: 'the value itself' },
  ),
})

const SuccessSchema = Type.Object({
  type: buildTypeTag('success'),
  id: Type.String({ description: 'of the run' }),
  receiver: ResultRecipient,
})

export const WorkflowExecutionResult = Type.Union([
  SuccessSchema,
  FailureSchema,
  Type.Object(
    {
      type: Type.Enum(['success', 'error'], { description: 'which of the possible kinds it is' }),
      debug: Type.Unknown({ description: 'what the simulation came to' }),
    },
    { additionalProperties: true, description: 'of an item with "debug"' },
  ),
])

/** Result of an item that is not simulated. */
export type RunRequestResult =
  | Static<typeof SuccessSchema>
  | {
      type: 'error'
      value:
        | { type: 'recipient not found'; receiver: ContactIdentification }
        | { type: 're-entry refused'; reason: string }
        | { type: 'run not waiting'; id: string | null }
        | { type: 'run id used'; id: string }
        | { type: 'run too large' | 'busy' }
    }
