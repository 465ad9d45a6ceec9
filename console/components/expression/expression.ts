import type { CodeCompletions } from '../code/completions.ts'

/** Ways of computing a value. */
export const COMPUTED = ['path', 'template', 'script'] as const
export type Computed = (typeof COMPUTED)[number]

/** An expression as the service keeps it. */
export interface Expression {
  type: 'literal' | Computed
  value: unknown
}

export const isComputed = (way: string): way is Computed => COMPUTED.some((one) => one === way)

export const isExpression = (value: unknown): value is Expression =>
  value !== null &&
  typeof value === 'object' &&
  'value' in value &&
  'type' in value &&
  (value.type === 'literal' || isComputed(String(value.type)))

/** What is offered where an expression is written. */
export interface ExpressionWords {
  paths: readonly string[]
  template: CodeCompletions
  script: CodeCompletions
}
