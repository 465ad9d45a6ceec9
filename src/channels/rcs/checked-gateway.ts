import type { Logger } from 'pino'
import type { Db } from '../../database/connection/connect.ts'
import {
  type CachedPhoneCapability,
  type CheckedRcsPhone,
  readPhoneCapabilities,
  writePhoneCapabilities,
} from '../../features/rcs-profiles/capabilities.ts'
import type { StoredRcsProfile } from '../../features/rcs-profiles/profiles.ts'
import type {
  GatewayOutcome,
  GatewayStop,
  MessageGateway,
  RefusedDelivery,
  SendBatchListener,
  SendBatchResult,
} from '../../gateways/gateway.ts'
import type { OutgoingRcs, RcsGateway } from '../../gateways/rcs.ts'
import type { Clock } from '../../lib/time/clock.ts'

/*
 * A gateway of a profile that asks, before the first message to a phone, whether it can be reached (rcs.md 6.2). Answers are
 * kept; what the network does not say in time keeps no message.
 */

/** Messages that are looked at together. */
const CHUNK_SIZE = 100
/** Look-ups at once. */
const MAX_PARALLEL_LOOKUPS = 25
/** While the answers cannot be read. */
const READ_RETRY_MS = 1000
/** Seconds of work held here at most, for a profile with a speed. The rest waits in the outbox, so that other profiles get their turn. */
const MAX_QUEUED_SECONDS = 10

/** Refusal of a phone that cannot be reached or cannot show a message, identical to that of the network. */
const UNREACHABLE_REFUSAL = {
  stage: 'rcpt',
  enhanced: '5.3.3',
  gatewayCode: '404 NOT_FOUND',
  mta: 'google-rbm',
} as const

interface CheckedGateway {
  gateway: RcsGateway
  profile: Pick<StoredRcsProfile, 'account' | 'id' | 'capability' | 'speed'>
  db: Db
  clock: Clock
  log: Logger
  /** Messages that the gateway has and that have no outcome. */
  inside: number
}

/** The purposes differ in how long a phone counts as not reachable. */
const sendPurposes = ['marketing', 'service'] as const

/** Reads the known capabilities of the recipients' phones, by message. */
async function readKnownCapabilities(
  { db, profile, clock }: CheckedGateway,
  messages: readonly OutgoingRcs[],
): Promise<Map<OutgoingRcs, CachedPhoneCapability>> {
  const knownCapabilities = new Map<OutgoingRcs, CachedPhoneCapability>()
  for (const purpose of sendPurposes) {
    const purposeMessages = messages.filter((message) => (message.purpose ?? 'marketing') === purpose)
    const phones = [...new Set(purposeMessages.map(({ to }) => to))]
    const cachedCapabilities = await readPhoneCapabilities(db, profile, phones, { now: new Date(clock.now()), purpose })
    for (const message of purposeMessages) {
      const capability = cachedCapabilities.get(message.to)
      if (capability) knownCapabilities.set(message, capability)
    }
  }
  return knownCapabilities
}

/** Asks for phones, a few at a time; gives what was answered. Those of which nothing is said are not in it. */
async function lookUpPhones(
  { gateway, log }: CheckedGateway,
  phones: readonly string[],
  signal: AbortSignal | undefined,
): Promise<CheckedRcsPhone[]> {
  const answers: CheckedRcsPhone[] = []
  const phoneIterator = phones.values()
  let unanswered = 0
  const lookUpNext = async (): Promise<void> => {
    for (const phone of phoneIterator) {
      if (signal?.aborted) return
      const answer = await gateway.capabilities(phone)
      if (answer.result === 'unknown') unanswered++
      else if (answer.result === 'unreachable') answers.push({ phone, reachable: false, features: [] })
      else answers.push({ phone, reachable: true, features: answer.features })
    }
  }
  await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL_LOOKUPS, phones.length) }, lookUpNext))
  if (unanswered > 0) log.warn({ unanswered }, 'messages sent without a capability check: RBM did not respond')
  return answers
}

/** Why a phone cannot have a message; undefined: it can, as far as is known. */
function findObstacle(
  { features = [] }: OutgoingRcs,
  capability: CachedPhoneCapability | undefined,
): string | undefined {
  if (!capability) return undefined
  if (!capability.reachable) return 'the phone cannot be reached by RCS'
  const { features: phoneFeatures } = capability
  const missingFeatures = phoneFeatures === null ? [] : features.filter((feature) => !phoneFeatures.includes(feature))
  return missingFeatures.length === 0 ? undefined : `the phone does not support ${missingFeatures.join(', ')}`
}

/** Refuses the messages of phones that cannot be reached; gives the others. */
async function refuseUnreachable(
  checking: CheckedGateway,
  messages: readonly OutgoingRcs[],
  { signal, outcome }: SendBatchListener,
): Promise<OutgoingRcs[]> {
  const { db, profile, clock } = checking
  if (!profile.capability.check) return [...messages]
  const knownCapabilities = await readKnownCapabilities(checking, messages)
  // What was tried may have arrived.
  const unknownPhones = new Set(
    messages.flatMap((uncheckedMessage) =>
      knownCapabilities.has(uncheckedMessage) || uncheckedMessage.attempts ? [] : [uncheckedMessage.to],
    ),
  )
  const answers = await lookUpPhones(checking, [...unknownPhones], signal)
  await writePhoneCapabilities(db, profile, answers, new Date(clock.now()))
  const answersByPhone = new Map(answers.map((answer) => [answer.phone, answer]))
  return messages.filter((message) => {
    const reply = message.attempts
      ? undefined
      : findObstacle(message, knownCapabilities.get(message) ?? answersByPhone.get(message.to))
    if (reply === undefined) return true
    const { id, sequence } = message
    outcome({ id, ...(sequence !== undefined && { sequence }), result: 'refused', ...UNREACHABLE_REFUSAL, reply })
    return false
  })
}

