import { createTemplateEngine, renderScriptTemplate } from '../../../scripting/expressions/templates.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { TemplateDefinition } from '../definition/definition.ts'
import { toTemplateFailure } from '../memory/scope.ts'
import type { ArgumentValues } from './arguments.ts'
import { ExecutionFailure } from './failures.ts'

/** Input for rendering a template. */
export interface CompilableTemplateScope {
  arguments: ArgumentValues
  culture: string
  shape: Pick<ContactShape, 'settings'>
  /** Milliseconds. */
  now: number
}

function parseJsonOutput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ExecutionFailure({
      type: 'template',
      message: `The template does not return valid JSON: ${(error as Error).message}`,
    })
  }
}

/** The text of a template, or what its JSON stands for. Throws ExecutionFailure `template`. */
export function renderCompilableTemplate(
  { value, output }: TemplateDefinition,
  scope: CompilableTemplateScope,
): unknown {
  const { arguments: argumentValues, culture, shape, now } = scope
  const engine = createTemplateEngine(culture, [], output === 'html')
  const text = value ?? ''
  const values = { arguments: argumentValues, now: new Date(now).toISOString() }
  let renderedText: string
  try {
    renderedText = renderScriptTemplate(
      { engine, nodes: engine.parse(text), isFiltered: false },
      { values, zone: shape.settings.timeZone, now },
    )
  } catch (error) {
    throw toTemplateFailure(error, text)
  }
  return output === 'json' ? parseJsonOutput(renderedText) : renderedText
}
