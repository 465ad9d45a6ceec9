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
const CHUNK = 100
/** Look-ups at once. */
const MAX_LOOKUPS = 25
/** While the answers cannot be read. */
const AWAY_MS = 1000
/** Of a profile with a speed, so much work is kept here at most: the rest waits in the outbox, where others have their turn. */
const KEPT_SECONDS = 10

/** How a phone that cannot be reached, or cannot show a message, is refused: as the network would. */
const UNREACHABLE = { stage: 'rcpt', enhanced: '5.3.3', gatewayCode: '404 NOT_FOUND', mta: 'google-rbm' } as const

interface Checking {
  gateway: RcsGateway
  profile: Pick<StoredRcsProfile, 'account' | 'id' | 'capability' | 'speed'>
  db: Db
  clock: Clock
  log: Logger
  /** Messages that the gateway has and that have no outcome. */
  inside: number
}

/** The purposes differ in how long a phone counts as not reachable. */
const purposes = ['marketing', 'service'] as const

/** What is known of the phones of messages, by phone. */
async function knownOf(
  { db, profile, clock }: Checking,
  messages: readonly OutgoingRcs[],
): Promise<Map<OutgoingRcs, CachedPhoneCapability>> {
  const known = new Map<OutgoingRcs, CachedPhoneCapability>()
  for (const purpose of purposes) {
    const own = messages.filter((message) => (message.purpose ?? 'marketing') === purpose)
    const phones = [...new Set(own.map(({ to }) => to))]
    const found = await readPhoneCapabilities(db, profile, phones, { now: new Date(clock.now()), purpose })
    for (const message of own) {
      const capability = found.get(message.to)
      if (capability) known.set(message, capability)
    }
  }
  return known
}

/** Asks for phones, a few at a time; gives what was answered. Those of which nothing is said are not in it. */
async function ask(
  { gateway, log }: Checking,
  phones: readonly string[],
  signal: AbortSignal | undefined,
): Promise<CheckedRcsPhone[]> {
  const answers: CheckedRcsPhone[] = []
  const left = phones.values()
  let unanswered = 0
  const work = async (): Promise<void> => {
    for (const phone of left) {
      if (signal?.aborted) return
      const answer = await gateway.capabilities(phone)
      if (answer.result === 'unknown') unanswered++
      else if (answer.result === 'unreachable') answers.push({ phone, reachable: false, features: [] })
      else answers.push({ phone, reachable: true, features: answer.features })
    }
  }
  await Promise.all(Array.from({ length: Math.min(MAX_LOOKUPS, phones.length) }, work))
  if (unanswered > 0) log.warn({ unanswered }, 'sent without a look-up: RBM does not say who can be reached')
  return answers
}

/** Why a phone cannot have a message; undefined: it can, as far as is known. */
function obstacle({ features = [] }: OutgoingRcs, capability: CachedPhoneCapability | undefined): string | undefined {
  if (!capability) return undefined
  if (!capability.reachable) return 'the phone cannot be reached by RCS'
  const { features: own } = capability
  const missing = own === null ? [] : features.filter((feature) => !own.includes(feature))
  return missing.length === 0 ? undefined : `the phone cannot show ${missing.join(', ')}`
}

/** Refuses the messages of phones that cannot be reached; gives the others. */
async function screen(
  checking: Checking,
  messages: readonly OutgoingRcs[],
  { signal, outcome }: SendBatchListener,
): Promise<OutgoingRcs[]> {
  const { db, profile, clock } = checking
  if (!profile.capability.check) return [...messages]
  const known = await knownOf(checking, messages)
  // What was tried may have arrived.
  const unknown = new Set(messages.flatMap((one) => (known.has(one) || one.attempts ? [] : [one.to])))
  const answers = await ask(checking, [...unknown], signal)
  await writePhoneCapabilities(db, profile, answers, new Date(clock.now()))
  const asked = new Map(answers.map((answer) => [answer.phone, answer]))
  return messages.filter((message) => {
    const reply = message.attempts ? undefined : obstacle(message, known.get(message) ?? asked.get(message.to))
    if (reply === undefined) return true
    const { id, sequence } = message
    outcome({ id, ...(sequence !== undefined && { sequence }), result: 'refused', ...UNREACHABLE, reply })
    return false
  })
}

