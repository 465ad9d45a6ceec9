export const expressionTypes = ['literal', 'path', 'template', 'script'] as const
export type ExpressionType = (typeof expressionTypes)[number]

/** A value that a definition gives, or says how to find. */
export type DefinitionExpression =
  | { type: 'literal'; value: unknown }
  | { type: 'path' | 'template' | 'script'; value: string }

/** What an expression must give. A condition holds for `true` and the text "true", and for nothing else. */
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

/** Where an expression stands: what it may be, must give, and can name. */
export interface ExpressionConstraints {
  result: ExpressionResultType
  roots: ReadonlySet<string>
  allowed: readonly ExpressionType[]
  /** Of a text: its characters at most, and its form. */
  most?: number
  pattern?: RegExp
  /** What else is known of paths here: why one leads nowhere. A name that only a value knows is undefined. */
  faultOf?: (names: readonly (string | undefined)[]) => PathFlaw | undefined
}

/** Why a path leads nowhere, whatever the values. */
export interface PathFlaw {
  type: 'unknown-variable' | 'unknown-field'
  message: string
}
