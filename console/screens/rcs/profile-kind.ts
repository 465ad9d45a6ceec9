import { api, data, versioned } from '../../api/client.ts'
import type { Answer, Body } from '../../api/shapes.ts'
import type { Stored } from '../../components/form/use-form.ts'
import type { Kind } from '../../components/form/use-resource.ts'
import { pathOf } from '../../paths.ts'

type Shown = Answer<'/channel/rcs/profiles/{id}', 'get'>
type Google = Extract<Shown['provider'], { type: 'google-rbm' }>

/** Secrets are written, and read as null. */
export interface Profile extends Omit<Shown, 'provider'> {
  provider: { type: 'capture' } | (Omit<Google, 'credentials' | 'clientToken'> & Secrets)
}

interface Secrets {
  credentials: string | null
  clientToken: string | null
}

export const google: Exclude<Profile['provider'], { type: 'capture' }> = {
  ...{ type: 'google-rbm', region: null, baseUrl: null, tokenUrl: null, credentials: null, fingerprint: null },
  ...{ clientToken: null, clientTokenSet: false },
}

/** What the account's defaults decide is not sent, unless it is filled in. */
function bodyOf({ name, description, agent, active, country, speed, capability, fallback, provider }: Profile) {
  return {
    ...{ name, description: description || null, agent, active, speed, capability, fallback },
    ...(country !== '' && { country }),
    provider: provider as NonNullable<Body<'/channel/rcs/profiles', 'post'>['provider']>,
  }
}

/** Without its secrets: drafts stay in the browser. */
const kept = (profile: Profile): Profile =>
  profile.provider.type === 'capture'
    ? profile
    : { ...profile, provider: { ...profile.provider, credentials: null, clientToken: null } }

/** The client leaves out what is always null: secrets, which are null until they are written. */
const stored = (call: Promise<Stored<unknown>>) => call as Promise<Stored<Profile>>

export const profileKind: Kind<Profile> = {
  ...{ name: 'rcsProfile', list: 'rcsProfiles', home: '/settings/rcs', pathOf: pathOf.rcsProfile, kept },
  idOf: ({ id }) => String(id),
  blank: {
    ...{ id: 0, name: '', description: null, agent: '', active: true, country: '', speed: 100 },
    ...{ capability: { check: true, cacheHours: 24 }, fallback: null, provider: google, webhook: null },
    stamp: { creation: '', modification: '' },
  },
  read: (id, init) => stored(versioned(api.GET('/channel/rcs/profiles/{id}', { params: { path: { id } }, ...init }))),
  create: (profile) => stored(versioned(api.POST('/channel/rcs/profiles', { body: bodyOf(profile) }))),
  replace: (id, profile, headers) =>
    stored(
      versioned(api.PUT('/channel/rcs/profiles/{id}', { params: { path: { id } }, headers, body: bodyOf(profile) })),
    ),
  remove: (id) => data(api.DELETE('/channel/rcs/profiles/{id}', { params: { path: { id } } })),
}
