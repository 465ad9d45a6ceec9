import type { TimeSpan } from '../../../lib/time/spans.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import { defaultedMember, type ObjectShape, objectShape, optionalMember } from '../../../scripting/schemas/objects.ts'
import type { DefinitionShape, DefinitionVisitor } from '../../../scripting/schemas/shape.ts'
import {
  createTimeSpan,
  enumShape,
  numberShape,
  targetNodeShape,
  timeSpanShape,
} from '../../../scripting/schemas/values.ts'
import type { StoredEventFilter } from '../definition/event-filters.ts'
import type { NodeBehavior } from './node-contract.ts'

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

/** Event filters of a node by the id of their wait, in order; `''`: the only one. */
export type NodeEventFilters = [wait: string, filter: StoredEventFilter][]

/** Properties that all nodes of a type share. */
interface NodeTraits {
  /** It has `settings.failure`: it can fail and be tried again. */
  hasFailure: boolean
  /** It only decides or waits: it changes nothing, and does not leave the service. */
  isPure: boolean
  /** Runs wait at it: a cycle through it is no endless loop. */
  isPause: boolean
  /** It sends a message. */
  isSend: boolean
  /** Its event ends or moves runs wherever they are: it has no position in a run, and nothing leads to it. */
  isGoal: boolean
  /** The workflow must be notified of the events of its filters. */
  awaitsEvents: boolean
}

/** One type of node: all that the service knows of it. Its settings say what they reference, where they lead, and their flaws. */
export interface WorkflowNodeType<Settings extends object = object> extends NodeTraits, NodeBehavior<Settings> {
  /** Name in the interface and in stored versions. */
  type: string
  settings: DefinitionShape<Settings>
  /** Members at the node itself. */
  own: ObjectShape<object> | undefined
  /** Nodes that a run may go to, in addition to `next`. Paths are relative to its settings. */
  targets(settings: Settings): NodeTarget[]
  listEventFilters(settings: Settings): NodeEventFilters
}

/** Description of a node type. Traits that are not given are false. */
interface NodeTypeDescription<Settings extends object, Own extends object>
  extends Partial<NodeTraits>,
    NodeBehavior<Settings & Own> {
  type: string
  settings: ObjectShape<Settings>
  own?: ObjectShape<Own>
  /** Its event filters; none when absent. */
  listEventFilters?(settings: Settings): NodeEventFilters
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

/** Creates a type of node from its description. */
export function defineNodeType<Settings extends object, Own extends object = object>(
  description: NodeTypeDescription<Settings, Own>,
): WorkflowNodeType<Settings> {
  const { hasFailure = false, own, settings } = description
  const shape = hasFailure ? addFailureMember(settings) : settings
  return {
    isPure: false,
    isPause: false,
    isSend: false,
    isGoal: false,
    awaitsEvents: false,
    listEventFilters: () => [],
    ...(description as NodeTypeDescription<Settings, object>),
    hasFailure,
    settings: shape as DefinitionShape<Settings>,
    own,
    targets: (value) => collectTargets(shape as DefinitionShape<Settings>, value),
  }
}
