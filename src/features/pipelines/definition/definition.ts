import { defaulted, object, required, variants } from '../../../scripting/schemas/objects.ts'
import type { Read, Visitor } from '../../../scripting/schemas/shape.ts'
import { moduleSource, text, word } from '../../../scripting/schemas/values.ts'
import { capabilitiesOf, type Scripting } from '../../../scripting/scripting-object.ts'
import { cursors } from './cursors.ts'
import { parameters } from './parameters.ts'
import { sources } from './sources.ts'

const MAX_TEMPLATE_LENGTH = 256 * 1024

const own = { parameters: defaulted(parameters, []) }

export const pipeline = object({ source: required(sources), cursors: defaulted(cursors, []), ...own })
const template = object({
  value: required(text({ most: MAX_TEMPLATE_LENGTH })),
  output: defaulted(word('text', 'html', 'json'), 'text'),
  ...own,
})
/** Its `scripting` is read beside it, as it keeps secrets. */
const script = object({ value: required(moduleSource), ...own })

export const values = variants({ pipeline, template, script })

export type Pipeline = { type: 'pipeline' } & Read<typeof pipeline>
export type TemplateValue = { type: 'template' } & Read<typeof template>
export type ScriptValue = { type: 'script'; scripting: Scripting } & Read<typeof script>

/** What a compilable does. */
export type CompilableValue = Pipeline | TemplateValue | ScriptValue

/** What the script of a compilable may do; of anything else nothing. */
export const capabilitiesOfValue = (value: CompilableValue): readonly string[] =>
  value.type === 'script' ? capabilitiesOf(value.scripting) : []

/** Arguments of a preview, and how many rows it shows. */
export interface Preview {
  arguments: Record<string, unknown>
  limit: number
}

/** Tells of all that is in a value. */
export function visitValue(value: CompilableValue, path: string, visitor: Visitor): void {
  values.visit?.(value as never, path, visitor)
}
