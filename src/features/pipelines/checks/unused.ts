import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import { createFlaw, type DefinitionFlaw } from '../../../scripting/flaws.ts'
import type { ExecutionParameter } from '../definition/parameters.ts'

const WORD = /[A-Za-z_]\w*/g

/** What may name parameters. */
interface Texts {
  expressions: readonly { expression: DefinitionExpression }[]
  modules: readonly { source: string }[]
}

/** Parameters that nothing names. */
export function findUnusedParameters(
  parameters: readonly ExecutionParameter[],
  { expressions, modules }: Texts,
): DefinitionFlaw[] {
  const texts = [
    ...expressions.flatMap(({ expression: { type, value } }) => (type === 'literal' ? [] : [value])),
    ...modules.map(({ source }) => source),
  ]
  const words = new Set(texts.flatMap((text) => text.match(WORD) ?? []))
  // All of them together, whatever they are called.
  if (texts.some((text) => /\barguments\b(?!\s*[.[])/.test(text))) return []
  return parameters.flatMap(({ name }, index) =>
    name === null || words.has(name)
      ? []
      : [createFlaw('unused-parameter', `/value/parameters/${index}`, `Nothing uses the parameter "${name}".`)],
  )
}
