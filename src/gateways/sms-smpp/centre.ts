import { setMaxListeners } from 'node:events'
import type { Clock } from '../../lib/clock.ts'
import type { OutgoingSms, Stop } from '../gateway.ts'
import { createQueue, stopQueue } from '../queue.ts'
import { reasonOf } from '../reason.ts'
import { type BindContext, type BindKind, openBind } from './bind.ts'
import { abandon, type Bound, type Dispatch, hasWork, submit, takeNext } from './dispatch.ts'
import { closeLink, type Link } from './link.ts'
import { createPace } from './pace.ts'
import type { SmppSecrets, SmppSettings } from './settings.ts'

/** How long a message centre that is of no use is left alone at most. */
const LONGEST_PAUSE_MS = 60_000

/** A bind that stood so long was of use, even if nothing was sent. */
const LASTING_MS = 10_000

interface Standing extends Bound {
  kind: BindKind
  idleSince: number | undefined
  /** It is not needed any more. */
  leave: () => void
}

/** The binds to one message centre. */
export interface Centre {
  context: BindContext
  dispatch: Dispatch
  /** Stores what comes; undefined: nothing is to come here. */
  serve: Link['serve'] | undefined
  standing: Set<Standing>
  opening: BindKind[]
  /** The lives of binds, from the opening to the goodbye. They never reject. */
  lives: Set<Promise<void>>
  /** Binds of no use, in a row, and when to try again. */
  failures: number
  downUntil: number
  lastFault: string
  timer: NodeJS.Timeout | undefined
  cut: AbortController
}

const now = (): number => performance.now()

export function createCentre(
  name: string,
  { settings, secrets }: { settings: SmppSettings; secrets: SmppSecrets | undefined },
  { clock, serve }: { clock: Clock; serve: Link['serve'] | undefined },
): Centre {
  const cut = new AbortController()
  setMaxListeners(0, cut.signal)
  const dispatch: Dispatch = {
    name,
    settings,
    clock,
    queue: createQueue<OutgoingSms>(),
    consignments: new Set(),
    unfinished: [],
    pace: createPace(settings.rate),
    closing: false,
    changed: () => advance(centre),
  }
  const centre: Centre = {
    context: { settings, secrets, signal: cut.signal },
    dispatch,
    serve,
    standing: new Set(),
    opening: [],
    lives: new Set(),
    failures: 0,
    downUntil: 0,
    lastFault: '',
    timer: undefined,
    cut,
  }
  return centre
}

const senders = ({ standing }: Centre): Standing[] => [...standing].filter(({ kind }) => kind !== 'receiver')

/** Why nothing is taken now; undefined while the message centre may be tried. */
export function stopOf(centre: Centre): Stop | undefined {
  const { dispatch, opening, downUntil, lastFault } = centre
  if (dispatch.closing) return { why: 'aborted', detail: 'the gateway is closing' }
  if (senders(centre).length > 0 || opening.some((kind) => kind !== 'receiver')) return undefined
  const pauseMs = Math.ceil(downUntil - now())
  return pauseMs > 0 ? { why: 'down', detail: lastFault, retryAfterMs: pauseMs } : undefined
}

/** How many binds of each kind there should be. Where things come in they stand all the time. */
function wanted(centre: Centre): Partial<Record<BindKind, number>> {
  const { serve, dispatch } = centre
  const { bind, connections, window } = dispatch.settings
  if (dispatch.closing) return {}
  if (serve !== undefined && bind === 'transceiver') return { transceiver: connections }
  const here = senders(centre)
  const isFull = here.every(({ open }) => open >= window)
  const transmitter = hasWork(dispatch) && isFull ? Math.min(connections, here.length + 1) : here.length
  return serve === undefined ? { transmitter } : { transmitter, receiver: 1 }
}

function openWanted(centre: Centre): void {
  const counts = Object.entries(wanted(centre)) as [BindKind, number][]
  for (const [kind, count] of counts) {
    const has = () => [...centre.standing, ...centre.opening.map((opening) => ({ kind: opening }))]
    while (has().filter((one) => one.kind === kind).length < count) {
      centre.opening.push(kind)
      const life = live(centre, kind).finally(() => centre.lives.delete(life))
      centre.lives.add(life)
    }
  }
}

