import { useQuery } from '@tanstack/react-query'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer, ApiRequestBody } from '../../api/shapes.ts'
import type { StoredDocument } from '../../components/form/use-form.ts'
import type { ResourceDefinition } from '../../components/form/use-resource.ts'
import { objectPaths } from '../../paths.ts'

type ApplicationAnswer = ApiAnswer<'getApplication'>
export type ApiPushProviderType = ApplicationAnswer['providers'][number]['type']

/** A provider as a form has it: its secrets are texts while they are written. */
export type PushProviderForm = { type: ApiPushProviderType; fingerprint: string | null } & Record<string, unknown>
export type ApplicationForm = Omit<ApplicationAnswer, 'providers'> & { providers: PushProviderForm[] }

export const PUSH_PROVIDER_TYPES: readonly ApiPushProviderType[] = ['firebase', 'apns', 'webpush', 'http']

/** Initial provider of each type. */
export const newPushProviders: Readonly<Record<ApiPushProviderType, PushProviderForm>> = {
  firebase: { type: 'firebase', key: null, sender: null, fingerprint: null },
  apns: {
    type: 'apns',
    bundle: '',
    environment: 'production',
    fingerprint: null,
    certificate: { type: 'p8', value: null, keyId: '', teamId: '' },
  },
  webpush: { type: 'webpush', publicKey: null, privateKey: null, subject: 'mailto:', fingerprint: null },
  http: { type: 'http', url: 'https://', secret: null, fingerprint: null },
}

/** Secrets that are being written, taken off: drafts stay in the browser. */
function omitSecrets({ ...provider }: PushProviderForm): PushProviderForm {
  for (const name of ['key', 'secret', 'privateKey']) if (name in provider) provider[name] = null
  const { certificate } = provider as { certificate?: object }
  if (certificate)
    provider['certificate'] = { ...certificate, value: null, ...('password' in certificate && { password: null }) }
  return provider
}

type ApplicationBody = ApiRequestBody<'createApplication'>

function buildBody({
  name,
  description,
  icon,
  providers,
  routes,
  channels,
  registration,
}: ApplicationForm): ApplicationBody {
  return {
    name,
    description: description || null,
    icon: icon || null,
    routes,
    channels,
    registration,
    providers: providers as unknown as NonNullable<ApplicationBody['providers']>,
  }
}

/** The client leaves out what is always null: secrets, which are null until they are written. */
const asStoredApplication = (call: Promise<StoredDocument<unknown>>) => call as Promise<StoredDocument<ApplicationForm>>

export const applicationResource: ResourceDefinition<ApplicationForm> = {
  name: 'application',
  list: 'applications',
  home: '/settings/applications',
  pathOf: objectPaths.application,
  idOf: ({ id }) => id,
  kept: ({ providers, registration, ...application }) => ({
    ...application,
    providers: providers.map(omitSecrets),
    registration: { ...registration, secret: null },
  }),
  blank: {
    type: 'native',
    id: '',
    name: '',
    description: null,
    active: false,
    icon: null,
    providers: [],
    routes: null,
    channels: null,
    registration: { open: true, identifiers: ['id', 'unicity', 'hash'], proof: 'required', secret: null },
    stamp: { creation: '', modification: '' },
  },
  read: (id, init) => asStoredApplication(readVersionedAnswer(apiClient.getApplication, { path: { id }, ...init })),
  create: (application) =>
    asStoredApplication(readVersionedAnswer(apiClient.createApplication, { body: buildBody(application) })),
  replace: (id, application, headers) =>
    asStoredApplication(
      readVersionedAnswer(apiClient.updateApplication, { path: { id }, headers, body: buildBody(application) }),
    ),
  remove: (id) => apiClient.deleteApplication({ path: { id } }),
}

/** Number of devices of each application. */
export function useDeviceCounts() {
  return useQuery({
    queryKey: ['applications', 'subscriptions'],
    queryFn: ({ signal }) => apiClient.countApplicationSubscriptions({ signal }),
  })
}
