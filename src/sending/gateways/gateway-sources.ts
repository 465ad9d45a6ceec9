import type { Logger } from 'pino'
import { pushGatewayKinds } from '../../channels/push/gateway-kinds.ts'
import { findPushProviderGateway } from '../../channels/push/provider-gateways.ts'
import { rcsChannelTraits } from '../../channels/rcs/facts.ts'
import { RCS_PROFILE_GATEWAY_KIND } from '../../channels/rcs/profile-gateways.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { PushProviderType } from '../../features/applications/application-schemas.ts'
import { findRcsProfiles } from '../../features/rcs-profiles/profiles.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { GatewaySource, GatewaySources } from './named-gateways.ts'

/** What the sources of gateways are read and opened with. */
export interface GatewaySourceContext {
  db: Db
  masterKeys: MasterKeys
  clock: Clock
  log: Logger
}

/** Opens the settings of one kind of named gateways. */
type OpenSource = (context: GatewaySourceContext) => GatewaySource

/** The gateways of RCS profiles, by their numbers. What opens them is loaded with the first. */
function rcsProfiles({ db, masterKeys, clock, log }: GatewaySourceContext): GatewaySource {
  return async (account, key) => {
    const [profile] = await findRcsProfiles(db, [{ account, id: Number(key) }])
    if (!profile) return undefined
    const { openCheckedRcsGateway, readRcsProfile } = await import('../../channels/rcs/profile-gateway.ts')
    const { values, settings, secrets } = readRcsProfile(masterKeys, profile)
    return {
      name: profile.provider,
      channel: rcsChannelTraits.name,
      settings,
      secrets,
      open: async (context) => openCheckedRcsGateway(profile, values, { ...context, db, clock, log }),
    }
  }
}

/** The gateways of one type of providers, by the ids of their applications. */
function providersOf(type: PushProviderType): OpenSource {
  return (context) => (account, application) => findPushProviderGateway(context, type, { account, application })
}

/** Where the settings of gateways are that messages name, by kind of gateway. */
const sources: Readonly<Record<string, OpenSource>> = {
  [RCS_PROFILE_GATEWAY_KIND]: rcsProfiles,
  [pushGatewayKinds.firebase]: providersOf('firebase'),
  [pushGatewayKinds.apns]: providersOf('apns'),
  [pushGatewayKinds.webpush]: providersOf('webpush'),
  [pushGatewayKinds.http]: providersOf('http'),
}

/** The same, bound to what they need. */
export function createGatewaySources(context: GatewaySourceContext): GatewaySources {
  return Object.fromEntries(Object.entries(sources).map(([kind, open]) => [kind, open(context)]))
}
