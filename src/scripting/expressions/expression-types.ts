export const expressionTypes = ['literal', 'path', 'template', 'script'] as const
export type ExpressionType = (typeof expressionTypes)[number]

/** A value that a definition gives, or says how to find. */
export type DefinitionExpression =
  | { type: 'literal'; value: unknown }
  | { type: 'path' | 'template' | 'script'; value: string }

/** Required result of an expression. A condition holds for `true` and the text "true", and for nothing else. */
export type ExpressionResultType =
  | 'any'
  | 'condition'
  | 'string'
  | 'number'
  | 'boolean'
  | 'date'
  | 'object'
  | 'list'
  | 'identification'

/** Constraints of an expression at its position: allowed types, required result, and available names. */
export interface ExpressionConstraints {
  result: ExpressionResultType
  roots: ReadonlySet<string>
  allowed: readonly ExpressionType[]
  /** Maximum length of a text in characters, and its pattern. */
  most?: number
  pattern?: RegExp
  /** Additional check of paths at this position: the reason why a path is invalid. A name that only a value determines is `undefined`. */
  faultOf?: (names: readonly (string | undefined)[]) => PathFlaw | undefined
}

/** Why a path leads nowhere, whatever the values. */
export interface PathFlaw {
  type: 'unknown-variable' | 'unknown-field'
  message: string
}
