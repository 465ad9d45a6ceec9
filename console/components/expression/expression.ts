import type { CodeCompletions } from '../code/completions.ts'

/** Ways of computing a value. */
export const EXPRESSION_KINDS = ['path', 'template', 'script'] as const
export type ExpressionKind = (typeof EXPRESSION_KINDS)[number]

/** An expression as the service keeps it. */
export interface ApiExpression {
  type: 'literal' | ExpressionKind
  value: unknown
}

export const isExpressionKind = (way: string): way is ExpressionKind =>
  EXPRESSION_KINDS.some((candidate) => candidate === way)

export const isApiExpression = (value: unknown): value is ApiExpression =>
  value !== null &&
  typeof value === 'object' &&
  'value' in value &&
  'type' in value &&
  (value.type === 'literal' || isExpressionKind(String(value.type)))

/** Completions offered for an expression. */
export interface ExpressionCompletions {
  paths: readonly string[]
  template: CodeCompletions
  script: CodeCompletions
}
