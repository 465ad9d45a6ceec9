import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../../database/connect.ts'
import { isUnavailable } from '../../database/errors.ts'
import type { Gateway, Outcome as GatewayOutcome, OutgoingMail, SendListener } from '../../gateways/gateway.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Clock } from '../../lib/clock.ts'
import type { TokenKeys } from '../../lib/tokens.ts'
import type { ShortLink } from '../rendering/message-links.ts'
import { GIVE_UP_MS, retryDelay } from './backoff.ts'
import { type Claimed, claimMessages, releaseMessages } from './claim.ts'
import { type Composed, compose } from './compose.ts'
import { exclusionOf, footprintOf } from './exclusions.ts'
import { loadFacts } from './facts.ts'
import type { GatewayBook } from './gateway-book.ts'
import type { BatchJournal, Journal } from './journal.ts'
import type { AccountMaterials, CompiledVersion, Materials, Ready } from './materials.ts'
import type { Lane } from './outbox.ts'
import { type Outcome, recordOutcomes } from './record.ts'
import { storeShortLinks } from './short-links.ts'

/** How long a claim lasts without being renewed. */
export const LEASE_MS = 5 * 60_000
/** Outcomes are written when so many wait, or after so long. */
const RECORD_AT = 500
const RECORD_MS = 500
const DATABASE_PAUSE_MS = 1000
/** How long messages wait for a gateway that is down and does not say for how long. */
const GATEWAY_PAUSE_MS = 5000

/** One sender: what it works with, and the name its claims carry. */
export interface Sender {
  id: string
  db: Db
  clock: Clock
  log: Logger
  tokens: TokenKeys
  gateways: GatewayBook
  journal: Journal
  materials: Materials
  /** Aborted when the sender is to end. */
  signal: AbortSignal
  /** Told of every outcome that was recorded, for the figures. */
  observe(outcomes: readonly Outcome[]): void
}

/** Gathers what claimed messages need: their versions, their accounts' rules, and the facts of this moment. */
async function prepare({ db, materials, clock }: Sender, claimed: readonly Claimed[]): Promise<Ready[]> {
  const versions = new Map<number, CompiledVersion>()
  const owners = new Map<AccountId, AccountMaterials>()
  for (const { account, version } of claimed) {
    if (!versions.has(version)) versions.set(version, await materials.version(account, version))
    if (!owners.has(account)) owners.set(account, await materials.account(account))
  }
  const facts = await loadFacts(db, claimed, (version) => versions.get(version)!.source.settings.field)
  const now = clock.now()
  return claimed.flatMap((message) => {
    const [version, owner, known] = [versions.get(message.version), owners.get(message.account), facts.get(message.id)]
    return version && owner && known
      ? {
          message,
          version,
          owner,
          source: version.source,
          facts: known,
          rules: owner.rules,
          account: message.account,
          now,
        }
      : []
  })
}

/** What the recorder collects, and writes behind the sending. */
interface Recorder {
  add(outcome: Outcome): void
  /** Everything added is in the database, or the sender was told to end. */
  finish(): Promise<void>
}

/** Records outcomes, again and again while the database is away: the journal holds them all that time. */
async function persist(
  sender: Sender,
  messages: ReadonlyMap<number, Claimed>,
  outcomes: readonly Outcome[],
): Promise<void> {
  for (;;) {
    try {
      return await recordOutcomes(sender.db, sender.id, messages, outcomes)
    } catch (error) {
      if (!isUnavailable(error) || sender.signal.aborted) throw error
      sender.log.warn({ err: error, outcomes: outcomes.length }, 'outcomes wait for the database')
      await delay(DATABASE_PAUSE_MS, undefined, { signal: sender.signal })
    }
  }
}

