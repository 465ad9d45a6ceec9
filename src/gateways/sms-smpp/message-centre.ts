import { setMaxListeners } from 'node:events'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import type { OutboundHostGuard } from '../../lib/net/guarded-client.ts'
import {
  type CircuitBreaker,
  circuitWaitMs,
  countCircuitFailure,
  createCircuitBreaker,
  HALF_JITTER,
  openCircuitBreaker,
  resetCircuitBreaker,
} from '../../lib/time/backoff.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { GatewayStop, OutgoingSms } from '../gateway.ts'
import { createDeliveryQueue, stopDeliveryQueue } from '../queue.ts'
import { openSmppBind, type SmppBindContext, type SmppBindKind } from './bind.ts'
import { closeSmppLink, type SmppLink } from './link.ts'
import { createSmppPace } from './pace.ts'
import type { SmppSecrets, SmppSettings } from './settings.ts'
import {
  deferSmppSubmissions,
  hasSmppWork,
  type SmppSubmitBind,
  type SmppSubmitter,
  submitNextSmsPart,
  takeNextSubmission,
} from './submitter.ts'

/** The longest back-off after failed binds. */
const MAX_BACKOFF_MS = 60_000

/** Minimum lifetime of a bind that does not count as failed, even if nothing was sent. */
const STABLE_BIND_MS = 10_000

interface OpenBind extends SmppSubmitBind {
  kind: SmppBindKind
  idleSince: number | undefined
  /** Ends it: it is not needed any more. */
  end: () => void
}

/** One message centre, with the binds to it. */
export interface MessageCentre {
  context: SmppBindContext
  submitter: SmppSubmitter
  /** Stores receipts and replies; undefined: they are not received here. */
  serve: SmppLink['serve'] | undefined
  binds: Set<OpenBind>
  opening: SmppBindKind[]
  /** Each bind, from its opening to the unbind. They never reject. */
  running: Set<Promise<void>>
  /** Its failures are failed binds; its times are of performance.now(). */
  circuit: CircuitBreaker
  timer: NodeJS.Timeout | undefined
  cut: AbortController
}

const getMonotonicMs = (): number => performance.now()

export function openMessageCentre(
  name: string,
  { settings, secrets }: { settings: SmppSettings; secrets: SmppSecrets | undefined },
  { clock, serve, guard }: { clock: Clock; serve: SmppLink['serve'] | undefined; guard: OutboundHostGuard | undefined },
): MessageCentre {
  const abortController = new AbortController()
  setMaxListeners(0, abortController.signal)
  const submitter: SmppSubmitter = {
    name,
    settings,
    clock,
    queue: createDeliveryQueue<OutgoingSms>(),
    open: new Set(),
    unfinished: [],
    pace: createSmppPace(settings.rate),
    closing: false,
    changed: () => advanceMessageCentre(centre),
  }
  const centre: MessageCentre = {
    context: { settings, secrets, guard, signal: abortController.signal },
    submitter,
    serve,
    binds: new Set(),
    opening: [],
    running: new Set(),
    circuit: createCircuitBreaker(),
    timer: undefined,
    cut: abortController,
  }
  return centre
}

const listSubmittingBinds = ({ binds }: MessageCentre): OpenBind[] =>
  [...binds].filter(({ kind }) => kind !== 'receiver')

/** Why no message is taken now; undefined while the message centre may be tried. */
export function getMessageCentreStop(centre: MessageCentre): GatewayStop | undefined {
  const { submitter, opening, circuit } = centre
  if (submitter.closing) return { why: 'aborted', detail: 'the gateway is closing' }
  if (listSubmittingBinds(centre).length > 0 || opening.some((kind) => kind !== 'receiver')) return undefined
  const pauseMs = circuitWaitMs(circuit, getMonotonicMs())
  return pauseMs > 0 ? { why: 'down', detail: circuit.lastFault, retryAfterMs: pauseMs } : undefined
}

/** Computes the target number of binds of each kind. Receiving binds are always open. */
function computeTargetCounts(centre: MessageCentre): Partial<Record<SmppBindKind, number>> {
  const { serve, submitter } = centre
  const { bind, connections, window } = submitter.settings
  if (submitter.closing) return {}
  if (serve !== undefined && bind === 'transceiver') return { transceiver: connections }
  const submitting = listSubmittingBinds(centre)
  const isFull = submitting.every(({ open: openCount }) => openCount >= window)
  const transmitter =
    hasSmppWork(submitter) && isFull ? Math.min(connections, submitting.length + 1) : submitting.length
  return serve === undefined ? { transmitter } : { transmitter, receiver: 1 }
}

function openMissingBinds(centre: MessageCentre): void {
  const counts = Object.entries(computeTargetCounts(centre)) as [SmppBindKind, number][]
  for (const [kind, count] of counts) {
    const listKnownBinds = () => [...centre.binds, ...centre.opening.map((opening) => ({ kind: opening }))]
    while (listKnownBinds().filter((knownBind) => knownBind.kind === kind).length < count) {
      centre.opening.push(kind)
      const bindRun = runBind(centre, kind).finally(() => centre.running.delete(bindRun))
      centre.running.add(bindRun)
    }
  }
}

