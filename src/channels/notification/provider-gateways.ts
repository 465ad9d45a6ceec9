import type { Db } from '../../database/connect.ts'
import type { ProviderType } from '../../features/applications/application-schemas.ts'
import { type FoundProvider, findProvider } from '../../features/applications/provider-lookup.ts'
import { openSecrets } from '../../features/applications/provider-secrets.ts'
import { waitingFor } from '../../features/subscriptions/push-rests.ts'
import type { Gateway } from '../../gateways/gateway.ts'
import type { GatewayContext } from '../../gateways/open.ts'
import type { AccountId } from '../../lib/account.ts'
import { readServiceAccount } from '../../lib/credentials/service-account.ts'
import type { MasterKeys } from '../../lib/seal.ts'
import { gatewayKinds } from './gateway-kinds.ts'

/** A provider as a gateway of its kind is set up. */
interface ReadProvider {
  settings: object
  secrets: object
}

type Readers = {
  [Type in ProviderType]: (
    settings: FoundProvider<Type>['settings'],
    secrets: NonNullable<ReturnType<typeof openSecrets<Type>>>,
  ) => ReadProvider
}

const readers: Readers = {
  firebase({ sender, baseUrl, tokenUrl }, secrets) {
    // The project of the key goes before: what else `sender` says is passed over then.
    const project = readServiceAccount(secrets.key).projectId === undefined ? sender : null
    return { settings: { project, baseUrl, tokenUrl }, secrets }
  },
  apns: ({ certificate, bundle, environment, baseUrl }, { value, password }) => ({
    settings: { certificate, bundle, environment, baseUrl },
    secrets: { value, ...(password !== undefined && { password }) },
  }),
  http: ({ url }, { secret }) => ({ settings: { url }, secrets: { secret } }),
  webpush: ({ publicKey, subject, baseUrl }, { privateKey }) => ({
    settings: { publicKey, subject, baseUrl },
    secrets: { privateKey },
  }),
}

/** What of a provider its gateway depends on: it is opened anew when any of it changes. */
export interface ProviderGateway extends ReadProvider {
  name: string
  channel: 'notification'
  open?(context: GatewayContext): Promise<Gateway>
}

/**
 * The provider of a type that an application has, its secrets opened, as the settings of a gateway; undefined without a
 * provider, or without its secret.
 */
export async function findProviderGateway(
  { db, masterKeys }: { db: Db; masterKeys: MasterKeys },
  type: ProviderType,
  { account, application }: { account: AccountId; application: string },
): Promise<ProviderGateway | undefined> {
  const provider = await findProvider(db, { account, id: application }, type)
  if (!provider?.secret) return undefined
  let secrets: unknown
  try {
    secrets = openSecrets(masterKeys, { application, type }, provider)
  } catch (error) {
    // Without the master key it is a gateway that cannot be opened, like one with wrong settings.
    return { name: type, channel: 'notification', settings: {}, secrets: {}, open: () => Promise.reject(error) }
  }
  // Each type has its own reader: the table above says so, the compiler cannot see it from here.
  const read = readers[type] as (settings: unknown, secrets: unknown) => ReadProvider
  const named = { name: type, channel: 'notification' as const, ...read(provider.settings, secrets) }
  if (!provider.restedAt) return named
  const resting = { name: type, kind: gatewayKinds[type], destination: waitingFor({ application, provider: type }) }
  return {
    ...named,
    // So that the gateway is opened anew when the rest begins and ends.
    settings: { ...named.settings, restedAt: provider.restedAt },
    async open({ clock }) {
      const { openRestingGateway } = await import('./resting-gateway.ts')
      return openRestingGateway(resting, clock)
    },
  }
}
