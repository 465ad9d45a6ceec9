import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import type { ScriptExpressionValue } from '../engine/ready-definition.ts'
import type { EffectHandlers } from '../stepping/effect-handlers.ts'

const failed = (reason: unknown): ScriptExpressionValue => {
  const { type, isTransient } = reason instanceof ScriptFailure ? reason : { type: 'expression', isTransient: false }
  const message = reason instanceof Error ? reason.message : String(reason)
  return { error: { type, message: message.slice(0, 1000), isTransient } }
}

/** Evaluates what needs the sandbox; an expression that fails does so where its value is asked for. */
export const evaluateRunScripts: EffectHandlers['evaluate'] = (requests) =>
  Promise.all(
    requests.map(async ({ draft, asked: { expressions, scope } }) => {
      const settled = await Promise.allSettled(expressions.map((one) => draft.definition.run(one, scope)))
      return new Map(
        expressions.map((one: DefinitionExpression, index): [DefinitionExpression, ScriptExpressionValue] => {
          const result = settled[index]!
          return [one, result.status === 'fulfilled' ? { value: result.value } : failed(result.reason)]
        }),
      )
    }),
  )
