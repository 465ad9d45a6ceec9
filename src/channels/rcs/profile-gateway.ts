import type { Logger } from 'pino'
import type { Db } from '../../database/connection/connect.ts'
import type { StoredRcsProfile } from '../../features/rcs-profiles/profiles.ts'
import { unsealRcsProfileSecrets } from '../../features/rcs-profiles/provider.ts'
import type { MessageGateway } from '../../gateways/gateway.ts'
import type { GatewayContext } from '../../gateways/open.ts'
import type { OutgoingRcs, RcsGateway } from '../../gateways/rcs.ts'
import { openRcsProviderGateway, type RcsProfileValues } from '../../gateways/rcs-profile.ts'
import { createSharedSpeed } from '../../gateways/requests/shared-speed.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { conflictProblem } from '../../lib/errors/problem.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { wrapWithRcsChecks } from './checked-gateway.ts'

/** Delay before messages of an inactive profile are checked again. */
const INACTIVE_RETRY_MS = 15_000

/** Profile data that its gateway depends on. The gateway is reopened if any of it changes. */
export interface OpenedRcsProfile {
  /** Undefined: it has no credentials. */
  values: RcsProfileValues | undefined
  settings: object
  secrets: object
}

/** Reads a profile, its secrets opened. Throws an Error when its master key is not configured. */
export function readRcsProfile(masterKeys: MasterKeys, profile: StoredRcsProfile): OpenedRcsProfile {
  const { agent, speed, active, country, capability, provider, settings } = profile
  const { credentials } = unsealRcsProfileSecrets(masterKeys, profile)
  const senderValues = { agent, speed }
  const gatewaySettings = { ...senderValues, active, country, capability, provider, ...settings }
  if (provider === 'capture')
    return { values: { ...senderValues, provider: { type: provider } }, settings: gatewaySettings, secrets: {} }
  const values =
    credentials === null ? undefined : { ...senderValues, provider: { type: provider, ...settings, credentials } }
  return { values, settings: gatewaySettings, secrets: { credentials } }
}

/**
 * Opens the gateway of a profile without its checks; also used for look-ups and revocations. Throws a conflict Problem without
 * credentials.
 */
export function openRcsProfileGateway(
  { account, id, provider }: Pick<StoredRcsProfile, 'account' | 'id' | 'provider'>,
  values: RcsProfileValues | undefined,
  context: GatewayContext,
): RcsGateway {
  if (!values) throw conflictProblem('profile-without-credentials', 'The profile has no credentials.')
  const { reach = createOutboundPolicy([]) } = context
  const sharedSpeed = createSharedSpeed(context, `rcs profile ${account} ${id}`, values.speed)
  return openRcsProviderGateway(provider, values, { ...context, ...sharedSpeed, reach })
}

/** Takes nothing: what names it waits. */
function createInactiveGateway(name: string): MessageGateway<OutgoingRcs> {
  const stop = { why: 'down', detail: 'the RCS profile is not active', retryAfterMs: INACTIVE_RETRY_MS } as const
  return {
    name,
    kind: 'rcs-google',
    channel: 'rcs',
    isIdempotent: true,
    send: async () => ({ taken: 0, stop }),
    check: async () => ({ ok: false, detail: stop.detail }),
    close: async () => undefined,
  }
}

/** Opens the gateway that sends the messages of a profile. If the profile requires checks, it sends only to phones that can be reached. */
export function openCheckedRcsGateway(
  profile: StoredRcsProfile,
  values: RcsProfileValues | undefined,
  context: GatewayContext & { db: Db; clock: Clock; log: Logger },
): MessageGateway<OutgoingRcs> {
  if (!profile.active) return createInactiveGateway(profile.provider)
  const gateway = openRcsProfileGateway(profile, values, context)
  // RBM takes a message once, by its id; what was captured twice is two files.
  const isIdempotent = profile.provider !== 'capture'
  return Object.assign(wrapWithRcsChecks(gateway, profile, context), { isIdempotent })
}
