import type { Db } from '../../database/connection/connect.ts'
import type { PushProviderType } from '../../features/applications/application-schemas.ts'
import { type FoundPushProvider, findPushProvider } from '../../features/applications/provider-lookup.ts'
import { unsealProviderSecrets } from '../../features/applications/provider-secrets.ts'
import {
  beginRefusalSuspension,
  endRefusalSuspension,
  type RefusedPushProvider,
} from '../../features/subscriptions/providers/push-refusals.ts'
import { providerSuspensionKey } from '../../features/subscriptions/providers/push-rests.ts'
import type { MessageGateway } from '../../gateways/gateway.ts'
import type { GatewayContext } from '../../gateways/open.ts'
import type { SharedSuspensions } from '../../gateways/requests/rests.ts'
import type { AccountId } from '../../lib/account.ts'
import { parseServiceAccountKey } from '../../lib/crypto/credentials/service-account.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { pushGatewayKinds } from './gateway-kinds.ts'

/** A provider as a gateway of its kind is set up. */
interface ProviderGatewayValues {
  settings: object
  secrets: object
}

type ProviderReaders = {
  [Type in PushProviderType]: (
    settings: FoundPushProvider<Type>['settings'],
    secrets: NonNullable<ReturnType<typeof unsealProviderSecrets<Type>>>,
  ) => ProviderGatewayValues
}

const providerReaders: ProviderReaders = {
  firebase({ sender, baseUrl, tokenUrl }, secrets) {
    // The project of the key goes before: what else `sender` says is passed over then.
    const configuredProject = parseServiceAccountKey(secrets.key).projectId === undefined ? sender : null
    return { settings: { project: configuredProject, baseUrl, tokenUrl }, secrets }
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

/** Provider data that its gateway depends on. The gateway is reopened if any of it changes. */
export interface PushProviderGateway extends ProviderGatewayValues {
  name: string
  channel: 'notification'
  /** Suspension state shared with the other senders that use it. */
  standing?: { restedAt?: Date; rests?: number; until?: Date; isResting: boolean }
  open?(context: GatewayContext): Promise<MessageGateway>
}

/** Builds the suspension state of a provider; `undefined` if it works normally. */
function buildProviderStatus(
  { restedAt, refusedRests, refusedUntil }: FoundPushProvider,
  now: number,
): PushProviderGateway['standing'] {
  if (restedAt) return { restedAt, isResting: true }
  if (!refusedRests || !refusedUntil) return undefined
  return { rests: refusedRests, until: refusedUntil, isResting: refusedUntil.getTime() > now }
}

/**
 * The provider of a type that an application has, its secrets opened, as the settings of a gateway; undefined without a
 * provider, or without its secret.
 */
export async function findPushProviderGateway(
  { db, masterKeys, clock }: { db: Db; masterKeys: MasterKeys; clock: Clock },
  type: PushProviderType,
  { account, application }: { account: AccountId; application: string },
): Promise<PushProviderGateway | undefined> {
  const provider = await findPushProvider(db, { account, id: application }, type)
  if (!provider?.secret) return undefined
  let secrets: unknown
  try {
    secrets = unsealProviderSecrets(masterKeys, { application, type }, provider)
  } catch (error) {
    // Without the master key it is a gateway that cannot be opened, like one with wrong settings.
    return { name: type, channel: 'notification', settings: {}, secrets: {}, open: () => Promise.reject(error) }
  }
  // Each type has its own reader: the table above says so, the compiler cannot see it from here.
  const readProvider = providerReaders[type] as (settings: unknown, secrets: unknown) => ProviderGatewayValues
  const gatewayDefinition = {
    name: type,
    channel: 'notification' as const,
    ...readProvider(provider.settings, secrets),
  }
  const providerStatus = buildProviderStatus(provider, clock.now())
  const key = { account, application, provider: type }
  return {
    ...gatewayDefinition,
    // The gateway is reopened when a suspension begins or ends.
    ...(providerStatus && { standing: providerStatus }),
    async open(context) {
      if (providerStatus?.isResting) return openSuspendedProvider(type, key, providerStatus, context)
      const { openGateway } = await import('../../gateways/gateway-definitions.ts')
      const sharedSuspensions = createSharedSuspensions(db, key, { clock, rests: providerStatus?.rests ?? 0 })
      return openGateway(
        { ...gatewayDefinition, kind: pushGatewayKinds[type] },
        { ...context, rests: sharedSuspensions },
      )
    },
  }
}

async function openSuspendedProvider(
  type: PushProviderType,
  key: RefusedPushProvider,
  { until }: { until?: Date },
  { clock }: GatewayContext,
): Promise<MessageGateway> {
  const { openSuspendedPushGateway } = await import('./resting-gateway.ts')
  const gatewayIdentity = { name: type, kind: pushGatewayKinds[type], destination: providerSuspensionKey(key) }
  const suspensionCause = until
    ? { reason: 'the provider is suspended: its credentials were refused', until: until.getTime() }
    : { reason: 'the provider is suspended: activate the application again' }
  return openSuspendedPushGateway({ ...gatewayIdentity, ...suspensionCause }, clock)
}

/** The rests of a provider as all senders keep them. */
function createSharedSuspensions(
  db: Db,
  key: RefusedPushProvider,
  { clock, rests }: { clock: Clock; rests: number },
): SharedSuspensions {
  return {
    rests,
    begin: () => beginRefusalSuspension(db, key, new Date(clock.now())),
    end: () => endRefusalSuspension(db, key, new Date(clock.now())),
  }
}
