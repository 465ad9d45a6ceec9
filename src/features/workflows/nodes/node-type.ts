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
  [ownMembers: string]: unknown
}

/** Handling of a node that fails. */
export interface NodeFailureSettings {
  mode: 'fail' | 'continue' | 'goto'
  next: string | null
  retry: { attempts: number; delay: TimeSpan; factor: number; max: TimeSpan }
}

/** Default retry settings of nodes. */
export const nodeRetryDefaults = {
  attempts: 5,
  delay: createTimeSpan('MINUTE', 1),
  factor: 2,
  max: createTimeSpan('HOUR', 6),
}
const defaultFailure: NodeFailureSettings = { mode: 'fail', next: null, retry: nodeRetryDefaults }

const failureShape: DefinitionShape<NodeFailureSettings> = objectShape(
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
  /** Nodes that a run may go to, in addition to `next`. Paths are relative to its settings. */
  targets(settings: Settings): NodeTarget[]
}

/** Description of a node type, in addition to its settings. */
export interface NodeTypeOptions {
  family: string
  hasFailure?: boolean
  isPause?: boolean
  isAside?: boolean
  own?: ObjectShape<never>
}

function collectTargets<Settings extends object>(settings: DefinitionShape<Settings>, value: Settings): NodeTarget[] {
  const targets: NodeTarget[] = []
  const visitor: DefinitionVisitor = { target: (node, path) => targets.push({ node, path }) }
  settings.visit?.(value, '', visitor)
  return targets
}

/** Settings with what every node has that can fail. */
function addFailureMember<T extends object>(
  settings: ObjectShape<T>,
): DefinitionShape<T & { failure: NodeFailureSettings }> {
  const failureMember = objectShape({ failure: defaultedMember(failureShape, defaultFailure) })
  return {
    read(rawSettings, place) {
      const fullShape = objectShape({ ...settings.members, ...failureMember.members })
      return fullShape.read(rawSettings, place) as T & { failure: NodeFailureSettings }
    },
    visit(value, path, visitor) {
      settings.visit?.(value, path, visitor)
      failureMember.visit?.(value, path, visitor)
    },
  }
}

/** Describes a type of node. */
export function defineNodeType<T extends object>(
  type: string,
  settings: ObjectShape<T>,
  { family, hasFailure = false, isPause = false, isAside = false, own: ownMembers }: NodeTypeOptions,
): NodeTypeDefinition<T> {
  const shape = (hasFailure ? addFailureMember(settings) : settings) as DefinitionShape<T>
  return {
    ...{ type, family, settings: shape, hasFailure, isPause, isAside },
    own: ownMembers as ObjectShape<Record<string, unknown>> | undefined,
    targets: (value) => collectTargets(shape, value),
  }
}

/** The settings that a type reads. */
export type NodeSettingsOf<N> = N extends NodeTypeDefinition<infer Settings> ? Settings : never

export type { ObjectMemberValues }
