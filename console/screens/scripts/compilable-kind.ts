import { apiClient, readAnswer, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'
import type { ResourceDefinition } from '../../components/form/use-resource.ts'
import { objectPaths } from '../../paths.ts'
import { omitScriptSecrets } from './kept-scripting.ts'

type Shown = ApiAnswer<'/scripting/compilables/{id}', 'get'>
type Written = NonNullable<ApiRequestBody<'/scripting/compilables', 'post'>>

export type PipelineStepForm = Readonly<Record<string, unknown>> & { type: string }

export interface CompilableFormParameter {
  name: string | null
  type: string | null
  required: boolean
  default?: unknown
  description?: string | null
}

interface Common {
  parameters: readonly CompilableFormParameter[]
  [member: string]: unknown
}

export interface CompilablePipeline extends Common {
  type: 'pipeline'
  source: PipelineStepForm
  cursors: readonly PipelineStepForm[]
}

export interface CompilableTemplate extends Common {
  type: 'template'
  value: string
  output?: 'text' | 'html' | 'json'
}

export interface CompilableScript extends Common {
  type: 'script'
  value: string
}

export interface CompilableForm extends Omit<Shown, 'value'> {
  value: CompilablePipeline | CompilableTemplate | CompilableScript
}

/** What each kind begins with. */
export const blankCompilableValues: { readonly [K in CompilableForm['value']['type']]: CompilableForm['value'] } = {
  pipeline: {
    type: 'pipeline',
    source: { type: 'targets' },
    cursors: [{ type: 'limit', count: 10 }],
    parameters: [],
  },
  template: { type: 'template', value: 'Hello {{ arguments.name }}', output: 'text', parameters: [] },
  script: {
    type: 'script',
    value: 'export default function (input) {\n  return input.arguments\n}\n',
    scripting: { version: '7.0.0', environment: {}, imports: null, initializers: null, filters: null },
    parameters: [],
  },
}

const bodyOf = ({ name, description, value, preview }: CompilableForm): Written =>
  ({ name, description: description || null, value, preview }) as unknown as Written

/** The interface's types know the kinds only by name. */
const stored = (call: Promise<{ data: unknown; etag: string | null }>) =>
  call as Promise<{ data: CompilableForm; etag: string | null }>

/** Without the secrets of a script. */
function kept(compilable: CompilableForm): CompilableForm {
  const { value } = compilable
  const { scripting } = value as { scripting?: Parameters<typeof omitScriptSecrets>[0] }
  return scripting ? { ...compilable, value: { ...value, scripting: omitScriptSecrets(scripting) } } : compilable
}

export const compilableResource: ResourceDefinition<CompilableForm> = {
  ...{ name: 'compilable', list: 'compilables', home: '/compilables', pathOf: objectPaths.compilable, kept },
  idOf: ({ id }) => id,
  blank: {
    ...{ id: '', name: '', description: null, state: 'draft', value: blankCompilableValues.pipeline },
    ...{ stamp: { creation: '', modification: '' }, preview: { arguments: {}, limit: 10 } },
  },
  read: (id, init) =>
    stored(readVersionedAnswer(apiClient.GET('/scripting/compilables/{id}', { params: { path: { id } }, ...init }))),
  create: (one) => stored(readVersionedAnswer(apiClient.POST('/scripting/compilables', { body: bodyOf(one) }))),
  replace: (id, one, headers) =>
    stored(
      readVersionedAnswer(
        apiClient.PUT('/scripting/compilables/{id}', { params: { path: { id } }, headers, body: bodyOf(one) }),
      ),
    ),
  remove: (id) => readAnswer(apiClient.DELETE('/scripting/compilables/{id}', { params: { path: { id } } })),
}
