import { api, data, versioned } from '../../../api/client.ts'
import type { Answer, Body } from '../../../api/shapes.ts'
import type { Kind } from '../../../components/form/use-resource.ts'
import { pathOf } from '../../../paths.ts'
import { withoutSecrets } from '../kept-scripting.ts'

export type Webtask = Answer<'/scripting/webtasks/{id}', 'get'>
type Written = NonNullable<Body<'/scripting/webtasks', 'post'>>

/** What the service sets is not sent. */
const bodyOf = ({ name, description, scripting, settings, value }: Webtask): Written =>
  ({ name, description: description || null, scripting, settings, value }) as Written

const kept = (webtask: Webtask): Webtask => ({ ...webtask, scripting: withoutSecrets(webtask.scripting) })

const FIRST_SCRIPT = `export default async function (input) {
  return { hello: input.data.name ?? 'world' }
}
`

export const webtaskKind: Kind<Webtask> = {
  ...{ name: 'webtask', list: 'webtasks', home: '/webtasks', pathOf: pathOf.webtask, kept },
  idOf: ({ id }) => String(id),
  blank: {
    ...{ id: 0, name: '', description: null, creationDate: '', updateDate: '', value: FIRST_SCRIPT },
    scripting: { version: '7.0.0', environment: {}, imports: null, initializers: null, filters: null },
    settings: {
      ...{ cpuMs: 1000, wallMs: 10_000, logs: true },
      public: { enabled: false, methods: ['POST'], redirects: [] },
    },
  },
  read: (id, init) => versioned(api.GET('/scripting/webtasks/{id}', { params: { path: { id } }, ...init })),
  create: (webtask) => versioned(api.POST('/scripting/webtasks', { body: bodyOf(webtask) })),
  replace: (id, webtask, headers) =>
    versioned(api.PUT('/scripting/webtasks/{id}', { params: { path: { id } }, headers, body: bodyOf(webtask) })),
  remove: (id) => data(api.DELETE('/scripting/webtasks/{id}', { params: { path: { id } } })),
}

export const hasSecrets = ({ scripting }: Webtask): boolean =>
  Object.keys(scripting.environment.secrets ?? {}).length > 0

/** Makes a copy with a name of its own. Its secrets are not in it: they can be written, and never read. */
export async function copyOf(webtask: Webtask): Promise<Webtask> {
  const { environment } = webtask.scripting
  const { secrets: _, ...open } = environment
  const taken = new Set((await data(api.GET('/scripting/webtasks', {}))).map(({ name }) => name))
  const numbers = Array.from({ length: taken.size + 1 }, (_unused, place) => `${webtask.name} (${place + 2})`)
  const name = numbers.find((one) => !taken.has(one)) ?? webtask.name
  const copy = { ...webtask, name, scripting: { ...webtask.scripting, environment: open } }
  return (await webtaskKind.create(copy as Webtask)).data
}
