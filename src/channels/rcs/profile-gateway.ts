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

/** How long messages of a profile that is not active wait until it is looked at again. */
const INACTIVE_MS = 15_000

/** What of a profile its gateway depends on: it is opened anew when any of it changes. */
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
  const of = { agent, speed }
  const known = { ...of, active, country, capability, provider, ...settings }
  if (provider === 'capture') return { values: { ...of, provider: { type: provider } }, settings: known, secrets: {} }
  const values = credentials === null ? undefined : { ...of, provider: { type: provider, ...settings, credentials } }
  return { values, settings: known, secrets: { credentials } }
}

/** Opens the gateway of a profile as it is, without its checks: for look-ups and revocations, too. Throws conflict without credentials. */
export function openRcsProfileGateway(
  { account, id, provider }: Pick<StoredRcsProfile, 'account' | 'id' | 'provider'>,
  values: RcsProfileValues | undefined,
  context: GatewayContext,
): RcsGateway {
  if (!values) throw conflictProblem('profile-without-credentials', 'The profile has no credentials.')
  const { reach = createOutboundPolicy([]) } = context
  const shared = createSharedSpeed(context, `rcs profile ${account} ${id}`, values.speed)
  return openRcsProviderGateway(provider, values, { ...context, ...shared, reach })
}

/** Takes nothing: what names it waits. */
function inactive(name: string): MessageGateway<OutgoingRcs> {
  const stop = { why: 'down', detail: 'the RCS profile is not active', retryAfterMs: INACTIVE_MS } as const
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

/** What hands the messages of a profile over: to phones that can be reached alone, where the profile asks for that. */
export function openCheckedRcsGateway(
  profile: StoredRcsProfile,
  values: RcsProfileValues | undefined,
  context: GatewayContext & { db: Db; clock: Clock; log: Logger },
): MessageGateway<OutgoingRcs> {
  if (!profile.active) return inactive(profile.provider)
  const gateway = openRcsProfileGateway(profile, values, context)
  // RBM takes a message once, by its id; what was captured twice is two files.
  const isIdempotent = profile.provider !== 'capture'
  return Object.assign(wrapWithRcsChecks(gateway, profile, context), { isIdempotent })
}
