import { setMaxListeners } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import type { OutboundHostGuard } from '../../lib/net/guarded-client.ts'
import {
  type BackoffPolicy,
  type CircuitBreaker,
  circuitWaitMs,
  countCircuitFailure,
  createCircuitBreaker,
  HALF_JITTER,
  openCircuitBreaker,
  resetCircuitBreaker,
} from '../../lib/time/backoff.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { GatewayCheckResult, GatewayOutcome, GatewayStop, MessageGateway, OutgoingSms } from '../gateway.ts'
import {
  createDeliveryQueue,
  type DeliveryQueue,
  enqueueDeliveryBatch,
  type QueuedDelivery,
  reportDeliveryOutcome,
  stopDeliveryQueue,
  takeQueuedDelivery,
} from '../queue.ts'
import { waitForSocketEvent } from '../socket.ts'
import { classifySmsHttpAnswer, type SmsHttpVerdict } from './answer.ts'
import {
  getSmsHttpTarget,
  openSmsHttpAgent,
  type SmsHttpAgent,
  type SmsHttpExchange,
  sendSmsHttpRequest,
} from './exchange.ts'
import { buildSmsHttpRequest, createSmsHttpRequestForm, type SmsHttpRequestForm } from './request.ts'
import type { SmsHttpSecrets, SmsHttpSettings } from './settings.ts'
import { fillAllPlaceholders } from './template.ts'

/** Time limit for requests in flight when the gateway closes. */
const CLOSE_GRACE_MS = 5000

/** After a provider could not be reached. */
const providerBackoff: BackoffPolicy = { firstMs: 1000, maxMs: 60_000, jitter: HALF_JITTER }

/** The connection to one HTTP provider, and its requests in flight. */
interface ProviderConnection {
  name: string
  form: SmsHttpRequestForm
  agent: SmsHttpAgent
  guard: OutboundHostGuard | undefined
  clock: Clock
  queue: DeliveryQueue<OutgoingSms>
  /** Requests without an answer yet. They never reject. */
  open: Set<Promise<void>>
  /** Its failures are requests without a connection; its times are of performance.now(). */
  circuit: CircuitBreaker
  closing: boolean
  cut: AbortController
}

const getMonotonicMs = (): number => performance.now()

function findStop(connection: ProviderConnection): GatewayStop | undefined {
  if (connection.closing) return { why: 'aborted', detail: 'the gateway is closing' }
  const { circuit } = connection
  const pauseMs = circuitWaitMs(circuit, getMonotonicMs())
  return pauseMs > 0 ? { why: 'down', detail: circuit.lastFault, retryAfterMs: pauseMs } : undefined
}

/** The outcome of a request. */
function classifyExchange(
  connection: ProviderConnection,
  { message: { id } }: QueuedDelivery<OutgoingSms>,
  exchanged: SmsHttpExchange,
): SmsHttpVerdict {
  const mta = connection.name
  if (exchanged.kind === 'answered') {
    resetCircuitBreaker(connection.circuit)
    return classifySmsHttpAnswer({ id, mta, now: connection.clock.now() }, exchanged.answer, connection.form.settings)
  }
  const { reason } = exchanged
  if (exchanged.kind === 'broken') return { outcome: { id, result: 'doubtful', reason, mta } }
  if (exchanged.kind === 'unsent') return { outcome: { id, result: 'deferred', stage: 'data', reply: reason, mta } }
  const pauseMs = countCircuitFailure(connection.circuit, providerBackoff)
  return { outcome: { id, result: 'deferred', stage: 'connect', reply: reason, mta: '' }, pauseMs }
}

const getOutcomeText = (outcome: GatewayOutcome): string => ('reason' in outcome ? outcome.reason : outcome.reply)

