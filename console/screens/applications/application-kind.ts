import { useQuery } from '@tanstack/react-query'
import { api, data, versioned } from '../../api/client.ts'
import type { Answer, Body } from '../../api/shapes.ts'
import type { Stored } from '../../components/form/use-form.ts'
import type { Kind } from '../../components/form/use-resource.ts'
import { pathOf } from '../../paths.ts'

type Shown = Answer<'/parameters/applications/{id}', 'get'>
export type ProviderType = Shown['providers'][number]['type']

/** A provider as a form has it: its secrets are texts while they are written. */
export type Provider = { type: ProviderType; fingerprint: string | null } & Record<string, unknown>
export type Application = Omit<Shown, 'providers'> & { providers: Provider[] }

export const PROVIDERS: readonly ProviderType[] = ['firebase', 'apns', 'webpush', 'http']

/** What a new provider of a type begins with. */
export const newProvider: Readonly<Record<ProviderType, Provider>> = {
  firebase: { type: 'firebase', key: null, sender: null, fingerprint: null },
  apns: {
    ...{ type: 'apns', bundle: '', environment: 'production', fingerprint: null },
    certificate: { type: 'p8', value: null, keyId: '', teamId: '' },
  },
  webpush: { type: 'webpush', publicKey: null, privateKey: null, subject: 'mailto:', fingerprint: null },
  http: { type: 'http', url: 'https://', secret: null, fingerprint: null },
}

/** Secrets that are being written, taken off: drafts stay in the browser. */
function withoutSecrets({ ...provider }: Provider): Provider {
  for (const name of ['key', 'secret', 'privateKey']) if (name in provider) provider[name] = null
  const { certificate } = provider as { certificate?: object }
  if (certificate)
    provider['certificate'] = { ...certificate, value: null, ...('password' in certificate && { password: null }) }
  return provider
}

type Sent = Body<'/parameters/applications', 'post'>

function bodyOf({ name, description, icon, providers, routes, channels, registration }: Application): Sent {
  return {
    ...{ name, description: description || null, icon: icon || null, routes, channels, registration },
    providers: providers as unknown as NonNullable<Sent['providers']>,
  }
}

/** The client leaves out what is always null: secrets, which are null until they are written. */
const stored = (call: Promise<Stored<unknown>>) => call as Promise<Stored<Application>>

export const applicationKind: Kind<Application> = {
  ...{ name: 'application', list: 'applications', home: '/settings/applications', pathOf: pathOf.application },
  idOf: ({ id }) => id,
  kept: ({ providers, registration, ...application }) => ({
    ...application,
    ...{ providers: providers.map(withoutSecrets), registration: { ...registration, secret: null } },
  }),
  blank: {
    ...{ type: 'native', id: '', name: '', description: null, active: false, icon: null, providers: [] },
    ...{ routes: null, channels: null },
    registration: { open: true, identifiers: ['id', 'unicity', 'hash'], proof: 'required', secret: null },
    stamp: { creation: '', modification: '' },
  },
  read: (id, init) =>
    stored(versioned(api.GET('/parameters/applications/{id}', { params: { path: { id } }, ...init }))),
  create: (application) => stored(versioned(api.POST('/parameters/applications', { body: bodyOf(application) }))),
  replace: (id, application, headers) =>
    stored(
      versioned(
        api.PUT('/parameters/applications/{id}', { params: { path: { id } }, headers, body: bodyOf(application) }),
      ),
    ),
  remove: (id) => data(api.DELETE('/parameters/applications/{id}', { params: { path: { id } } })),
}

/** How many devices use each application. */
export function useDevices() {
  return useQuery({
    queryKey: ['applications', 'subscriptions'],
    queryFn: ({ signal }) => data(api.GET('/parameters/applications/subscriptions', { signal })),
  })
}
