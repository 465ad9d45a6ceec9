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
interface ReadProvider {
  settings: object
  secrets: object
}

type Readers = {
  [Type in PushProviderType]: (
    settings: FoundPushProvider<Type>['settings'],
    secrets: NonNullable<ReturnType<typeof unsealProviderSecrets<Type>>>,
  ) => ReadProvider
}

const readers: Readers = {
  firebase({ sender, baseUrl, tokenUrl }, secrets) {
    // The project of the key goes before: what else `sender` says is passed over then.
    const project = parseServiceAccountKey(secrets.key).projectId === undefined ? sender : null
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
export interface PushProviderGateway extends ReadProvider {
  name: string
  channel: 'notification'
  /** How it stands with the others that send through it. */
  standing?: { restedAt?: Date; rests?: number; until?: Date; isResting: boolean }
  open?(context: GatewayContext): Promise<MessageGateway>
}

/** How a provider stands of which its gateway is opened with more than its settings; undefined: it works. */
function standingOf(
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
  const read = readers[type] as (settings: unknown, secrets: unknown) => ReadProvider
  const named = { name: type, channel: 'notification' as const, ...read(provider.settings, secrets) }
  const standing = standingOf(provider, clock.now())
  const key = { account, application, provider: type }
  return {
    ...named,
    // So that the gateway is opened anew when a rest begins and ends.
    ...(standing && { standing }),
    async open(context) {
      if (standing?.isResting) return openResting(type, key, standing, context)
      const { openGateway } = await import('../../gateways/gateways.ts')
      const rests = sharedRests(db, key, { clock, rests: standing?.rests ?? 0 })
      return openGateway({ ...named, kind: pushGatewayKinds[type] }, { ...context, rests })
    },
  }
}

async function openResting(
  type: PushProviderType,
  key: RefusedPushProvider,
  { until }: { until?: Date },
  { clock }: GatewayContext,
): Promise<MessageGateway> {
  const { openSuspendedPushGateway } = await import('./resting-gateway.ts')
  const resting = { name: type, kind: pushGatewayKinds[type], destination: providerSuspensionKey(key) }
  const why = until
    ? { reason: 'the provider rests: its credentials are refused', until: until.getTime() }
    : { reason: 'the provider rests: activate the application again' }
  return openSuspendedPushGateway({ ...resting, ...why }, clock)
}

/** The rests of a provider as all senders keep them. */
function sharedRests(
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
