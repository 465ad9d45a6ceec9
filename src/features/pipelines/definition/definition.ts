import { defaultedMember, objectShape, requiredMember, variantsShape } from '../../../scripting/schemas/objects.ts'
import type { DefinitionVisitor, ShapeValue } from '../../../scripting/schemas/shape.ts'
import { enumShape, moduleSourceShape, textShape } from '../../../scripting/schemas/values.ts'
import { listCapabilities, type ScriptingObject } from '../../../scripting/scripting-object.ts'
import { cursorListShape } from './cursors.ts'
import { parameterListShape } from './parameters.ts'
import { pipelineSourceShape } from './sources.ts'

const MAX_TEMPLATE_LENGTH = 256 * 1024

const parameterMembers = { parameters: defaultedMember(parameterListShape, []) }

export const pipelineShape = objectShape({
  source: requiredMember(pipelineSourceShape),
  cursors: defaultedMember(cursorListShape, []),
  ...parameterMembers,
})
const templateShape = objectShape({
  value: requiredMember(textShape({ most: MAX_TEMPLATE_LENGTH })),
  output: defaultedMember(enumShape('text', 'html', 'json'), 'text'),
  ...parameterMembers,
})
/** Its `scripting` is parsed separately, as it contains secrets. */
const scriptShape = objectShape({ value: requiredMember(moduleSourceShape), ...parameterMembers })

export const compilableValueShape = variantsShape({
  pipeline: pipelineShape,
  template: templateShape,
  script: scriptShape,
})

export type PipelineDefinition = { type: 'pipeline' } & ShapeValue<typeof pipelineShape>
export type TemplateDefinition = { type: 'template' } & ShapeValue<typeof templateShape>
export type ScriptDefinition = { type: 'script'; scripting: ScriptingObject } & ShapeValue<typeof scriptShape>

/** Definition of a compilable. */
export type CompilableValue = PipelineDefinition | TemplateDefinition | ScriptDefinition

/** Capabilities of the script of a compilable; empty for other types. */
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