async function sendDelivery(connection: ProviderConnection, delivery: QueuedDelivery<OutgoingSms>): Promise<void> {
  const { form, agent, guard, cut: abortController } = connection
  const { message, batch } = delivery
  const beforeBody = () => batch.listener.beforeBody?.(message.id)
  const exchanged = await sendSmsHttpRequest(buildSmsHttpRequest(message, form), form.settings, {
    agent,
    guard,
    signal: abortController.signal,
    beforeBody,
  })
  const { outcome, pauseMs } = classifyExchange(connection, delivery, exchanged)
  if (pauseMs !== undefined) openCircuitBreaker(connection.circuit, pauseMs, getOutcomeText(outcome), getMonotonicMs())
  reportDeliveryOutcome(delivery, outcome)
}

/** Makes requests while there is room, or ends the batches while the provider may not be tried. */
function sendQueued(connection: ProviderConnection): void {
  const stop = findStop(connection)
  if (stop !== undefined) {
    const commonOutcome = { result: 'deferred' as const, stage: 'connect' as const, reply: stop.detail, mta: '' }
    stopDeliveryQueue(connection.queue, stop, ({ message: { id } }) => ({ ...commonOutcome, id }))
    return
  }
  while (connection.open.size < connection.form.settings.concurrency) {
    const delivery = takeQueuedDelivery(connection.queue)
    if (delivery === undefined) return
    const request = sendDelivery(connection, delivery).finally(() => {
      connection.open.delete(request)
      sendQueued(connection)
    })
    connection.open.add(request)
  }
}

async function closeConnection(connection: ProviderConnection, graceMs: number): Promise<void> {
  connection.closing = true
  sendQueued(connection)
  const timer = setTimeout(() => connection.cut.abort(), graceMs)
  await Promise.all(connection.open)
  clearTimeout(timer)
  connection.agent.destroy()
}

/** Connects without a request, which would be a message. */
async function checkConnection(
  { url, verify, ca, connectMs }: SmsHttpSettings,
  guard: OutboundHostGuard | undefined,
): Promise<GatewayCheckResult> {
  const address = new URL(fillAllPlaceholders(url))
  const { host } = address
  const isTls = address.protocol === 'https:'
  const target = getSmsHttpTarget(address)
  const name = target.host
  const isName = /[^0-9.:]/.test(name) && !name.includes(':')
  let socket: Socket | undefined
  try {
    const connectOptions = { ...target, ...guard?.(target) }
    socket = isTls
      ? connectTls({
          ...connectOptions,
          servername: isName ? name : '',
          rejectUnauthorized: verify,
          ca,
          minVersion: 'TLSv1.2',
        })
      : connectTcp(connectOptions)
    await waitForSocketEvent(socket, isTls ? 'secureConnect' : 'connect', connectMs)
    const tlsVersion = isTls ? (socket as TLSSocket).getProtocol() : 'without TLS'
    return { ok: true, detail: `${host} is reachable, ${tlsVersion}; the first message checks its credentials` }
  } catch (error) {
    return { ok: false, detail: `${host}: ${formatErrorReason(error)}` }
  } finally {
    socket?.destroy()
  }
}

/** An SMS provider over HTTP: one request a message, made from the templates of the settings. */
export function openSmsHttpGateway(
  name: string,
  { settings, secrets }: { settings: SmsHttpSettings; secrets: SmsHttpSecrets },
  { clock, guard }: { clock: Clock; guard?: OutboundHostGuard | undefined },
): MessageGateway<OutgoingSms> {
  const abortController = new AbortController()
  setMaxListeners(0, abortController.signal)
  const connection: ProviderConnection = {
    name,
    form: createSmsHttpRequestForm(settings, secrets),
    agent: openSmsHttpAgent(settings),
    guard,
    clock,
    queue: createDeliveryQueue(),
    open: new Set(),
    circuit: createCircuitBreaker(),
    closing: false,
    cut: abortController,
  }
  return {
    name,
    kind: 'sms-http',
    channel: 'sms',
    async send(batch, listener) {
      const stop = findStop(connection)
      if (stop !== undefined) return { taken: 0, stop }
      const result = enqueueDeliveryBatch(connection.queue, batch, listener)
      sendQueued(connection)
      return result
    },
    check: () => checkConnection(settings, guard),
    close: (graceMs = CLOSE_GRACE_MS) => closeConnection(connection, graceMs),
  }
}
