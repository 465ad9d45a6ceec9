import { type Static, Type } from 'typebox'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import { given, MAX_ITEMS, optional } from '../../actions/execution/item-schemas.ts'
import { Variable } from '../../actions/validation/validation-schemas.ts'
import { Footprint, Identification } from '../../contacts/records/identification-schemas.ts'

const Free = Type.Record(Type.String(), Type.Unknown())
const Name = Type.String({ minLength: 1, maxLength: 128 })
const MAX_LIST = 1000

/** An item is simulated, and nothing of it is kept. */
export const Debug = Type.Object({
  version: optional(Type.String()),
  id: optional(Type.String({ maxLength: 128 })),
  ttl: optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'nodes at most' })),
  nodes: optional(
    Type.Array(Type.Unsafe<string | { id?: unknown }>({ anyOf: [{ type: 'string' }, { type: 'object' }] }), {
      maxItems: MAX_LIST,
      description: 'nodes whose trace is answered: ids, or objects with an id',
    }),
  ),
})
export type Debug = Static<typeof Debug>

/** A run that is to be started, or an open one that is to go on. */
export const ExecutionItem = Type.Object({
  id: optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'id of the run: the one wished for, or of an open run; a text stands for a uuid',
    }),
  ),
  receiver: optional(Identification),
  node: optional(Name),
  event: optional(Free),
  state: optional({ ...Free, description: 'values that templates and scripts read as `state`' }),
  data: optional(Free),
  variables: optional(Type.Array(Variable, { maxItems: MAX_LIST })),
  resolutions: optional(
    Type.Array(
      Type.Object({
        key: Type.String({ minLength: 1, maxLength: 257, description: 'a node, or a node and one of its waits' }),
        value: optional(Free),
      }),
      { maxItems: MAX_LIST, description: 'waits that are over, as if the event "value" had come' },
    ),
  ),
  stamp: given.stamp,
  debug: optional({ ...Debug, description: 'present: the item is simulated, and nothing of it is kept' }),
})
export type ExecutionItem = Static<typeof ExecutionItem>
export const ExecutionItems = Type.Array(ExecutionItem, { maxItems: MAX_ITEMS })

const error = (type: string, members: Parameters<typeof Type.Object>[0] = {}) =>
  Type.Object({ type: Type.Literal(type), ...members })
const Id = Type.String()

const Failure = Type.Object({
  type: Type.Literal('error'),
  value: Type.Union([
    error('recipient not found', { receiver: Identification }),
    error('re-entry refused', {
      reason: Type.Enum(['concurrency', 'never', 'afterExit', 'afterPeriod', 'empty key']),
    }),
    error('run not waiting', { id: nullable(Id) }),
    error('run id used', { id: Id }),
    error('run too large'),
    error('busy'),
    Type.Object({ type: Type.String() }, { additionalProperties: true, description: 'of a simulated node' }),
  ]),
})

const Success = Type.Object({
  type: Type.Literal('success'),
  id: Type.String({ description: 'of the run' }),
  receiver: nullable(Type.Union([Footprint, Type.Object({ type: Type.Literal('id'), value: Type.String() })])),
})

export const ExecutionResult = Type.Union([
  Success,
  Failure,
  Type.Object(
    { type: Type.Enum(['success', 'error']), debug: Type.Unknown({ description: 'what the simulation came to' }) },
    { additionalProperties: true, description: 'of an item with "debug"' },
  ),
])

/** What became of an item that is not simulated. */
export type RunResult =
  | Static<typeof Success>
  | {
      type: 'error'
      value:
        | { type: 'recipient not found'; receiver: Identification }
        | { type: 're-entry refused'; reason: string }
        | { type: 'run not waiting'; id: string | null }
        | { type: 'run id used'; id: string }
        | { type: 'run too large' | 'busy' }
    }
