import type { Gateway, Outcome as GatewayOutcome, OutgoingMail, SendListener } from '../../gateways/gateway.ts'
import type { ShortLink } from '../rendering/message-links.ts'
import { GIVE_UP_MS, retryDelay } from './backoff.ts'
import { type Claimed, releaseMessages } from './claim.ts'
import { type Composed, compose } from './compose.ts'
import { footprintOf } from './exclusions.ts'
import type { BatchJournal } from './journal.ts'
import type { Ready } from './materials.ts'
import type { Outcome } from './record.ts'
import type { Recorder } from './recorder.ts'
import { type Sender, whileAway } from './sender-context.ts'
import { storeShortLinks } from './short-links.ts'

/** How long messages wait for a gateway that is down and does not say for how long. */
const GATEWAY_PAUSE_MS = 5000

/** What the outcome of a message says whatever it is. */
export function common({ message, facts, source }: Ready, at: number): Omit<Outcome, 'ending'> {
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
export interface Share {
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
export async function sendShare(share: Share, list: readonly Ready[]): Promise<void> {
  const { sender, gateway, later, untouched } = share
  const listener = listenerOf(share)
  let { stop } = await gateway.send(making(share, list), listener)
  if (!stop && later.length > 0) {
    await whileAway(sender, () => storeShortLinks(sender.db, shortLinksOf(later), sender.clock.now()))
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
  const pause = stop.why === 'down' ? (stop.retryAfterMs ?? GATEWAY_PAUSE_MS) : 0
  const release = { notBefore: sender.clock.now() + pause, reply: stop.detail }
  await whileAway(sender, () => releaseMessages(sender.db, sender.id, [...untouched], release))
}
