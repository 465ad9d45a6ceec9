import type { Db } from '../../database/connection/connect.ts'
import type { ProviderType } from '../../features/applications/application-schemas.ts'
import { type FoundProvider, findProvider } from '../../features/applications/provider-lookup.ts'
import { openSecrets } from '../../features/applications/provider-secrets.ts'
import { beginRefusal, endRefusal, type RefusedProvider } from '../../features/subscriptions/providers/push-refusals.ts'
import { waitingFor } from '../../features/subscriptions/providers/push-rests.ts'
import type { Gateway } from '../../gateways/gateway.ts'
import type { GatewayContext } from '../../gateways/open.ts'
import type { SharedRests } from '../../gateways/requests/rests.ts'
import type { AccountId } from '../../lib/account.ts'
import { readServiceAccount } from '../../lib/crypto/credentials/service-account.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import type { Clock } from '../../lib/time/clock.ts'
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
  /** How it stands with the others that send through it. */
  standing?: { restedAt?: Date; rests?: number; until?: Date; isResting: boolean }
  open?(context: GatewayContext): Promise<Gateway>
}

/** How a provider stands of which its gateway is opened with more than its settings; undefined: it works. */
function standingOf({ restedAt, refusedRests, refusedUntil }: FoundProvider, now: number): ProviderGateway['standing'] {
  if (restedAt) return { restedAt, isResting: true }
  if (!refusedRests || !refusedUntil) return undefined
  return { rests: refusedRests, until: refusedUntil, isResting: refusedUntil.getTime() > now }
}

/**
 * The provider of a type that an application has, its secrets opened, as the settings of a gateway; undefined without a
 * provider, or without its secret.
 */
export async function findProviderGateway(
  { db, masterKeys, clock }: { db: Db; masterKeys: MasterKeys; clock: Clock },
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
      return openGateway({ ...named, kind: gatewayKinds[type] }, { ...context, rests })
    },
  }
}

async function openResting(
  type: ProviderType,
  key: RefusedProvider,
  { until }: { until?: Date },
  { clock }: GatewayContext,
): Promise<Gateway> {
  const { openRestingGateway } = await import('./resting-gateway.ts')
  const resting = { name: type, kind: gatewayKinds[type], destination: waitingFor(key) }
  const why = until
    ? { reason: 'the provider rests: its credentials are refused', until: until.getTime() }
    : { reason: 'the provider rests: activate the application again' }
  return openRestingGateway({ ...resting, ...why }, clock)
}

/** The rests of a provider as all senders keep them. */
function sharedRests(db: Db, key: RefusedProvider, { clock, rests }: { clock: Clock; rests: number }): SharedRests {
  return {
    rests,
    begin: () => beginRefusal(db, key, new Date(clock.now())),
    end: () => endRefusal(db, key, new Date(clock.now())),
  }
}
