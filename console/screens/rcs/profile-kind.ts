import { apiClient, readAnswer, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'
import type { StoredDocument } from '../../components/form/use-form.ts'
import type { ResourceDefinition } from '../../components/form/use-resource.ts'
import { objectPaths } from '../../paths.ts'

type Shown = ApiAnswer<'/channel/rcs/profiles/{id}', 'get'>
type Google = Extract<Shown['provider'], { type: 'google-rbm' }>

/** Secrets are written, and read as null. */
export interface RcsProfileForm extends Omit<Shown, 'provider'> {
  provider: { type: 'capture' } | (Omit<Google, 'credentials' | 'clientToken'> & Secrets)
}

interface Secrets {
  credentials: string | null
  clientToken: string | null
}

export const blankGoogleProvider: Exclude<RcsProfileForm['provider'], { type: 'capture' }> = {
  ...{ type: 'google-rbm', region: null, baseUrl: null, tokenUrl: null, credentials: null, fingerprint: null },
  ...{ clientToken: null, clientTokenSet: false },
}

/** What the account's defaults decide is not sent, unless it is filled in. */
function bodyOf({ name, description, agent, active, country, speed, capability, fallback, provider }: RcsProfileForm) {
  return {
    ...{ name, description: description || null, agent, active, speed, capability, fallback },
    ...(country !== '' && { country }),
    provider: provider as NonNullable<ApiRequestBody<'/channel/rcs/profiles', 'post'>['provider']>,
  }
}

/** Without its secrets: drafts stay in the browser. */
const kept = (profile: RcsProfileForm): RcsProfileForm =>
  profile.provider.type === 'capture'
    ? profile
    : { ...profile, provider: { ...profile.provider, credentials: null, clientToken: null } }

/** The client leaves out what is always null: secrets, which are null until they are written. */
const stored = (call: Promise<StoredDocument<unknown>>) => call as Promise<StoredDocument<RcsProfileForm>>

export const rcsProfileResource: ResourceDefinition<RcsProfileForm> = {
  ...{ name: 'rcsProfile', list: 'rcsProfiles', home: '/settings/rcs', pathOf: objectPaths.rcsProfile, kept },
  idOf: ({ id }) => String(id),
  blank: {
    ...{ id: 0, name: '', description: null, agent: '', active: true, country: '', speed: 100 },
    ...{ capability: { check: true, cacheHours: 24 }, fallback: null, provider: blankGoogleProvider, webhook: null },
    stamp: { creation: '', modification: '' },
  },
  read: (id, init) =>
    stored(readVersionedAnswer(apiClient.GET('/channel/rcs/profiles/{id}', { params: { path: { id } }, ...init }))),
  create: (profile) => stored(readVersionedAnswer(apiClient.POST('/channel/rcs/profiles', { body: bodyOf(profile) }))),
  replace: (id, profile, headers) =>
    stored(
      readVersionedAnswer(
        apiClient.PUT('/channel/rcs/profiles/{id}', { params: { path: { id } }, headers, body: bodyOf(profile) }),
      ),
    ),
  remove: (id) => readAnswer(apiClient.DELETE('/channel/rcs/profiles/{id}', { params: { path: { id } } })),
}
