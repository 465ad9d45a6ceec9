import type { Span } from '../../../lib/time/spans.ts'
import { flaw } from '../../../scripting/flaws.ts'
import { defaulted, type Fields, type ObjectShape, object, optional } from '../../../scripting/schemas/objects.ts'
import type { Shape, Visitor } from '../../../scripting/schemas/shape.ts'
import { number, period, span, target, word } from '../../../scripting/schemas/values.ts'

/** A node as it is stored: its settings are those that its type reads, defaults filled in. */
export interface WorkflowNode<Settings = Record<string, unknown>> {
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
export interface Failure {
  mode: 'fail' | 'continue' | 'goto'
  next: string | null
  retry: { attempts: number; delay: Span; factor: number; max: Span }
}

/** How nodes are tried again that do not say it themselves. */
export const retryDefaults = { attempts: 5, delay: span('MINUTE', 1), factor: 2, max: span('HOUR', 6) }
const failureDefaults: Failure = { mode: 'fail', next: null, retry: retryDefaults }

const failure: Shape<Failure> = object(
  {
    mode: defaulted(word('fail', 'continue', 'goto'), 'fail'),
    next: optional(target),
    retry: defaulted(
      object({
        attempts: defaulted(number(0, 20), retryDefaults.attempts),
        delay: defaulted(period, retryDefaults.delay),
        factor: defaulted(number(1, 10, 3), retryDefaults.factor),
        max: defaulted(period, retryDefaults.max),
      }),
      retryDefaults,
    ),
  },
  ({ mode, next }, path, visitor) => {
    if (mode === 'goto' && next === null)
      visitor.flaw?.(flaw('missing-setting', `${path}/next`, '"next" is required with "goto".'))
  },
)

/** A node that a run may go to, and the pointer to where it is named. */
export interface Target {
  path: string
  node: string
}

/** One type of node. What it does in a run is added by the engine. */
export interface NodeType<Settings extends object = object> {
  type: string
  family: string
  settings: Shape<Settings>
  /** Members at the node itself. */
  own: ObjectShape<Record<string, unknown>> | undefined
  /** It has `settings.failure`: it can fail and be tried again. */
  hasFailure: boolean
  /** Runs wait at it: a cycle through it is no endless loop. */
  isPause: boolean
  /** It has no position in a run: nothing leads to it. */
  isAside: boolean
  /** Where a run may go from it, beside `next`; paths are below its settings. */
  targets(settings: Settings): Target[]
}

/** What is said of a type beside its settings. */
export interface NodeOptions {
  family: string
  hasFailure?: boolean
  isPause?: boolean
  isAside?: boolean
  own?: ObjectShape<never>
}

function targetsIn<Settings extends object>(settings: Shape<Settings>, value: Settings): Target[] {
  const targets: Target[] = []
  const visitor: Visitor = { target: (node, path) => targets.push({ node, path }) }
  settings.visit?.(value, '', visitor)
  return targets
}

/** Settings with what every node has that can fail. */
function withFailure<T extends object>(settings: ObjectShape<T>): Shape<T & { failure: Failure }> {
  const block = object({ failure: defaulted(failure, failureDefaults) })
  return {
    read(given, place) {
      const whole = object({ ...settings.members, ...block.members })
      return whole.read(given, place) as T & { failure: Failure }
    },
    visit(value, path, visitor) {
      settings.visit?.(value, path, visitor)
      block.visit?.(value, path, visitor)
    },
  }
}

/** Describes a type of node. */
export function nodeType<T extends object>(
  type: string,
  settings: ObjectShape<T>,
  { family, hasFailure = false, isPause = false, isAside = false, own }: NodeOptions,
): NodeType<T> {
  const shape = (hasFailure ? withFailure(settings) : settings) as Shape<T>
  return {
    ...{ type, family, settings: shape, hasFailure, isPause, isAside },
    own: own as ObjectShape<Record<string, unknown>> | undefined,
    targets: (value) => targetsIn(shape, value),
  }
}

/** The settings that a type reads. */
export type SettingsOf<N> = N extends NodeType<infer Settings> ? Settings : never

export type { Fields }
