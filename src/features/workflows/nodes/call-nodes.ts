import { type DefinitionExpression, expressionShape } from '../../../scripting/expressions/expression.ts'
import {
  defaultedMember,
  exactlyOneRule,
  listShape,
  mapShape,
  objectShape,
  optionalMember,
  requiredMember,
} from '../../../scripting/schemas/objects.ts'
import type { ShapeValue } from '../../../scripting/schemas/shape.ts'
import {
  booleanShape,
  compilableCallRule,
  enumShape,
  moduleSourceShape,
  numberShape,
  referenceShape,
  targetNodeShape,
  variableNameShape,
} from '../../../scripting/schemas/values.ts'
import { type HttpEffectAnswer, type NodeVisit, type ScriptEffectAnswer, StepFailure } from './node-contract.ts'
import { defineNodeType } from './node-type.ts'
import { expressionMapShape, requiredExpression, textMapShape } from './setting-members.ts'

const MAX_OUTPUTS = 100
/** Lines of a script's log that the trace keeps, and characters of each. */
const TRACE_LOG_LIMITS = { lines: 20, length: 500 }

const createTypeMismatch = (expectedType: string): StepFailure =>
  new StepFailure('type-mismatch', `The expression does not return ${expectedType}.`)

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

/** Calls a server. */
const requestNode = defineNodeType({
  type: 'request',
  hasFailure: true,
  settings: objectShape(
    {
      method: defaultedMember(enumShape('GET', 'POST', 'PUT', 'PATCH', 'DELETE'), 'GET'),
      url: requiredExpression('string'),
      headers: textMapShape,
      body: optionalMember(expressionShape('any')),
      timeoutMs: defaultedMember(numberShape(100, 30_000), 10_000),
      success: optionalMember(listShape(numberShape(100, 599), { most: 100 })),
      repeat: defaultedMember(booleanShape, true),
      into: optionalMember(variableNameShape),
    },
    ({ url }, path, visitor) => {
      if (url?.type === 'literal' && typeof url.value === 'string') visitor.address?.(url.value, `${path}/url`)
    },
  ),
  enter(visit) {
    const { method, url, headers, body, timeoutMs, success, repeat } = visit.settings
    const requestUrl = visit.value(url!)
    if (typeof requestUrl !== 'string') throw createTypeMismatch('an address')
    return {
      type: 'ask',
      ask: {
        kind: 'request',
        method,
        url: requestUrl,
        headers: evaluateHeaders(visit, headers),
        body: body === null ? null : visit.value(body),
        timeoutMs,
        success,
        repeat,
      },
    }
  },
  resumeWithAnswer({ settings, next }, answer) {
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
})

const scriptSettings = objectShape(
  {
    value: optionalMember(moduleSourceShape),
    webtask: optionalMember(referenceShape<number>('webtask')),
    arguments: expressionMapShape,
    outputs: optionalMember(mapShape(targetNodeShape, { most: MAX_OUTPUTS })),
    into: optionalMember(variableNameShape),
  },
  exactlyOneRule('value', 'webtask'),
)
type ScriptSettings = ShapeValue<typeof scriptSettings>

/** Resolves the node that follows a script with outputs. The script returns the label of an output, or null. */
function resolveOutput({ settings, next }: NodeVisit<ScriptSettings>, scriptResult: unknown) {
  const { outputs } = settings
  if (outputs === null) return { next, value: scriptResult, branch: {} }
  const { output = undefined, value = null } = (
    typeof scriptResult === 'object' && scriptResult !== null ? scriptResult : {}
  ) as {
    output?: unknown
    value?: unknown
  }
  if (output === undefined)
    throw new StepFailure('result', 'A script with outputs must return {output, value}; the output is missing.')
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

function planScriptLeave(visit: NodeVisit<ScriptSettings>, { value: scriptValue, logs }: ScriptEffectAnswer) {
  const { next, value, branch } = resolveOutput(visit, scriptValue)
  const { into } = visit.settings
  return { type: 'leave', next, outcome: 'done', value, into, ...truncateLogs(logs), ...branch } as const
}

/** Runs a script of its own, or a webtask. */
const scriptNode = defineNodeType({
  type: 'script',
  hasFailure: true,
  settings: scriptSettings,
  enter(visit) {
    const { value, webtask, arguments: argumentExpressions } = visit.settings
    return {
      type: 'ask',
      ask: { kind: 'script', source: value, webtask, arguments: evaluateValues(visit, argumentExpressions) },
    }
  },
  resumeWithAnswer(visit, scriptAnswer) {
    const answer = scriptAnswer as ScriptEffectAnswer
    const leavePlan = planScriptLeave(visit, answer)
    return answer.writes.length === 0 ? leavePlan : { type: 'ask', ask: { kind: 'writes', answer } }
  },
})

interface CompilableCallSettings {
  compilable: string | null
  arguments: Readonly<Record<string, DefinitionExpression>> | null
}

const planPipelineCall = (visit: NodeVisit<CompilableCallSettings>, first: boolean) => {
  const { compilable, arguments: argumentExpressions } = visit.settings
  const pipelineEffect = {
    kind: 'pipeline',
    compilable: compilable!,
    arguments: evaluateValues(visit, argumentExpressions),
    first,
  } as const
  return { type: 'ask', ask: pipelineEffect } as const
}

/** All rows of a compilable at once. */
const pipelineNode = defineNodeType({
  type: 'data-manager/pipeline',
  hasFailure: true,
  settings: objectShape(
    {
      compilable: requiredMember(referenceShape<string>('compilable')),
      arguments: expressionMapShape,
      into: requiredMember(variableNameShape),
    },
    compilableCallRule('compilable', false),
  ),
  enter: (visit) => planPipelineCall(visit, false),
  resumeWithAnswer({ settings, next }, rowsAnswer) {
    const answer = rowsAnswer as ScriptEffectAnswer
    if (answer.writes.length > 0) return { type: 'ask', ask: { kind: 'writes', answer } }
    const { value, logs } = answer
    return { type: 'leave', next, outcome: 'done', value, into: settings.into, ...truncateLogs(logs) }
  },
})

/** The first row of a pipeline. */
const firstRowNode = defineNodeType({
  type: 'data-table/pipeline',
  hasFailure: true,
  settings: objectShape(
    {
      compilable: requiredMember(referenceShape<string>('pipeline')),
      arguments: expressionMapShape,
      into: optionalMember(variableNameShape),
      empty: optionalMember(targetNodeShape),
    },
    compilableCallRule('compilable', true),
  ),
  enter: (visit) => planPipelineCall(visit, true),
  resumeWithAnswer({ settings, next }, rowsAnswer) {
    const [row] = (rowsAnswer as ScriptEffectAnswer).value as readonly unknown[]
    const { into, empty } = settings
    if (row !== undefined) return { type: 'leave', next, outcome: 'done', value: row, into, branch: 'row' }
    return { type: 'leave', next: empty ?? next, outcome: 'done', value: null, into, branch: 'empty' }
  },
})

export const callNodeTypes = [requestNode, scriptNode, pipelineNode, firstRowNode]
