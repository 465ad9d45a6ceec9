import { apiClient, readVersionedAnswer } from '../../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../../api/shapes.ts'
import type { ResourceDefinition } from '../../../components/form/use-resource.ts'
import { objectPaths } from '../../../paths.ts'
import { omitScriptSecrets } from '../kept-scripting.ts'

export type ApiWebtask = ApiAnswer<'getWebtask'>
type WebtaskBody = NonNullable<ApiRequestBody<'createWebtask'>>

/** Members set by the service are not sent. */
const buildBody = ({ name, description, scripting, settings, value }: ApiWebtask): WebtaskBody =>
  ({ name, description: description || null, scripting, settings, value }) as WebtaskBody

const omitSecrets = (webtask: ApiWebtask): ApiWebtask => ({
  ...webtask,
  scripting: omitScriptSecrets(webtask.scripting),
})

const FIRST_SCRIPT = `export default async function (input) {
  return { hello: input.data.name ?? 'world' }
}
`

export const webtaskResource: ResourceDefinition<ApiWebtask> = {
  name: 'webtask',
  list: 'webtasks',
  home: '/webtasks',
  pathOf: objectPaths.webtask,
  kept: omitSecrets,
  idOf: ({ id }) => String(id),
  blank: {
    id: 0,
    name: '',
    description: null,
    creationDate: '',
    updateDate: '',
    value: FIRST_SCRIPT,
    scripting: { version: '7.0.0', environment: {}, imports: null, initializers: null, filters: null },
    settings: {
      cpuMs: 1000,
      wallMs: 10_000,
      logs: true,
      public: { enabled: false, methods: ['POST'], redirects: [] },
    },
  },
  read: (id, init) => readVersionedAnswer(apiClient.getWebtask, { path: { id }, ...init }),
  create: (webtask) => readVersionedAnswer(apiClient.createWebtask, { body: buildBody(webtask) }),
  replace: (id, webtask, headers) =>
    readVersionedAnswer(apiClient.updateWebtask, { path: { id }, headers, body: buildBody(webtask) }),
  remove: (id) => apiClient.deleteWebtask({ path: { id } }),
}

export const hasWebtaskSecrets = ({ scripting }: ApiWebtask): boolean =>
  Object.keys(scripting.environment.secrets ?? {}).length > 0

/** Makes a copy with a name of its own. Its secrets are not in it: they can be written, and never read. */
export async function duplicateWebtask(webtask: ApiWebtask): Promise<ApiWebtask> {
  const { environment } = webtask.scripting
  const { secrets: _, ...publicEnvironment } = environment
  const usedNames = new Set((await apiClient.listWebtasks({})).map(({ name }) => name))
  const numberedNames = Array.from({ length: usedNames.size + 1 }, (_unused, place) => `${webtask.name} (${place + 2})`)
  const name = numberedNames.find((candidateName) => !usedNames.has(candidateName)) ?? webtask.name
  const webtaskCopy = { ...webtask, name, scripting: { ...webtask.scripting, environment: publicEnvironment } }
  return (await webtaskResource.create(webtaskCopy as ApiWebtask)).data
}
