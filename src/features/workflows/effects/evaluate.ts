import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import type { ScriptExpressionValue } from '../engine/ready-definition.ts'
import type { EffectHandlers } from '../run-stepper/effect-handlers.ts'

const describeScriptError = (reason: unknown): ScriptExpressionValue => {
  const { type, isTransient } = reason instanceof ScriptFailure ? reason : { type: 'expression', isTransient: false }
  const message = reason instanceof Error ? reason.message : String(reason)
  return { error: { type, message: message.slice(0, 1000), isTransient } }
}

/** Evaluates what needs the sandbox; an expression that fails does so where its value is asked for. */
export const evaluateRunScripts: EffectHandlers['evaluate'] = (requests) =>
  Promise.all(
    requests.map(async ({ draft, asked: { expressions, scope } }) => {
      const settledResults = await Promise.allSettled(
        expressions.map((scriptExpression) => draft.definition.run(scriptExpression, scope)),
      )
      return new Map(
        expressions.map(
          (scriptExpression: DefinitionExpression, index): [DefinitionExpression, ScriptExpressionValue] => {
            const result = settledResults[index]!
            return [
              scriptExpression,
              result.status === 'fulfilled' ? { value: result.value } : describeScriptError(result.reason),
            ]
          },
        ),
      )
    }),
  )
