import type { TimeSpan } from '../../../lib/time/spans.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import {
  defaultedMember,
  type ObjectMemberValues,
  type ObjectShape,
  objectShape,
  optionalMember,
} from '../../../scripting/schemas/objects.ts'
import type { DefinitionShape, DefinitionVisitor } from '../../../scripting/schemas/shape.ts'
import {
  createTimeSpan,
  enumShape,
  numberShape,
  targetNodeShape,
  timeSpanShape,
} from '../../../scripting/schemas/values.ts'

/** A node as it is stored: its settings are those that its type reads, defaults filled in. */
export interface StoredWorkflowNode<Settings = Record<string, unknown>> {
  type: string
  id: string
  name: string | null
  description: string | null
  rationale: string | null
  default: boolean
  settings: Settings
  next: string | null
  /** Members of the node itself that its type has, such as `event` and `data` of `publish`. */
  [own: string]: unknown
}

/** What happens to a node that fails. */
export interface NodeFailureSettings {
  mode: 'fail' | 'continue' | 'goto'
  next: string | null
  retry: { attempts: number; delay: TimeSpan; factor: number; max: TimeSpan }
}

/** How nodes are tried again that do not say it themselves. */
export const nodeRetryDefaults = {
  attempts: 5,
  delay: createTimeSpan('MINUTE', 1),
  factor: 2,
  max: createTimeSpan('HOUR', 6),
}
const failureDefaults: NodeFailureSettings = { mode: 'fail', next: null, retry: nodeRetryDefaults }

const failure: DefinitionShape<NodeFailureSettings> = objectShape(
  {
    mode: defaultedMember(enumShape('fail', 'continue', 'goto'), 'fail'),
    next: optionalMember(targetNodeShape),
    retry: defaultedMember(
      objectShape({
        attempts: defaultedMember(numberShape(0, 20), nodeRetryDefaults.attempts),
        delay: defaultedMember(timeSpanShape, nodeRetryDefaults.delay),
        factor: defaultedMember(numberShape(1, 10, 3), nodeRetryDefaults.factor),
        max: defaultedMember(timeSpanShape, nodeRetryDefaults.max),
      }),
      nodeRetryDefaults,
    ),
  },
  ({ mode, next }, path, visitor) => {
    if (mode === 'goto' && next === null)
      visitor.flaw?.(createFlaw('missing-setting', `${path}/next`, '"next" is required with "goto".'))
  },
)

/** A node that a run may go to, and the pointer to where it is named. */
export interface NodeTarget {
  path: string
  node: string
}

/** One type of node. What it does in a run is added by the engine. */
export interface NodeTypeDefinition<Settings extends object = object> {
  type: string
  family: string
  settings: DefinitionShape<Settings>
  /** Members at the node itself. */
  own: ObjectShape<Record<string, unknown>> | undefined
  /** It has `settings.failure`: it can fail and be tried again. */
  hasFailure: boolean
  /** Runs wait at it: a cycle through it is no endless loop. */
  isPause: boolean
  /** It has no position in a run: nothing leads to it. */
  isAside: boolean
  /** Where a run may go from it, beside `next`; paths are below its settings. */
  targets(settings: Settings): NodeTarget[]
}

/** What is said of a type beside its settings. */
export interface NodeTypeOptions {
  family: string
  hasFailure?: boolean
  isPause?: boolean
  isAside?: boolean
  own?: ObjectShape<never>
}

function targetsIn<Settings extends object>(settings: DefinitionShape<Settings>, value: Settings): NodeTarget[] {
  const targets: NodeTarget[] = []
  const visitor: DefinitionVisitor = { target: (node, path) => targets.push({ node, path }) }
  settings.visit?.(value, '', visitor)
  return targets
}

/** Settings with what every node has that can fail. */
function withFailure<T extends object>(
  settings: ObjectShape<T>,
): DefinitionShape<T & { failure: NodeFailureSettings }> {
  const block = objectShape({ failure: defaultedMember(failure, failureDefaults) })
  return {
    read(given, place) {
      const whole = objectShape({ ...settings.members, ...block.members })
      return whole.read(given, place) as T & { failure: NodeFailureSettings }
    },
    visit(value, path, visitor) {
      settings.visit?.(value, path, visitor)
      block.visit?.(value, path, visitor)
    },
  }
}

/** Describes a type of node. */
export function defineNodeType<T extends object>(
  type: string,
  settings: ObjectShape<T>,
  { family, hasFailure = false, isPause = false, isAside = false, own }: NodeTypeOptions,
): NodeTypeDefinition<T> {
  const shape = (hasFailure ? withFailure(settings) : settings) as DefinitionShape<T>
  return {
    ...{ type, family, settings: shape, hasFailure, isPause, isAside },
    own: own as ObjectShape<Record<string, unknown>> | undefined,
    targets: (value) => targetsIn(shape, value),
  }
}

/** The settings that a type reads. */
export type NodeSettingsOf<N> = N extends NodeTypeDefinition<infer Settings> ? Settings : never

export type { ObjectMemberValues }