/** Submits while a window has room and the pace allows it. Answers how long the pace delays waiting messages. */
function submitWaiting(centre: MessageCentre): number {
  const { submitter } = centre
  const { window } = submitter.settings
  for (const bound of listSubmittingBinds(centre)) {
    while (bound.open < window && bound.link.fault === undefined) {
      const waitMs = submitter.pace.waitMs(getMonotonicMs())
      if (waitMs > 0) return hasSmppWork(submitter) ? waitMs : 0
      const submission = takeNextSubmission(submitter)
      if (submission === undefined) return 0
      bound.idleSince = undefined
      void submitNextSmsPart(submitter, bound, submission)
    }
  }
  return 0
}

/** Closes binds that have been idle too long. Answers when the next one will have been. */
function closeIdleBinds(centre: MessageCentre): number {
  const { submitter, serve } = centre
  const { bind, idleMs } = submitter.settings
  if (serve !== undefined && bind === 'transceiver') return Number.POSITIVE_INFINITY
  let nextIdleMs = Number.POSITIVE_INFINITY
  for (const bound of listSubmittingBinds(centre)) {
    if (bound.open > 0 || hasSmppWork(submitter)) continue
    bound.idleSince ??= getMonotonicMs()
    const remainingIdleMs = bound.idleSince + idleMs - getMonotonicMs()
    if (remainingIdleMs <= 0) bound.end()
    else nextIdleMs = Math.min(nextIdleMs, remainingIdleMs)
  }
  return nextIdleMs
}

/** Ends batches, and defers messages that wait for a bind. */
function stopSubmissions(centre: MessageCentre, stop: GatewayStop): void {
  const { submitter } = centre
  const { detail: reply, retryAfterMs } = stop
  stopDeliveryQueue(submitter.queue, stop, ({ message: { id } }) => ({
    id,
    result: 'deferred',
    stage: 'connect',
    reply,
    mta: '',
  }))
  if (listSubmittingBinds(centre).length === 0)
    deferSmppSubmissions(submitter, { reply, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

/** Does all that can be done now, and schedules itself for when there will be more. */
export function advanceMessageCentre(centre: MessageCentre): void {
  const { submitter } = centre
  clearTimeout(centre.timer)
  const paceMs = submitWaiting(centre)
  const stop = getMessageCentreStop(centre)
  if (stop !== undefined) stopSubmissions(centre, stop)
  const downMs = circuitWaitMs(centre.circuit, getMonotonicMs())
  if (downMs <= 0) openMissingBinds(centre)
  const idleMs = closeIdleBinds(centre)
  if (submitter.closing) {
    if (submitter.open.size === 0) for (const { end } of centre.binds) end()
    if (centre.running.size === 0) return
  }
  const waitTimesMs = [downMs, idleMs, paceMs].filter((ms) => ms > 0)
  const waitMs = Math.min(...waitTimesMs)
  if (Number.isFinite(waitMs)) centre.timer = setTimeout(() => advanceMessageCentre(centre), Math.ceil(waitMs)).unref()
}

/** A bind could not be opened, or ended before it was used: the next one is tried after a back-off. */
function recordFailure(centre: MessageCentre, fault: string): void {
  const { reconnectMs } = centre.submitter.settings
  const backoff = { firstMs: reconnectMs, maxMs: MAX_BACKOFF_MS, jitter: HALF_JITTER }
  openCircuitBreaker(centre.circuit, countCircuitFailure(centre.circuit, backoff), fault, getMonotonicMs())
}

/** One bind, from its opening to its end. */
async function runBind(centre: MessageCentre, kind: SmppBindKind): Promise<void> {
  const link = await openSmppBind(kind, centre.context, centre.serve).catch(formatErrorReason)
  centre.opening.splice(centre.opening.indexOf(kind), 1)
  if (typeof link === 'string') {
    recordFailure(centre, link)
    advanceMessageCentre(centre)
    return
  }
  const { promise: endPromise, resolve: end } = Promise.withResolvers<void>()
  const bound: OpenBind = { link, kind, open: 0, judged: 0, idleSince: undefined, end }
  link.onEnd = end
  if (link.fault !== undefined) end()
  const openedAt = getMonotonicMs()
  centre.binds.add(bound)
  advanceMessageCentre(centre)
  await endPromise
  centre.binds.delete(bound)
  const { fault } = link
  if (bound.judged > 0 || getMonotonicMs() - openedAt >= STABLE_BIND_MS) resetCircuitBreaker(centre.circuit)
  else if (fault !== undefined) recordFailure(centre, fault.message)
  advanceMessageCentre(centre)
  if (fault === undefined) await closeSmppLink(link)
}

/** Takes no more; lets messages in flight end, then disconnects. Every message has its outcome when this resolves. */
export async function closeMessageCentre(centre: MessageCentre, graceMs: number): Promise<void> {
  centre.submitter.closing = true
  advanceMessageCentre(centre)
  const abortTimer = setTimeout(() => centre.cut.abort(), graceMs)
  await Promise.all(centre.running)
  clearTimeout(abortTimer)
  clearTimeout(centre.timer)
}
