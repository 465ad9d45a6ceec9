import { setMaxListeners } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { Clock } from '../../lib/clock.ts'
import type { Check, Gateway, Outcome, OutgoingSms, Stop } from '../gateway.ts'
import { addBatch, createQueue, type Errand, type Queue, reportErrand, stopQueue, takeErrand } from '../queue.ts'
import { reasonOf } from '../reason.ts'
import { established } from '../socket.ts'
import { type Judgement, judgeAnswer } from './answer.ts'
import { type Agents, type Exchange, exchange, openAgent } from './exchange.ts'
import { type RequestForm, requestForm, requestOf } from './request.ts'
import type { SmsHttpSecrets, SmsHttpSettings } from './settings.ts'

/** What is under way at the end has this long to end by itself. */
const CLOSING_MS = 5000

/** How long a peer that cannot be reached is left alone: the first time, and at most. Doubled in between. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000

/** One HTTP peer, and what is under way to it. */
interface Peer {
  name: string
  form: RequestForm
  agent: Agents
  clock: Clock
  queue: Queue<OutgoingSms>
  /** Requests without an answer yet. They never reject. */
  open: Set<Promise<void>>
  /** Requests that reached nobody, in a row, and when to try again. */
  failures: number
  pausedUntil: number
  lastFault: string
  closing: boolean
  cut: AbortController
}

const now = (): number => performance.now()

function stopOf(peer: Peer): Stop | undefined {
  if (peer.closing) return { why: 'aborted', detail: 'the gateway is closing' }
  const pauseMs = Math.ceil(peer.pausedUntil - now())
  return pauseMs > 0 ? { why: 'down', detail: peer.lastFault, retryAfterMs: pauseMs } : undefined
}

function pause(peer: Peer, pauseMs: number, fault: string): void {
  peer.pausedUntil = Math.max(peer.pausedUntil, now() + pauseMs)
  peer.lastFault = fault
}

/** What a request came to, as an outcome. */
function judge(peer: Peer, { message: { id } }: Errand<OutgoingSms>, came: Exchange): Judgement {
  const mta = peer.name
  if (came.kind === 'answered') {
    peer.failures = 0
    return judgeAnswer({ id, mta, now: peer.clock.now() }, came.answer, peer.form.settings)
  }
  const { reason } = came
  if (came.kind === 'broken') return { outcome: { id, result: 'doubtful', reason, mta } }
  if (came.kind === 'unbegun') return { outcome: { id, result: 'deferred', stage: 'data', reply: reason, mta } }
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** peer.failures) * (0.5 + Math.random() / 2)
  peer.failures++
  return { outcome: { id, result: 'deferred', stage: 'connect', reply: reason, mta: '' }, pauseMs }
}

const textOf = (outcome: Outcome): string => ('reason' in outcome ? outcome.reason : outcome.reply)

async function run(peer: Peer, errand: Errand<OutgoingSms>): Promise<void> {
  const { form, agent, cut } = peer
  const { message, batch } = errand
  const begin = () => batch.listener.beforeBody?.(message.id)
  const came = await exchange(requestOf(message, form), form.settings, { agent, signal: cut.signal, begin })
  const { outcome, pauseMs } = judge(peer, errand, came)
  if (pauseMs !== undefined) pause(peer, pauseMs, textOf(outcome))
  reportErrand(errand, outcome)
}

/** Makes requests while there is room, or ends the batches when the peer may not be tried. */
function advance(peer: Peer): void {
  const stop = stopOf(peer)
  if (stop !== undefined) {
    const common = { result: 'deferred' as const, stage: 'connect' as const, reply: stop.detail, mta: '' }
    stopQueue(peer.queue, stop, ({ message: { id } }) => ({ ...common, id }))
    return
  }
  while (peer.open.size < peer.form.settings.concurrency) {
    const errand = takeErrand(peer.queue)
    if (errand === undefined) return
    const request = run(peer, errand).finally(() => {
      peer.open.delete(request)
      advance(peer)
    })
    peer.open.add(request)
  }
}

async function close(peer: Peer, graceMs: number): Promise<void> {
  peer.closing = true
  advance(peer)
  const timer = setTimeout(() => peer.cut.abort(), graceMs)
  await Promise.all(peer.open)
  clearTimeout(timer)
  peer.agent.destroy()
}

/** Connects and asks nothing: a request would be a message. */
async function check({ url, verify, ca, connectMs }: SmsHttpSettings): Promise<Check> {
  const { hostname, port, protocol, host } = new URL(url.replace(/\{\{.*?\}\}/g, ''))
  const name = hostname.replace(/^\[|\]$/g, '')
  const isTls = protocol === 'https:'
  const target = { host: name, port: Number(port || (isTls ? 443 : 80)) }
  const isName = /[^0-9.:]/.test(name) && !name.includes(':')
  const socket = isTls
    ? connectTls({ ...target, servername: isName ? name : '', rejectUnauthorized: verify, ca, minVersion: 'TLSv1.2' })
    : connectTcp(target)
  try {
    await established(socket, isTls ? 'secureConnect' : 'connect', connectMs)
    const privacy = isTls ? (socket as TLSSocket).getProtocol() : 'without TLS'
    return { ok: true, detail: `${host} can be reached, ${privacy}; its credentials show with the first message` }
  } catch (error) {
    return { ok: false, detail: `${host}: ${reasonOf(error)}` }
  } finally {
    socket.destroy()
  }
}

/** An SMS peer with an HTTP interface: one request a message, as the settings' templates make it. */
export function openSmsHttpGateway(
  name: string,
  { settings, secrets }: { settings: SmsHttpSettings; secrets: SmsHttpSecrets },
  { clock }: { clock: Clock },
): Gateway<OutgoingSms> {
  const cut = new AbortController()
  setMaxListeners(0, cut.signal)
  const peer: Peer = {
    name,
    form: requestForm(settings, secrets),
    agent: openAgent(settings),
    clock,
    queue: createQueue(),
    open: new Set(),
    failures: 0,
    pausedUntil: 0,
    lastFault: '',
    closing: false,
    cut,
  }
  return {
    name,
    kind: 'sms-http',
    channel: 'sms',
    async send(batch, listener) {
      const stop = stopOf(peer)
      if (stop !== undefined) return { taken: 0, stop }
      const result = addBatch(peer.queue, batch, listener)
      advance(peer)
      return result
    },
    check: () => check(settings),
    close: (graceMs = CLOSING_MS) => close(peer, graceMs),
  }
}