function startRecorder(sender: Sender, messages: ReadonlyMap<number, Claimed>): Recorder {
  let waiting: Outcome[] = []
  let writing = Promise.resolve()
  const flush = (): void => {
    if (waiting.length === 0) return
    const outcomes = waiting
    waiting = []
    writing = writing.then(async () => {
      await persist(sender, messages, outcomes)
      sender.observe(outcomes)
    })
    // Looked at by finish(); until then a failure must not end the process.
    writing.catch(() => undefined)
  }
  const timer = setInterval(flush, RECORD_MS)
  return {
    add(outcome) {
      waiting.push(outcome)
      if (waiting.length >= RECORD_AT) flush()
    },
    async finish() {
      clearInterval(timer)
      flush()
      await writing
    },
  }
}

function common({ message, facts, source }: Ready, at: number): Omit<Outcome, 'ending'> {
  return {
    id: message.id,
    footprint: footprintOf(facts.contact),
    field: message.address === null ? source.settings.field : null,
    at,
  }
}

/** What a gateway's answer means for a message: its end, or when to try again. */
function endingOf(
  { message, owner }: Ready,
  composed: Composed,
  answer: GatewayOutcome,
  gateway: string,
  at: number,
): Outcome['ending'] {
  const { address, values } = composed
  switch (answer.result) {
    case 'accepted':
      return { type: 'accepted', address, gateway, values, reference: answer.reference }
    case 'refused':
      return {
        type: 'refused',
        address,
        gateway,
        values,
        stage: answer.stage,
        code: answer.code,
        enhanced: answer.enhanced,
        reply: answer.reply,
        mta: answer.mta,
      }
    case 'doubtful':
      return owner.inDoubt === 'send'
        ? { type: 'postponed', notBefore: at + retryDelay(message.attempts), reply: answer.reason }
        : { type: 'held', reason: answer.reason }
    case 'deferred': {
      const isOver = at >= Math.min(message.expiresAt.getTime(), message.createdAt.getTime() + GIVE_UP_MS)
      if (!isOver)
        return {
          type: 'postponed',
          notBefore: at + (answer.retryAfterMs ?? retryDelay(message.attempts)),
          reply: answer.reply,
        }
      return {
        type: 'refused',
        address,
        gateway,
        values,
        stage: answer.stage,
        code: answer.code ?? null,
        enhanced: '4.4.7',
        reply: `delivery time expired: ${answer.reply}`,
        mta: answer.mta,
      }
    }
  }
}

/** The share of one gateway in a batch, while it is being sent. */
interface Share {
  sender: Sender
  gateway: Gateway
  journal: BatchJournal
  recorder: Recorder
  /** Composed, and without an outcome yet. */
  made: Map<number, Made>
  /** Composed, but short links are to be stored first. */
  later: Made[]
  /** Neither ended nor taken by the gateway. */
  untouched: Set<number>
}

interface Made {
  ready: Ready
  composed: Composed
}

/** A fault of ours in one message must not keep the others from leaving: it ends that message, and the log has the cause. */
function composeSafely({ tokens, clock, log }: Sender, ready: Ready): ReturnType<typeof compose> {
  try {
    return compose(ready, tokens, clock.now())
  } catch (error) {
    log.error({ err: error, message: ready.message.id, version: ready.message.version }, 'a message cannot be composed')
    return {
      cancellation: {
        type: 'render error',
        value: { type: 'render', message: 'the message cannot be composed', position: null },
      },
    }
  }
}

/** Makes messages one by one as the gateway takes them; one that cannot be made ends here. */
function* making({ sender, recorder, made, later, untouched }: Share, list: readonly Ready[]): Generator<OutgoingMail> {
  for (const ready of list) {
    const result = composeSafely(sender, ready)
    if ('cancellation' in result) {
      untouched.delete(ready.message.id)
      recorder.add({
        ...common(ready, sender.clock.now()),
        ending: { type: 'cancelled', cancellation: result.cancellation },
      })
      continue
    }
    const one = { ready, composed: result }
    made.set(ready.message.id, one)
    if (result.shortLinks.length > 0) later.push(one)
    else yield result.mail
  }
}

