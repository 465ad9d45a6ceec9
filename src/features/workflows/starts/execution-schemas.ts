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
import { SimulatedRunResult } from '../simulation/simulation-schemas.ts'

const FreeObjectSchema = Type.Record(Type.String(), Type.Unknown())
const NameSchema = Type.String({ minLength: 1, maxLength: 128 })
const MAX_LIST_ITEMS = 1000

/** An item is simulated, and nothing of it is kept. */
export const ExecutionDebug = Type.Object({
  version: optionalOrNull(Type.String({ description: 'Accepted for compatibility; has no effect.' })),
  id: optionalOrNull(Type.String({ maxLength: 128, description: 'Accepted for compatibility; has no effect.' })),
  ttl: optionalOrNull(
    Type.Integer({
      minimum: 1,
      maximum: MAX_INT32,
      description: 'Maximum number of node visits; lowers `maxNodes` of the settings. Default and maximum: 10,000.',
    }),
  ),
  nodes: optionalOrNull(
    Type.Array(
      Type.Unsafe<string | { id?: unknown }>({
        anyOf: [
          { type: 'string' },
          { type: 'object', properties: { id: { description: 'ID of the node.' } }, additionalProperties: true },
        ],
      }),
      {
        maxItems: MAX_LIST_ITEMS,
        description: 'Nodes whose trace is returned, as IDs or as objects with an `id`. Absent or empty: all nodes.',
      },
    ),
  ),
})
export type ExecutionDebug = Static<typeof ExecutionDebug>

/** A run that is to be started, or an open one that is to go on. */
export const WorkflowExecutionItem = Type.Object({
  id: optionalOrNull(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'ID of the new run, or of an open run to resume. Any text that is not a UUID is converted to one.',
    }),
  ),
  receiver: Type.Optional({
    ...nullableSchema(ContactIdentification),
    description: 'Contact of the run. Null or absent: a run without a contact.',
  }),
  node: optionalOrNull({
    ...NameSchema,
    description:
      'ID of the node where a new run starts, or to which an open run moves. Absent: a new run starts at the default node.',
  }),
  event: optionalOrNull({
    ...FreeObjectSchema,
    description: 'Event that templates and scripts read as `event`; at most 64 KB.',
  }),
  state: optionalOrNull({ ...FreeObjectSchema, description: 'Values that templates and scripts read as `state`.' }),
  data: optionalOrNull({ ...FreeObjectSchema, description: 'Values that templates and scripts read as `data`.' }),
  variables: optionalOrNull(
    Type.Array(TemplateVariable, {
      maxItems: MAX_LIST_ITEMS,
      description: 'Values that templates and scripts read by name.',
    }),
  ),
  resolutions: optionalOrNull(
    Type.Array(
      Type.Object({
        key: Type.String({
          minLength: 1,
          maxLength: 257,
          description: 'ID of a wait node, or `<node>/<wait>` for one of its waits.',
        }),
        value: optionalOrNull({ ...FreeObjectSchema, description: 'Event that the run receives.' }),
      }),
      {
        maxItems: MAX_LIST_ITEMS,
        description: 'Waits of the open run to satisfy, as if the event in `value` had arrived.',
      },
    ),
  ),
  stamp: itemRecipientMembers.stamp,
  debug: optionalOrNull({
    ...ExecutionDebug,
    description: 'Present: the item is simulated on the stored definition and nothing is kept.',
  }),
})
export type WorkflowExecutionItem = Static<typeof WorkflowExecutionItem>
export const WorkflowExecutionItems = Type.Array(WorkflowExecutionItem, { maxItems: MAX_EXECUTION_ITEMS })

const createErrorSchema = (type: string, members: Parameters<typeof Type.Object>[0] = {}) =>
  Type.Object({ type: Type.Literal(type, { description: 'Type of the error.' }), ...members })
const IdSchema = Type.String({ description: 'ID of the run.' })

const FailureSchema = Type.Object({
  type: buildTypeTag('error'),
  value: Type.Union(
    [
      createErrorSchema('recipient not found', {
        receiver: { ...ContactIdentification, description: 'Contact that the item names.' },
      }),
      createErrorSchema('re-entry refused', {
        reason: Type.Enum(['concurrency', 'never', 'afterExit', 'afterPeriod', 'empty key'], {
          description:
            'Reason for the refusal. `concurrency`: too many open runs. `never`, `afterExit` and `afterPeriod`: the re-entry mode. `empty key`: `entryKey` gives an empty result.',
        }),
      }),
      createErrorSchema('run not waiting', { id: nullableSchema(IdSchema) }),
      createErrorSchema('run id used', { id: IdSchema }),
      createErrorSchema('run too large'),
      createErrorSchema('busy'),
      Type.Object(
        { type: Type.String({ description: 'Type of the error.' }) },
        { additionalProperties: true, description: 'Error of a simulated node.' },
      ),
    ],
    { description: 'Reason for the failure.' },
  ),
})

const SuccessSchema = Type.Object({
  type: buildTypeTag('success'),
  id: Type.String({ description: 'ID of the run.' }),
  receiver: ResultRecipient,
})

export const WorkflowExecutionResult = Type.Union([
  SuccessSchema,
  FailureSchema,
  Type.Object(
    {
      type: Type.Enum(['success', 'error'], { description: 'Type of the result.' }),
      debug: { ...Type.Partial(SimulatedRunResult), description: 'Result of the simulation.' },
    },
    { additionalProperties: true, description: 'Result of an item with `debug`.' },
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