/** Submits while a window has room and the pace allows it. Gives how long the pace holds up what could be submitted. */
function sendOn(centre: Centre): number {
  const { dispatch } = centre
  const { window } = dispatch.settings
  for (const bound of senders(centre)) {
    while (bound.open < window && bound.link.fault === undefined) {
      const waitMs = dispatch.pace.waitMs(now())
      if (waitMs > 0) return hasWork(dispatch) ? waitMs : 0
      const consignment = takeNext(dispatch)
      if (consignment === undefined) return 0
      bound.idleSince = undefined
      void submit(dispatch, bound, consignment)
    }
  }
  return 0
}

/** Lets go of binds that have had nothing to do for long. Gives when the next one will have. */
function dismissIdle(centre: Centre): number {
  const { dispatch, serve } = centre
  const { bind, idleMs } = dispatch.settings
  if (serve !== undefined && bind === 'transceiver') return Number.POSITIVE_INFINITY
  let next = Number.POSITIVE_INFINITY
  for (const bound of senders(centre)) {
    if (bound.open > 0 || hasWork(dispatch)) continue
    bound.idleSince ??= now()
    const left = bound.idleSince + idleMs - now()
    if (left <= 0) bound.leave()
    else next = Math.min(next, left)
  }
  return next
}

/** Ends what cannot be sent now: batches, and messages that wait for a bind there is none of. */
function stopAll(centre: Centre, stop: Stop): void {
  const { dispatch } = centre
  const { detail: reply, retryAfterMs } = stop
  stopQueue(dispatch.queue, stop, ({ message: { id } }) => ({
    id,
    result: 'deferred',
    stage: 'connect',
    reply,
    mta: '',
  }))
  if (senders(centre).length === 0) abandon(dispatch, { reply, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

/** Does whatever can be done now, and sees to it that it is called when more can be. */
export function advance(centre: Centre): void {
  const { dispatch } = centre
  clearTimeout(centre.timer)
  const paceMs = sendOn(centre)
  const stop = stopOf(centre)
  if (stop !== undefined) stopAll(centre, stop)
  const downMs = centre.downUntil - now()
  if (downMs <= 0) openWanted(centre)
  const idleMs = dismissIdle(centre)
  if (dispatch.closing) {
    if (dispatch.consignments.size === 0) for (const { leave } of centre.standing) leave()
    if (centre.lives.size === 0) return
  }
  const waits = [downMs, idleMs, paceMs].filter((ms) => ms > 0)
  const waitMs = Math.min(...waits)
  if (Number.isFinite(waitMs)) centre.timer = setTimeout(() => advance(centre), Math.ceil(waitMs)).unref()
}

/** A bind that could not be made, or ended before it was of use: the next one is tried after a while. */
function useless(centre: Centre, fault: string): void {
  const pauseMs = Math.min(LONGEST_PAUSE_MS, centre.dispatch.settings.reconnectMs * 2 ** centre.failures)
  centre.lastFault = fault
  centre.failures++
  // Spread, so that the senders of many machines do not come back in one instant.
  centre.downUntil = now() + pauseMs * (0.5 + Math.random() / 2)
}

/** One bind, from its opening to its end. */
async function live(centre: Centre, kind: BindKind): Promise<void> {
  const link = await openBind(kind, centre.context, centre.serve).catch(reasonOf)
  centre.opening.splice(centre.opening.indexOf(kind), 1)
  if (typeof link === 'string') {
    useless(centre, link)
    advance(centre)
    return
  }
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const bound: Standing = { link, kind, open: 0, judged: 0, idleSince: undefined, leave }
  link.onEnd = leave
  if (link.fault !== undefined) leave()
  const since = now()
  centre.standing.add(bound)
  advance(centre)
  await left
  centre.standing.delete(bound)
  const { fault } = link
  if (bound.judged > 0 || now() - since >= LASTING_MS) centre.failures = 0
  else if (fault !== undefined) useless(centre, fault.message)
  advance(centre)
  if (fault === undefined) await closeLink(link)
}

/** Takes no more; lets what was begun end, then cuts it. Every message has its outcome when this resolves. */
export async function closeCentre(centre: Centre, graceMs: number): Promise<void> {
  centre.dispatch.closing = true
  advance(centre)
  const cut = setTimeout(() => centre.cut.abort(), graceMs)
  await Promise.all(centre.lives)
  clearTimeout(cut)
  clearTimeout(centre.timer)
}
