import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'
import type { StoredDocument } from '../../components/form/use-form.ts'
import type { ResourceDefinition } from '../../components/form/use-resource.ts'
import { objectPaths } from '../../paths.ts'

type ProfileAnswer = ApiAnswer<'getRcsProfile'>
type GoogleProvider = Extract<ProfileAnswer['provider'], { type: 'google-rbm' }>

/** Secrets are written, and read as null. */
export interface RcsProfileForm extends Omit<ProfileAnswer, 'provider'> {
  provider: { type: 'capture' } | (Omit<GoogleProvider, 'credentials' | 'clientToken'> & GoogleSecrets)
}

interface GoogleSecrets {
  credentials: string | null
  clientToken: string | null
}

export const blankGoogleProvider: Exclude<RcsProfileForm['provider'], { type: 'capture' }> = {
  type: 'google-rbm',
  region: null,
  baseUrl: null,
  tokenUrl: null,
  credentials: null,
  fingerprint: null,
  clientToken: null,
  clientTokenSet: false,
}

/** Members covered by the defaults of the account are only sent if they are filled in. */
function buildBody({
  name,
  description,
  agent,
  active,
  country,
  speed,
  capability,
  fallback,
  provider,
}: RcsProfileForm) {
  return {
    name,
    description: description || null,
    agent,
    active,
    speed,
    capability,
    fallback,
    ...(country !== '' && { country }),
    provider: provider as NonNullable<ApiRequestBody<'createRcsProfile'>['provider']>,
  }
}

/** Without its secrets: drafts stay in the browser. */
const omitSecrets = (profile: RcsProfileForm): RcsProfileForm =>
  profile.provider.type === 'capture'
    ? profile
    : { ...profile, provider: { ...profile.provider, credentials: null, clientToken: null } }

/** The client leaves out what is always null: secrets, which are null until they are written. */
const asStoredProfile = (call: Promise<StoredDocument<unknown>>) => call as Promise<StoredDocument<RcsProfileForm>>

export const rcsProfileResource: ResourceDefinition<RcsProfileForm> = {
  name: 'rcsProfile',
  list: 'rcsProfiles',
  home: '/settings/rcs',
  pathOf: objectPaths.rcsProfile,
  kept: omitSecrets,
  idOf: ({ id }) => String(id),
  blank: {
    id: 0,
    name: '',
    description: null,
    agent: '',
    active: true,
    country: '',
    speed: 100,
    capability: { check: true, cacheHours: 24 },
    fallback: null,
    provider: blankGoogleProvider,
    webhook: null,
    stamp: { creation: '', modification: '' },
  },
  read: (id, init) => asStoredProfile(readVersionedAnswer(apiClient.getRcsProfile, { path: { id }, ...init })),
  create: (profile) => asStoredProfile(readVersionedAnswer(apiClient.createRcsProfile, { body: buildBody(profile) })),
  replace: (id, profile, headers) =>
    asStoredProfile(
      readVersionedAnswer(apiClient.updateRcsProfile, { path: { id }, headers, body: buildBody(profile) }),
    ),
  remove: (id) => apiClient.deleteRcsProfile({ path: { id } }),
}
