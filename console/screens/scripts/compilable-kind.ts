import { api, data, versioned } from '../../api/client.ts'
import type { Answer, Body } from '../../api/shapes.ts'
import type { Kind } from '../../components/form/use-resource.ts'
import { pathOf } from '../../paths.ts'
import { withoutSecrets } from './kept-scripting.ts'

type Shown = Answer<'/scripting/compilables/{id}', 'get'>
type Written = NonNullable<Body<'/scripting/compilables', 'post'>>

export type Step = Readonly<Record<string, unknown>> & { type: string }

export interface Parameter {
  name: string | null
  type: string | null
  required: boolean
  default?: unknown
  description?: string | null
}

interface Common {
  parameters: readonly Parameter[]
  [member: string]: unknown
}

export interface Pipeline extends Common {
  type: 'pipeline'
  source: Step
  cursors: readonly Step[]
}

export interface Template extends Common {
  type: 'template'
  value: string
  output?: 'text' | 'html' | 'json'
}

export interface Script extends Common {
  type: 'script'
  value: string
}

export interface Compilable extends Omit<Shown, 'value'> {
  value: Pipeline | Template | Script
}

/** What each kind begins with. */
export const beginnings: { readonly [K in Compilable['value']['type']]: Compilable['value'] } = {
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

const bodyOf = ({ name, description, value, preview }: Compilable): Written =>
  ({ name, description: description || null, value, preview }) as unknown as Written

/** The interface's types know the kinds only by name. */
const stored = (call: Promise<{ data: unknown; etag: string | null }>) =>
  call as Promise<{ data: Compilable; etag: string | null }>

/** Without the secrets of a script. */
function kept(compilable: Compilable): Compilable {
  const { value } = compilable
  const { scripting } = value as { scripting?: Parameters<typeof withoutSecrets>[0] }
  return scripting ? { ...compilable, value: { ...value, scripting: withoutSecrets(scripting) } } : compilable
}

export const compilableKind: Kind<Compilable> = {
  ...{ name: 'compilable', list: 'compilables', home: '/compilables', pathOf: pathOf.compilable, kept },
  idOf: ({ id }) => id,
  blank: {
    ...{ id: '', name: '', description: null, state: 'draft', value: beginnings.pipeline },
    ...{ stamp: { creation: '', modification: '' }, preview: { arguments: {}, limit: 10 } },
  },
  read: (id, init) => stored(versioned(api.GET('/scripting/compilables/{id}', { params: { path: { id } }, ...init }))),
  create: (one) => stored(versioned(api.POST('/scripting/compilables', { body: bodyOf(one) }))),
  replace: (id, one, headers) =>
    stored(versioned(api.PUT('/scripting/compilables/{id}', { params: { path: { id } }, headers, body: bodyOf(one) }))),
  remove: (id) => data(api.DELETE('/scripting/compilables/{id}', { params: { path: { id } } })),
}
