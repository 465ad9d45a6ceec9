import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import type { firstRowNode, pipelineNode, requestNode, scriptNode } from '../nodes/effects.ts'
import {
  type HttpEffectAnswer,
  type NodeSteps,
  type NodeVisit,
  type ScriptEffectAnswer,
  StepFailure,
} from '../nodes/node-contract.ts'
import type { NodeSettingsOf } from '../nodes/node-type.ts'

/** Lines of a script's log that the trace keeps, and characters of each. */
const TRACE_LOG_LIMITS = { lines: 20, length: 500 }

const createTypeMismatch = (expectedType: string): StepFailure =>
  new StepFailure('type-mismatch', `The expression does not give ${expectedType}.`)

function requireText(value: unknown, expectedType: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw createTypeMismatch(expectedType)
}

/** Values by name; null: none were given. */
function evaluateValues(
  visit: NodeVisit,
  valueExpressions: Readonly<Record<string, DefinitionExpression>> | null,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(valueExpressions ?? {}).map(([name, valueExpression]) => [name, visit.value(valueExpression)]),
  )
}

/** Headers whose value is null are not sent. */
function evaluateHeaders(
  visit: NodeVisit,
  headerExpressions: Readonly<Record<string, DefinitionExpression>> | null,
): Record<string, string> {
  const values = Object.entries(evaluateValues(visit, headerExpressions)).filter(([, value]) => value !== null)
  return Object.fromEntries(values.map(([name, value]) => [name, requireText(value, `a text for the header ${name}`)]))
}

export const requestSteps: NodeSteps<NodeSettingsOf<typeof requestNode>> = {
  enter(visit) {
    const { method, url, headers, body, timeoutMs, success, repeat } = visit.settings
    const requestUrl = visit.value(url!)
    if (typeof requestUrl !== 'string') throw createTypeMismatch('an address')
    return {
      type: 'ask',
      ask: {
        ...{ kind: 'request', method, url: requestUrl, headers: evaluateHeaders(visit, headers) },
        ...{ body: body === null ? null : visit.value(body), timeoutMs, success, repeat },
      },
    }
  },
  answered({ settings, next }, answer) {
    const value = answer as HttpEffectAnswer
    return {
      type: 'leave',
      next,
      outcome: 'done',
      value,
      into: settings.into,
      detail: { status: value.status },
    }
  },
}

/** Resolves the node that follows a script with outputs. The script returns the label of an output, or null. */
function resolveOutput({ settings, next }: NodeVisit<NodeSettingsOf<typeof scriptNode>>, scriptResult: unknown) {
  const { outputs } = settings
  if (outputs === null) return { next, value: scriptResult, branch: {} }
  const { output = undefined, value = null } = (
    typeof scriptResult === 'object' && scriptResult !== null ? scriptResult : {}
  ) as {
    output?: unknown
    value?: unknown
  }
  if (output === undefined)
    throw new StepFailure('result', 'A script with outputs gives {output, value}: the output is missing.')
  if (output === null) return { next, value, branch: {} }
  if (typeof output !== 'string' || !Object.hasOwn(outputs, output))
    throw new StepFailure('result', `There is no output ${JSON.stringify(output).slice(0, 100)}.`)
  return { next: outputs[output] ?? next, value, branch: { branch: output } }
}

/** Truncates the log of a script to the part that is stored in the trace. */
function truncateLogs(logs: ScriptEffectAnswer['logs']) {
  const truncatedLogs = logs
    .slice(0, TRACE_LOG_LIMITS.lines)
    .map(({ level, at, text }) => ({ level, at, text: text.slice(0, TRACE_LOG_LIMITS.length) }))
  return truncatedLogs.length > 0 ? { detail: { logs: truncatedLogs } } : {}
}

function planScriptLeave(
  visit: NodeVisit<NodeSettingsOf<typeof scriptNode>>,
  { value: scriptValue, logs }: ScriptEffectAnswer,
) {
  const { next, value, branch } = resolveOutput(visit, scriptValue)
  const { into } = visit.settings
  return { type: 'leave', next, outcome: 'done', value, into, ...truncateLogs(logs), ...branch } as const
}

export const scriptSteps: NodeSteps<NodeSettingsOf<typeof scriptNode>> = {
  enter(visit) {
    const { value, webtask, arguments: argumentExpressions } = visit.settings
    return {
      type: 'ask',
      ask: { kind: 'script', source: value, webtask, arguments: evaluateValues(visit, argumentExpressions) },
    }
  },
  answered(visit, answered) {
    const answer = answered as ScriptEffectAnswer
    const leavePlan = planScriptLeave(visit, answer)
    return answer.writes.length === 0 ? leavePlan : { type: 'ask', ask: { kind: 'writes', answer } }
  },
}

type PipelineSettings = NodeSettingsOf<typeof pipelineNode> | NodeSettingsOf<typeof firstRowNode>

const planPipelineCall = (visit: NodeVisit<PipelineSettings>, first: boolean) => {
  const { compilable, arguments: argumentExpressions } = visit.settings
  const pipelineEffect = {
    kind: 'pipeline',
    compilable: compilable!,
    arguments: evaluateValues(visit, argumentExpressions),
    first,
  } as const
  return { type: 'ask', ask: pipelineEffect } as const
}

export const pipelineSteps: NodeSteps<NodeSettingsOf<typeof pipelineNode>> = {
  enter: (visit) => planPipelineCall(visit, false),
  answered({ settings, next }, answered) {
    const answer = answered as ScriptEffectAnswer
    if (answer.writes.length > 0) return { type: 'ask', ask: { kind: 'writes', answer } }
    const { value, logs } = answer
    return { type: 'leave', next, outcome: 'done', value, into: settings.into, ...truncateLogs(logs) }
  },
}

export const firstRowSteps: NodeSteps<NodeSettingsOf<typeof firstRowNode>> = {
  enter: (visit) => planPipelineCall(visit, true),
  answered({ settings, next }, answered) {
    const [row] = (answered as ScriptEffectAnswer).value as readonly unknown[]
    const { into, empty } = settings
    if (row !== undefined) return { type: 'leave', next, outcome: 'done', value: row, into, branch: 'row' }
    return { type: 'leave', next: empty ?? next, outcome: 'done', value: null, into, branch: 'empty' }
  },
}
