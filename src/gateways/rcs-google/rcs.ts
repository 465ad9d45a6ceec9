import type { GatewayCheckResult, GatewayOutcome } from '../gateway.ts'
import type { OutgoingRcs, RcsGateway } from '../rcs.ts'
import { createRequestDispatcher, type OutgoingMessageFault } from '../requests/dispatcher.ts'
import type { RequestReserver } from '../requests/pace.ts'
import { callGoogleRcs, type GoogleRcsApi, type GoogleRcsApiContext, openGoogleRcsApi } from './api.ts'
import { classifyRcsReply, GOOGLE_RCS_MTA } from './judge.ts'
import { requestRcsCapabilities, requestReachablePhones, revokeRcsMessage } from './lookups.ts'
import { buildRcsMessageCall, findRcsMessageFault } from './message.ts'
import type { RcsGoogleSecrets, RcsGoogleSettings } from './settings.ts'

/** Optional services of a gateway, in addition to those that its API uses. */
export interface RcsGoogleContext extends GoogleRcsApiContext {
  /** Reserves messages of the speed of the agent, which all senders share. Absent: each gateway has the speed for itself. */
  take?: RequestReserver
  /** Halves that speed for a while. Absent: each gateway halves its own. */
  slow?: () => void
  /** A clock that runs evenly, in milliseconds. */
  ticks?: () => number
}

function findFault(message: OutgoingRcs): OutgoingMessageFault | undefined {
  const reply = findRcsMessageFault(message)
  return reply === undefined ? undefined : { enhanced: '5.6.0', reply }
}

/** The outcome of one that expired while it waited here: what was never tried is another case than what was. */
function buildExpiredOutcome(
  { id, expiresAt = Infinity, attempts = 0 }: OutgoingRcs,
  now: number,
): GatewayOutcome | undefined {
  if (expiresAt > now) return undefined
  const reply = 'the message expired'
  return attempts > 0
    ? { id, result: 'deferred', stage: 'data', reply, mta: GOOGLE_RCS_MTA, retryAfterMs: 0 }
    : { id, result: 'returned', destination: '', reason: reply, retryAfterMs: 0 }
}

/** Asks for a token, and for an answer of the host: no message, and no phone. */
async function checkConnection(
  api: GoogleRcsApi,
  { agent, region, baseUrl }: RcsGoogleSettings,
): Promise<GatewayCheckResult> {
  const { host } = new URL(api.hostOf(region))
  const reply = await callGoogleRcs(api, { method: 'GET', path: '/' })
  if (reply.kind === 'answered' && reply.status !== 401) {
    const hostDescription = baseUrl === null ? host : `${host} (instead of Google's)`
    return {
      ok: true,
      detail: `${hostDescription} is reachable, and a token was issued; the first message checks agent ${agent}`,
    }
  }
  return { ok: false, detail: `${host}: ${reply.kind === 'answered' ? '401, the token was refused' : reply.reason}` }
}

/**
 * An agent of Google RCS Business Messaging. The far side takes a message once, by its `messageId`: what has no answer is
 * deferred, never in doubt. Throws badRequestProblem when the credentials cannot be used.
 */
export function openRcsGoogleGateway(
  name: string,
  config: { settings: RcsGoogleSettings; secrets: RcsGoogleSecrets },
  context: RcsGoogleContext,
): RcsGateway {
  const { clock, take, slow, ticks = () => performance.now() } = context
  const { settings } = config
  const api = openGoogleRcsApi(config, context)
  const dispatcher = createRequestDispatcher<OutgoingRcs>(
    {
      mta: GOOGLE_RCS_MTA,
      concurrency: settings.concurrency,
      speed: settings.speed,
      take,
      slow,
      faultOf: findFault,
      overdue: (message) => buildExpiredOutcome(message, clock.now()),
      async handOver(message, announce) {
        await announce()
        return classifyRcsReply(message, await callGoogleRcs(api, buildRcsMessageCall(message, clock.now())))
      },
      disconnect: () => api.transport.close(),
    },
    { clock, ticks },
  )
  return {
    name,
    kind: 'rcs-google',
    channel: 'rcs',
    ...dispatcher,
    capabilities: (phone) => requestRcsCapabilities(api, settings.agent, phone),
    usersBatchGet: (batch) => requestReachablePhones(api, settings.agent, batch, clock.now()),
    revoke: (message) => revokeRcsMessage(api, settings.agent, message, clock.now()),
    check: () => checkConnection(api, settings),
  }
}
