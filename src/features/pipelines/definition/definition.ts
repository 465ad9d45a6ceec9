import { defaultedMember, objectShape, requiredMember, variantsShape } from '../../../scripting/schemas/objects.ts'
import type { DefinitionVisitor, ShapeValue } from '../../../scripting/schemas/shape.ts'
import { enumShape, moduleSourceShape, textShape } from '../../../scripting/schemas/values.ts'
import { listCapabilities, type ScriptingObject } from '../../../scripting/scripting-object.ts'
import { cursorListShape } from './cursors.ts'
import { parameterListShape } from './parameters.ts'
import { pipelineSourceShape } from './sources.ts'

const MAX_TEMPLATE_LENGTH = 256 * 1024

const own = { parameters: defaultedMember(parameterListShape, []) }

export const pipelineShape = objectShape({
  source: requiredMember(pipelineSourceShape),
  cursors: defaultedMember(cursorListShape, []),
  ...own,
})
const template = objectShape({
  value: requiredMember(textShape({ most: MAX_TEMPLATE_LENGTH })),
  output: defaultedMember(enumShape('text', 'html', 'json'), 'text'),
  ...own,
})
/** Its `scripting` is read beside it, as it keeps secrets. */
const script = objectShape({ value: requiredMember(moduleSourceShape), ...own })

export const compilableValueShape = variantsShape({ pipeline: pipelineShape, template, script })

export type PipelineDefinition = { type: 'pipeline' } & ShapeValue<typeof pipelineShape>
export type TemplateDefinition = { type: 'template' } & ShapeValue<typeof template>
export type ScriptDefinition = { type: 'script'; scripting: ScriptingObject } & ShapeValue<typeof script>

/** What a compilable does. */
export type CompilableValue = PipelineDefinition | TemplateDefinition | ScriptDefinition

/** What the script of a compilable may do; of anything else nothing. */
export const listValueCapabilities = (value: CompilableValue): readonly string[] =>
  value.type === 'script' ? listCapabilities(value.scripting) : []

/** Arguments of a preview, and how many rows it shows. */
export interface PreviewOptions {
  arguments: Record<string, unknown>
  limit: number
}

/** Tells of all that is in a value. */
export function visitCompilableValue(value: CompilableValue, path: string, visitor: DefinitionVisitor): void {
  compilableValueShape.visit?.(value as never, path, visitor)
}