function isUnreachable(answer: GatewayOutcome): answer is RefusedDelivery {
  return answer.result === 'refused' && answer.enhanced === UNREACHABLE.enhanced
}

/** Follows a chunk at the gateway, and notes the phones that it says cannot be reached. */
function following(checking: Checking, list: readonly OutgoingRcs[], listener: SendBatchListener) {
  const open = new Map(list.map(({ id, to }) => [id, to]))
  const unreachable: CheckedRcsPhone[] = []
  checking.inside += open.size
  return {
    unreachable,
    listener: {
      ...listener,
      outcome(answer: GatewayOutcome) {
        const phone = open.get(answer.id)
        if (open.delete(answer.id)) checking.inside--
        if (phone !== undefined && isUnreachable(answer)) unreachable.push({ phone, reachable: false, features: [] })
        listener.outcome(answer)
      },
    },
    end() {
      checking.inside -= open.size
      open.clear()
    },
  }
}

/** Hands a chunk over. */
async function pass(
  checking: Checking,
  list: readonly OutgoingRcs[],
  listener: SendBatchListener,
): Promise<SendBatchResult> {
  const { gateway, db, profile, clock, log } = checking
  const follower = following(checking, list, listener)
  try {
    return await gateway.send(list, follower.listener)
  } finally {
    follower.end()
    const phones = [...new Map(follower.unreachable.map((one) => [one.phone, one])).values()]
    await writePhoneCapabilities(db, profile, phones, new Date(clock.now())).catch((error) =>
      log.warn({ err: error }, 'phones that cannot be reached are not noted'),
    )
  }
}

/** Why nothing more is taken for now: the gateway rests, or has enough to do. */
function stopOf({ gateway, profile: { speed }, inside }: Checking): GatewayStop | undefined {
  const stopped = gateway.stopped()
  if (stopped) return stopped
  if (speed === 0 || inside < speed * KEPT_SECONDS) return undefined
  const retryAfterMs = Math.ceil((inside * 1000) / speed / 2)
  return { why: 'down', detail: 'the profile has its speed to keep', retryAfterMs }
}

function nextChunk(source: Iterator<OutgoingRcs>): OutgoingRcs[] {
  const chunk: OutgoingRcs[] = []
  while (chunk.length < CHUNK) {
    const { done, value } = source.next()
    if (done) break
    chunk.push(value)
  }
  return chunk
}

/** Looks at a batch chunk by chunk; the first are handed over while the next are looked at. */
async function send(
  checking: Checking,
  batch: Iterable<OutgoingRcs>,
  listener: SendBatchListener,
): Promise<SendBatchResult> {
  const source = batch[Symbol.iterator]()
  const passing: Promise<SendBatchResult>[] = []
  let taken = 0
  let stop = stopOf(checking)
  while (!stop && !listener.signal?.aborted) {
    const chunk = nextChunk(source)
    if (chunk.length === 0) break
    taken += chunk.length
    try {
      const passed = pass(checking, await screen(checking, chunk, listener), listener)
      // A failure is reported with the others.
      passed.catch(() => undefined)
      passing.push(passed)
    } catch (error) {
      checking.log.warn({ err: error }, 'who can be reached cannot be read')
      stop = { why: 'down', detail: 'who can be reached cannot be read', retryAfterMs: AWAY_MS }
    }
    stop ??= checking.gateway.stopped()
  }
  const results = await Promise.all(passing)
  stop ??= results.find((result) => result.stop)?.stop
  return { taken, ...(stop && { stop }) }
}

/** A gateway of a profile with these checks. */
export function wrapWithRcsChecks(
  gateway: RcsGateway,
  profile: Checking['profile'],
  { db, clock, log }: Pick<Checking, 'db' | 'clock' | 'log'>,
): MessageGateway<OutgoingRcs> {
  const checking: Checking = { gateway, profile, db, clock, log, inside: 0 }
  return {
    name: gateway.name,
    kind: gateway.kind,
    channel: gateway.channel,
    send: (batch, listener) => send(checking, batch, listener),
    check: () => gateway.check(),
    close: (graceMs) => gateway.close(graceMs),
  }
}
