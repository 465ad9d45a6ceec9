import { waitOf } from '../../lib/backoff.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Check, GatewayOutcome, Stop } from '../gateway.ts'
import {
  addBatch,
  createQueue,
  type Delivery,
  hasDelivery,
  type Queue,
  reportOutcome,
  stopQueue,
  takeDelivery,
} from '../queue.ts'
import type { OutgoingRcs, RcsGateway } from '../rcs.ts'
import { reasonOf } from '../reason.ts'
import { callApi, openApi, type RcsApi, type RcsContext } from './api.ts'
import { judgeReply, MTA } from './judge.ts'
import { askCapabilities, askUsers, revokeMessage } from './lookups.ts'
import { callOf, messageFault } from './message.ts'
import { createPace, type Pace, type Take } from './pace.ts'
import type { RcsGoogleSecrets, RcsGoogleSettings } from './settings.ts'
import { createStanding, isProbing, note, type Standing } from './standing.ts'

/** How long requests in flight may take when the gateway closes. */
const CLOSING_MS = 5000

/** What a gateway may be given beside what its interface uses. */
export interface RcsGoogleContext extends RcsContext {
  /** Reserves messages of the speed of the agent, which all senders share. Absent: each gateway has the speed for itself. */
  take?: Take
  /** A clock that runs evenly, in milliseconds. */
  ticks?: () => number
}

/** One agent, and its requests in flight. */
interface Agent {
  api: RcsApi
  settings: RcsGoogleSettings
  clock: Clock
  ticks: () => number
  queue: Queue<OutgoingRcs>
  pace: Pace
  standing: Standing
  /** Requests without an answer yet. They never reject. */
  open: Set<Promise<void>>
  timer: NodeJS.Timeout | undefined
  closing: boolean
}

function stopOf({ closing, standing: { circuit }, ticks }: Agent): Stop | undefined {
  if (closing) return { why: 'aborted', detail: 'the gateway is closing' }
  const pauseMs = waitOf(circuit, ticks())
  return pauseMs > 0 ? { why: 'down', detail: circuit.lastFault, retryAfterMs: pauseMs } : undefined
}

function deferred(id: number, reply: string, code: string, retryAfterMs: number): GatewayOutcome {
  const said = code === '' ? {} : { gatewayCode: code }
  return { id, result: 'deferred', stage: 'data', reply, ...said, mta: MTA, retryAfterMs: Math.ceil(retryAfterMs) }
}

/** Hands one message over, and takes note of how it went. */
async function handOver(agent: Agent, { message, batch }: Delivery<OutgoingRcs>): Promise<GatewayOutcome> {
  const { api, standing, clock, ticks, pace } = agent
  const { id, attempts = 0 } = message
  const fault = messageFault(message)
  if (fault !== undefined) return { id, result: 'refused', stage: 'data', enhanced: '5.6.0', reply: fault, mta: '' }
  try {
    batch.listener.beforeBody?.(id)
  } catch (error) {
    return { id, result: 'deferred', stage: 'data', reply: reasonOf(error), mta: MTA }
  }
  const beganAt = ticks()
  const verdict = judgeReply(message, await callApi(api, callOf(message)))
  const now = ticks()
  const waitMs = note(standing, verdict, { beganAt, now, date: clock.now(), attempts })
  if (verdict.what === 'busy') pace.halve(now)
  if (verdict.what === 'busy' || verdict.what === 'away') return deferred(id, verdict.reply, verdict.code, waitMs ?? 0)
  if (waitMs === undefined || verdict.what === 'settled') return verdict.outcome
  return deferred(id, verdict.outcome.reply, verdict.outcome.gatewayCode ?? '', waitMs)
}

/** How many requests there may be at once. */
function room({ settings: { concurrency, speed }, standing, pace, ticks }: Agent): number {
  if (isProbing(standing)) return 1
  // Without a limit of speed the number of requests is what rules it.
  return speed === 0 && pace.isHalved(ticks()) ? Math.ceil(concurrency / 2) : concurrency
}

function advanceLater(agent: Agent, waitMs: number): void {
  agent.timer ??= setTimeout(() => {
    agent.timer = undefined
    advance(agent)
  }, waitMs)
}

/** Makes requests while there is room, or ends the batches while nothing may be tried. */
function advance(agent: Agent): void {
  const { queue, open, pace, ticks } = agent
  const stop = stopOf(agent)
  if (stop !== undefined) {
    stopQueue(queue, stop, ({ message: { id } }) => deferred(id, stop.detail, '', stop.retryAfterMs ?? 0))
    return
  }
  while (open.size < room(agent) && hasDelivery(queue)) {
    const waitMs = pace.waitMs(ticks())
    if (waitMs === undefined) return
    if (waitMs > 0) {
      advanceLater(agent, waitMs)
      return
    }
    const delivery = takeDelivery(queue)
    if (delivery === undefined) return
    pace.spend(ticks())
    const request = handOver(agent, delivery).then((outcome) => {
      open.delete(request)
      reportOutcome(delivery, outcome)
      advance(agent)
    })
    open.add(request)
  }
}

async function close(agent: Agent, graceMs: number): Promise<void> {
  agent.closing = true
  advance(agent)
  const timer = setTimeout(() => agent.api.transport.close(), graceMs)
  await Promise.all(agent.open)
  clearTimeout(timer)
  clearTimeout(agent.timer)
  agent.api.transport.close()
}

/** Asks for a token, and for an answer of the host: no message, and no phone. */
async function check({ api, settings: { agent, region, baseUrl } }: Agent): Promise<Check> {
  const { host } = new URL(api.hostOf(region))
  const reply = await callApi(api, { method: 'GET', path: '/' })
  if (reply.kind === 'answered' && reply.status !== 401) {
    const where = baseUrl === null ? host : `${host} (instead of Google's)`
    return {
      ok: true,
      detail: `${where} can be reached, and there is a token; agent ${agent} shows with the first message`,
    }
  }
  return { ok: false, detail: `${host}: ${reply.kind === 'answered' ? '401, the token is refused' : reply.reason}` }
}

/**
 * An agent of Google RCS Business Messaging. The far side takes a message once, by its `messageId`: what has no answer is
 * deferred, never in doubt. Throws badRequest when the credentials cannot be used.
 */
export function openRcsGoogleGateway(
  name: string,
  given: { settings: RcsGoogleSettings; secrets: RcsGoogleSecrets },
  context: RcsGoogleContext,
): RcsGateway {
  const { clock, take, ticks = () => performance.now() } = context
  const { settings } = given
  const pace = createPace({ speed: settings.speed, take, now: ticks }, () => advance(agent))
  const agent: Agent = {
    api: openApi(given, context),
    settings,
    clock,
    ticks,
    queue: createQueue(),
    pace,
    standing: createStanding(),
    open: new Set(),
    timer: undefined,
    closing: false,
  }
  return {
    name,
    kind: 'rcs-google',
    channel: 'rcs',
    async send(batch, listener) {
      const stop = stopOf(agent)
      if (stop !== undefined) return { taken: 0, stop }
      const result = addBatch(agent.queue, batch, listener)
      advance(agent)
      return result
    },
    capabilities: (phone) => askCapabilities(agent.api, settings.agent, phone),
    usersBatchGet: (batch) => askUsers(agent.api, settings.agent, batch, clock.now()),
    revoke: (message) => revokeMessage(agent.api, settings.agent, message, clock.now()),
    check: () => check(agent),
    close: (graceMs = CLOSING_MS) => close(agent, graceMs),
  }
}