function listenerOf({ sender, gateway, journal, recorder, made, untouched }: Share): SendListener {
  return {
    signal: sender.signal,
    beforeBody: (id) => journal.begin(id),
    outcome(answer) {
      const one = made.get(answer.id)
      if (!one) return
      made.delete(answer.id)
      untouched.delete(answer.id)
      const at = sender.clock.now()
      const outcome = { ...common(one.ready, at), ending: endingOf(one.ready, one.composed, answer, gateway.name, at) }
      journal.end(answer.id, outcome)
      recorder.add(outcome)
    },
  }
}

function shortLinksOf(later: readonly Made[]): { message: Claimed; link: ShortLink }[] {
  return later.flatMap(({ ready, composed }) => composed.shortLinks.map((link) => ({ message: ready.message, link })))
}

/** Sends one gateway's share of a batch; what it does not take is given back. */
async function sendShare(share: Share, list: readonly Ready[]): Promise<void> {
  const { sender, gateway, later, untouched } = share
  const listener = listenerOf(share)
  let { stop } = await gateway.send(making(share, list), listener)
  if (!stop && later.length > 0) {
    await storeShortLinks(sender.db, shortLinksOf(later), sender.clock.now())
    stop = (
      await gateway.send(
        later.map(({ composed }) => composed.mail),
        listener,
      )
    ).stop
  }
  if (!stop) return
  if (stop.why === 'down')
    sender.log.warn({ gateway: gateway.name, waiting: untouched.size, reason: stop.detail }, 'gateway is down')
  await releaseMessages(sender.db, sender.id, [...untouched], {
    notBefore: sender.clock.now() + (stop.why === 'down' ? (stop.retryAfterMs ?? GATEWAY_PAUSE_MS) : 0),
    reply: stop.detail,
  })
}

/** The gateway of each message, and the messages of each gateway. */
async function byGateway({ gateways }: Sender, list: readonly Ready[]): Promise<Map<Gateway, Ready[]>> {
  const groups = new Map<Gateway, Ready[]>()
  for (const ready of list) {
    const gateway = await gateways.gatewayOf(ready.account, ready.message.channel)
    const group = groups.get(gateway)
    if (group) group.push(ready)
    else groups.set(gateway, [ready])
  }
  return groups
}

/** Ends the messages that are excluded; gives the others, by gateway. */
async function sortOut(
  sender: Sender,
  claimed: readonly Claimed[],
  recorder: Recorder,
): Promise<Map<Gateway, Ready[]>> {
  const fit: Ready[] = []
  for (const ready of await prepare(sender, claimed)) {
    const cancellation = exclusionOf(ready)
    if (cancellation)
      recorder.add({ ...common(ready, sender.clock.now()), ending: { type: 'cancelled', cancellation } })
    else fit.push(ready)
  }
  return byGateway(sender, fit)
}

/**
 * Claims up to `limit` messages of a lane, checks, composes, sends and records them; gives how many were claimed.
 * When their facts cannot be had, all are given back untried.
 */
export async function sendBatch(sender: Sender, lane: Lane, limit: number): Promise<number> {
  const claimed = await claimMessages(sender.db, sender.id, lane, { limit, now: sender.clock.now(), leaseMs: LEASE_MS })
  if (claimed.length === 0) return 0
  const recorder = startRecorder(sender, new Map(claimed.map((message) => [message.id, message])))
  const journal = sender.journal.open()
  try {
    const groups = await sortOut(sender, claimed, recorder)
    const shares = [...groups].map(([gateway, list]) => {
      const untouched = new Set(list.map(({ message }) => message.id))
      return sendShare({ sender, gateway, journal, recorder, made: new Map(), later: [], untouched }, list)
    })
    await Promise.all(shares)
  } finally {
    await recorder.finish()
  }
  journal.close()
  return claimed.length
}
