import type { Logger } from 'pino'
import { gatewayKinds } from '../../channels/push/gateway-kinds.ts'
import { findProviderGateway } from '../../channels/push/provider-gateways.ts'
import { rcs } from '../../channels/rcs/facts.ts'
import { PROFILE_GATEWAY } from '../../channels/rcs/profile-gateways.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { ProviderType } from '../../features/applications/application-schemas.ts'
import { findProfiles } from '../../features/rcs-profiles/profiles.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { GatewaySource, GatewaySources } from './named-gateways.ts'

/** What the sources of gateways are read and opened with. */
export interface SourceContext {
  db: Db
  masterKeys: MasterKeys
  clock: Clock
  log: Logger
}

/** Opens the settings of one kind of named gateways. */
type OpenSource = (context: SourceContext) => GatewaySource

/** The gateways of RCS profiles, by their numbers. What opens them is loaded with the first. */
function rcsProfiles({ db, masterKeys, clock, log }: SourceContext): GatewaySource {
  return async (account, key) => {
    const [profile] = await findProfiles(db, [{ account, id: Number(key) }])
    if (!profile) return undefined
    const { openCheckedProfile, readProfile } = await import('../../channels/rcs/profile-gateway.ts')
    const { values, settings, secrets } = readProfile(masterKeys, profile)
    return {
      name: profile.provider,
      channel: rcs.name,
      settings,
      secrets,
      open: async (context) => openCheckedProfile(profile, values, { ...context, db, clock, log }),
    }
  }
}

/** The gateways of one type of providers, by the ids of their applications. */
function providersOf(type: ProviderType): OpenSource {
  return (context) => (account, application) => findProviderGateway(context, type, { account, application })
}

/** Where the settings of gateways are that messages name, by kind of gateway. */
const sources: Readonly<Record<string, OpenSource>> = {
  [PROFILE_GATEWAY]: rcsProfiles,
  [gatewayKinds.firebase]: providersOf('firebase'),
  [gatewayKinds.apns]: providersOf('apns'),
  [gatewayKinds.webpush]: providersOf('webpush'),
  [gatewayKinds.http]: providersOf('http'),
}

/** The same, bound to what they need. */
export function gatewaySources(context: SourceContext): GatewaySources {
  return Object.fromEntries(Object.entries(sources).map(([kind, open]) => [kind, open(context)]))
}