function isUnreachableRefusal(answer: GatewayOutcome): answer is RefusedDelivery {
  return answer.result === 'refused' && answer.enhanced === UNREACHABLE_REFUSAL.enhanced
}

/** Follows a chunk at the gateway, and notes the phones that it says cannot be reached. */
function trackChunk(checking: CheckedGateway, list: readonly OutgoingRcs[], listener: SendBatchListener) {
  const openMessages = new Map(list.map(({ id, to }) => [id, to]))
  const unreachable: CheckedRcsPhone[] = []
  checking.inside += openMessages.size
  return {
    unreachable,
    listener: {
      ...listener,
      outcome(answer: GatewayOutcome) {
        const phone = openMessages.get(answer.id)
        if (openMessages.delete(answer.id)) checking.inside--
        if (phone !== undefined && isUnreachableRefusal(answer))
          unreachable.push({ phone, reachable: false, features: [] })
        listener.outcome(answer)
      },
    },
    end() {
      checking.inside -= openMessages.size
      openMessages.clear()
    },
  }
}

/** Hands a chunk over. */
async function sendChunk(
  checking: CheckedGateway,
  list: readonly OutgoingRcs[],
  listener: SendBatchListener,
): Promise<SendBatchResult> {
  const { gateway, db, profile, clock, log } = checking
  const chunkTracker = trackChunk(checking, list, listener)
  try {
    return await gateway.send(list, chunkTracker.listener)
  } finally {
    chunkTracker.end()
    const phones = [
      ...new Map(
        chunkTracker.unreachable.map((unreachablePhone) => [unreachablePhone.phone, unreachablePhone]),
      ).values(),
    ]
    await writePhoneCapabilities(db, profile, phones, new Date(clock.now())).catch((error) =>
      log.warn({ err: error }, 'unreachable phones could not be recorded'),
    )
  }
}

/** Why nothing more is taken for now: the gateway rests, or has enough to do. */
function findStop({ gateway, profile: { speed }, inside }: CheckedGateway): GatewayStop | undefined {
  const gatewayStop = gateway.stopped()
  if (gatewayStop) return gatewayStop
  if (speed === 0 || inside < speed * MAX_QUEUED_SECONDS) return undefined
  const retryAfterMs = Math.ceil((inside * 1000) / speed / 2)
  return { why: 'down', detail: 'the speed limit of the profile is reached', retryAfterMs }
}

function nextChunk(messageIterator: Iterator<OutgoingRcs>): OutgoingRcs[] {
  const chunk: OutgoingRcs[] = []
  while (chunk.length < CHUNK_SIZE) {
    const { done: isDone, value } = messageIterator.next()
    if (isDone) break
    chunk.push(value)
  }
  return chunk
}

/** Looks at a batch chunk by chunk; the first are handed over while the next are looked at. */
async function sendBatch(
  checking: CheckedGateway,
  batch: Iterable<OutgoingRcs>,
  listener: SendBatchListener,
): Promise<SendBatchResult> {
  const messageIterator = batch[Symbol.iterator]()
  const pendingSends: Promise<SendBatchResult>[] = []
  let acceptedCount = 0
  let stop = findStop(checking)
  while (!stop && !listener.signal?.aborted) {
    const chunk = nextChunk(messageIterator)
    if (chunk.length === 0) break
    acceptedCount += chunk.length
    try {
      const pendingSend = sendChunk(checking, await refuseUnreachable(checking, chunk, listener), listener)
      // A failure is reported with the others.
      pendingSend.catch(() => undefined)
      pendingSends.push(pendingSend)
    } catch (error) {
      checking.log.warn({ err: error }, 'reachability of phones could not be read')
      stop = { why: 'down', detail: 'reachability of phones could not be read', retryAfterMs: READ_RETRY_MS }
    }
    stop ??= checking.gateway.stopped()
  }
  const results = await Promise.all(pendingSends)
  stop ??= results.find((result) => result.stop)?.stop
  return { taken: acceptedCount, ...(stop && { stop }) }
}

/** A gateway of a profile with these checks. */
export function wrapWithRcsChecks(
  gateway: RcsGateway,
  profile: CheckedGateway['profile'],
  { db, clock, log }: Pick<CheckedGateway, 'db' | 'clock' | 'log'>,
): MessageGateway<OutgoingRcs> {
  const checking: CheckedGateway = { gateway, profile, db, clock, log, inside: 0 }
  return {
    name: gateway.name,
    kind: gateway.kind,
    channel: gateway.channel,
    send: (batch, listener) => sendBatch(checking, batch, listener),
    check: () => gateway.check(),
    close: (graceMs) => gateway.close(graceMs),
  }
}
