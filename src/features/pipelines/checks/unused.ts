import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import { createFlaw, type DefinitionFlaw } from '../../../scripting/flaws.ts'
import type { ExecutionParameter } from '../definition/parameters.ts'

const WORD_PATTERN = /[A-Za-z_]\w*/g

/** Texts that may use the names of parameters. */
interface NamingTexts {
  expressions: readonly { expression: DefinitionExpression }[]
  modules: readonly { source: string }[]
}

/** Parameters that nothing names. */
export function findUnusedParameters(
  parameters: readonly ExecutionParameter[],
  { expressions, modules }: NamingTexts,
): DefinitionFlaw[] {
  const texts = [
    ...expressions.flatMap(({ expression: { type, value } }) => (type === 'literal' ? [] : [value])),
    ...modules.map(({ source }) => source),
  ]
  const words = new Set(texts.flatMap((text) => text.match(WORD_PATTERN) ?? []))
  // All of them together, whatever they are called.
  if (texts.some((text) => /\barguments\b(?!\s*[.[])/.test(text))) return []
  return parameters.flatMap(({ name }, index) =>
    name === null || words.has(name)
      ? []
      : [createFlaw('unused-parameter', `/value/parameters/${index}`, `Nothing uses the parameter "${name}".`)],
  )
}
