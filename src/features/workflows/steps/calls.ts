import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import type { firstRowNode, pipelineNode, requestNode, scriptNode } from '../nodes/effects.ts'
import type { NodeSettingsOf } from '../nodes/node-type.ts'
import {
  type HttpEffectAnswer,
  type NodeSteps,
  type NodeVisit,
  type ScriptEffectAnswer,
  StepFailure,
} from '../stepping/step.ts'

/** Lines of a script's log that the trace keeps, and characters of each. */
const KEPT_LOGS = { lines: 20, length: 500 }

const mismatch = (what: string): StepFailure =>
  new StepFailure('type-mismatch', `The expression does not give ${what}.`)

function textOf(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw mismatch(what)
}

/** Values by name; null: none were given. */
function valuesOf(
  visit: NodeVisit,
  given: Readonly<Record<string, DefinitionExpression>> | null,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given ?? {}).map(([name, one]) => [name, visit.value(one)]))
}

/** Headers whose value is null are not sent. */
function headersOf(
  visit: NodeVisit,
  given: Readonly<Record<string, DefinitionExpression>> | null,
): Record<string, string> {
  const values = Object.entries(valuesOf(visit, given)).filter(([, value]) => value !== null)
  return Object.fromEntries(values.map(([name, value]) => [name, textOf(value, `a text for the header ${name}`)]))
}

export const requestSteps: NodeSteps<NodeSettingsOf<typeof requestNode>> = {
  enter(visit) {
    const { method, url, headers, body, timeoutMs, success, repeat } = visit.settings
    const address = visit.value(url!)
    if (typeof address !== 'string') throw mismatch('an address')
    return {
      type: 'ask',
      ask: {
        ...{ kind: 'request', method, url: address, headers: headersOf(visit, headers) },
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

/** Where a script with outputs goes: it gives the label of one, or null. */
function outputOf({ settings, next }: NodeVisit<NodeSettingsOf<typeof scriptNode>>, given: unknown) {
  const { outputs } = settings
  if (outputs === null) return { next, value: given, branch: {} }
  const { output = undefined, value = null } = (typeof given === 'object' && given !== null ? given : {}) as {
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

/** What the trace keeps of the log of a script. */
function keptLogs(logs: ScriptEffectAnswer['logs']) {
  const kept = logs
    .slice(0, KEPT_LOGS.lines)
    .map(({ level, at, text }) => ({ level, at, text: text.slice(0, KEPT_LOGS.length) }))
  return kept.length > 0 ? { detail: { logs: kept } } : {}
}

function leaveScript(visit: NodeVisit<NodeSettingsOf<typeof scriptNode>>, { value: given, logs }: ScriptEffectAnswer) {
  const { next, value, branch } = outputOf(visit, given)
  const { into } = visit.settings
  return { type: 'leave', next, outcome: 'done', value, into, ...keptLogs(logs), ...branch } as const
}

export const scriptSteps: NodeSteps<NodeSettingsOf<typeof scriptNode>> = {
  enter(visit) {
    const { value, webtask, arguments: given } = visit.settings
    return { type: 'ask', ask: { kind: 'script', source: value, webtask, arguments: valuesOf(visit, given) } }
  },
  answered(visit, answered) {
    const answer = answered as ScriptEffectAnswer
    const leaving = leaveScript(visit, answer)
    return answer.writes.length === 0 ? leaving : { type: 'ask', ask: { kind: 'writes', answer } }
  },
}

type PipelineSettings = NodeSettingsOf<typeof pipelineNode> | NodeSettingsOf<typeof firstRowNode>

const enterPipeline = (visit: NodeVisit<PipelineSettings>, first: boolean) => {
  const { compilable, arguments: given } = visit.settings
  const ask = { kind: 'pipeline', compilable: compilable!, arguments: valuesOf(visit, given), first } as const
  return { type: 'ask', ask } as const
}

export const pipelineSteps: NodeSteps<NodeSettingsOf<typeof pipelineNode>> = {
  enter: (visit) => enterPipeline(visit, false),
  answered({ settings, next }, answered) {
    const answer = answered as ScriptEffectAnswer
    if (answer.writes.length > 0) return { type: 'ask', ask: { kind: 'writes', answer } }
    const { value, logs } = answer
    return { type: 'leave', next, outcome: 'done', value, into: settings.into, ...keptLogs(logs) }
  },
}

export const firstRowSteps: NodeSteps<NodeSettingsOf<typeof firstRowNode>> = {
  enter: (visit) => enterPipeline(visit, true),
  answered({ settings, next }, answered) {
    const [row] = (answered as ScriptEffectAnswer).value as readonly unknown[]
    const { into, empty } = settings
    if (row !== undefined) return { type: 'leave', next, outcome: 'done', value: row, into, branch: 'row' }
    return { type: 'leave', next: empty ?? next, outcome: 'done', value: null, into, branch: 'empty' }
  },
}
