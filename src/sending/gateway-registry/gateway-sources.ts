import type { Logger } from 'pino'
import { pushGatewayKinds } from '../../channels/push/gateway-kinds.ts'
import { findPushProviderGateway } from '../../channels/push/provider-gateways.ts'
import { RCS_PROFILE_GATEWAY_KIND } from '../../channels/rcs/profile-gateways.ts'
import { rcsChannelTraits } from '../../channels/rcs/traits.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { PushProviderType } from '../../features/applications/application-schemas.ts'
import { findRcsProfiles } from '../../features/rcs-profiles/profiles.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { GatewaySource, GatewaySources } from './named-gateways.ts'

/** Services that the sources of gateways are read and opened with. */
export interface GatewaySourceContext {
  db: Db
  masterKeys: MasterKeys
  clock: Clock
  log: Logger
}

/** Opens the settings of one kind of named gateways. */
type OpenSource = (context: GatewaySourceContext) => GatewaySource

/** The gateways of RCS profiles, by their numbers. What opens them is loaded with the first. */
function createRcsSource({ db, masterKeys, clock, log }: GatewaySourceContext): GatewaySource {
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
function createProviderSource(type: PushProviderType): OpenSource {
  return (context) => (account, application) => findPushProviderGateway(context, type, { account, application })
}

/** Sources of the settings of gateways that messages name, by kind of gateway. */
const sourceOpeners: Readonly<Record<string, OpenSource>> = {
  [RCS_PROFILE_GATEWAY_KIND]: createRcsSource,
  [pushGatewayKinds.firebase]: createProviderSource('firebase'),
  [pushGatewayKinds.apns]: createProviderSource('apns'),
  [pushGatewayKinds.webpush]: createProviderSource('webpush'),
  [pushGatewayKinds.http]: createProviderSource('http'),
}

/** The same, bound to what they need. */
export function createGatewaySources(context: GatewaySourceContext): GatewaySources {
  return Object.fromEntries(Object.entries(sourceOpeners).map(([kind, openSource]) => [kind, openSource(context)]))
}
