import { readPointerValue } from '../../../components/form/pointers.ts'
import type { WorkflowFormNode } from './graph.ts'
import { WORKFLOW_NODE_KINDS } from './kinds.ts'

const MAX_SUMMARY_LENGTH = 48

/** Labels for values of the API. */
export interface NodeSummaryLabels {
  event(type: string): string
  period(value: number, unit: string): string
}

function summarizeValue(value: unknown, words: NodeSummaryLabels): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if ('value' in value && 'unit' in value) return words.period(Number(value.value), String(value.unit))
  if ('value' in value) return String(value.value)
  return 'type' in value ? words.event(String(value.type)) : ''
}

const SUMMARY_TYPES = ['text', 'expression', 'condition', 'period', 'event', 'choice']
/** One of several says what the node is about, whatever it is. */
const VARIANT_SUMMARY_TYPES = [...SUMMARY_TYPES, 'number']

/** One line of what is set, for the node as it is drawn. */
export function summarizeNodeSettings(step: WorkflowFormNode, words: NodeSummaryLabels): string {
  const { settings = [], own = [] } = WORKFLOW_NODE_KINDS[step.type] ?? {}
  const summarySettings = settings.flatMap((setting) =>
    setting.as === 'oneOf'
      ? setting.options.flatMap(({ settings }) => settings.filter(({ as }) => VARIANT_SUMMARY_TYPES.includes(as)))
      : [setting].filter(({ as }) => SUMMARY_TYPES.includes(as)),
  )
  const values = summarySettings
    .filter(({ at }) => !at.startsWith('/failure'))
    .map(({ at }) => readPointerValue(step.settings, at))
  const ownValues = own.slice(0, 1).map(({ at }) => readPointerValue(step, at))
  const summaryValues = [...ownValues, ...values].filter(
    (value) => value !== undefined && value !== null && value !== '',
  )
  return summaryValues
    .slice(0, 2)
    .map((value) => summarizeValue(value, words))
    .filter(Boolean)
    .join(' · ')
    .slice(0, MAX_SUMMARY_LENGTH)
}
