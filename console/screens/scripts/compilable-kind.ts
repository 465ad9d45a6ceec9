import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'
import type { ResourceDefinition } from '../../components/form/use-resource.ts'
import { objectPaths } from '../../paths.ts'
import { omitScriptSecrets } from './kept-scripting.ts'

type CompilableAnswer = ApiAnswer<'getCompilable'>
type CompilableBody = NonNullable<ApiRequestBody<'createCompilable'>>

export type PipelineStepForm = Readonly<Record<string, unknown>> & { type: string }

export interface CompilableFormParameter {
  name: string | null
  type: string | null
  required: boolean
  default?: unknown
  description?: string | null
}

interface CommonMembers {
  parameters: readonly CompilableFormParameter[]
  [member: string]: unknown
}

export interface CompilablePipeline extends CommonMembers {
  type: 'pipeline'
  source: PipelineStepForm
  cursors: readonly PipelineStepForm[]
}

export interface CompilableTemplate extends CommonMembers {
  type: 'template'
  value: string
  output?: 'text' | 'html' | 'json'
}

export interface CompilableScript extends CommonMembers {
  type: 'script'
  value: string
}

export interface CompilableForm extends Omit<CompilableAnswer, 'value'> {
  value: CompilablePipeline | CompilableTemplate | CompilableScript
}

/** Initial value of each kind. */
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

const buildBody = ({ name, description, value, preview }: CompilableForm): CompilableBody =>
  ({ name, description: description || null, value, preview }) as unknown as CompilableBody

/** The interface's types know the kinds only by name. */
const asStoredCompilable = (call: Promise<{ data: unknown; etag: string | null }>) =>
  call as Promise<{ data: CompilableForm; etag: string | null }>

/** Without the secrets of a script. */
function omitSecrets(compilable: CompilableForm): CompilableForm {
  const { value } = compilable
  const { scripting } = value as { scripting?: Parameters<typeof omitScriptSecrets>[0] }
  return scripting ? { ...compilable, value: { ...value, scripting: omitScriptSecrets(scripting) } } : compilable
}

export const compilableResource: ResourceDefinition<CompilableForm> = {
  name: 'compilable',
  list: 'compilables',
  home: '/compilables',
  pathOf: objectPaths.compilable,
  kept: omitSecrets,
  idOf: ({ id }) => id,
  blank: {
    id: '',
    name: '',
    description: null,
    state: 'draft',
    value: blankCompilableValues.pipeline,
    stamp: { creation: '', modification: '' },
    preview: { arguments: {}, limit: 10 },
  },
  read: (id, init) => asStoredCompilable(readVersionedAnswer(apiClient.getCompilable, { path: { id }, ...init })),
  create: (compilableForm) =>
    asStoredCompilable(readVersionedAnswer(apiClient.createCompilable, { body: buildBody(compilableForm) })),
  replace: (id, compilableForm, headers) =>
    asStoredCompilable(
      readVersionedAnswer(apiClient.updateCompilable, { path: { id }, headers, body: buildBody(compilableForm) }),
    ),
  remove: (id) => apiClient.deleteCompilable({ path: { id } }),
}
