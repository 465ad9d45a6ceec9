import type { Deferred, Outcome, OutgoingMail, Refused, Stage } from '../gateway.ts'
import { beginErrand, type Errand as QueuedErrand } from '../queue.ts'
import { reasonOf } from '../reason.ts'
import { chunkPieces, dataPieces } from './body.ts'
import { type EnvelopeCommands, envelopeFor } from './envelope.ts'
import { diagnostic, enhancedCode, isClass, type Reply, referenceOf } from './reply.ts'
import type { Session } from './session.ts'
import type { SmtpSettings } from './settings.ts'
import { cut, nextReply, transmit, WireFault } from './wire.ts'

/** A mail in the hands of a connection. */
export type Errand = QueuedErrand<OutgoingMail>

/** Where a connection gets its errands, and brings them back. Its functions do not throw. */
export interface Desk {
  /** The next one that is ready now; undefined when there is none, or the gateway is closing. */
  take(): Errand | undefined
  report(errand: Errand, outcome: Outcome): void
  /** For another connection: this one ended, as connections do after some messages, before the errand was begun. */
  giveBack(errand: Errand): void
}

/** A peer that ends every connection after its first messages is given this many connections for one message. */
const MOST_RETURNS = 3

/** A reply that has no place where it came. */
class OutOfTurn extends Error {}

interface Step {
  stage: Stage
  command: string
  /** The class of the reply hoped for. */
  hoped: 2 | 3
}

/** An errand whose envelope is on its way (with PIPELINING), or about to be. */
interface Announced {
  errand: Errand
  steps: Step[]
  /** RSET goes before it. */
  reset: boolean
}

interface Conversation {
  session: Session
  desk: Desk
  settings: SmtpSettings
  chunking: boolean
  /** How far the current errand is. */
  stage: Stage
  bodyBegun: boolean
  upcoming: Announced | undefined
}

/** What is to be written now for the errand announced, and the number of replies to it. */
interface Announcement {
  announced: Announced | undefined
  text: string
  replies: number
}

const NOTHING: Announcement = { announced: undefined, text: '', replies: 0 }

/** The outcome of a reply that was not the one hoped for. Throws OutOfTurn when it is no refusal either. */
function refusalOf(mail: OutgoingMail, stage: Stage, reply: Reply, mta: string): Deferred | Refused {
  const common = { id: mail.id, stage, code: reply.code, enhanced: enhancedCode(reply), reply: diagnostic(reply), mta }
  if (isClass(reply, 4)) return { ...common, result: 'deferred' }
  if (isClass(reply, 5)) return { ...common, result: 'refused' }
  throw new OutOfTurn(`an answer out of turn: ${diagnostic(reply)}`)
}

/** With CHUNKING there is no DATA, and nothing to take back when the address is refused. */
function stepsOf({ mail, rcpt }: EnvelopeCommands, chunking: boolean): Step[] {
  const steps: Step[] = [
    { stage: 'mail', command: mail, hoped: 2 },
    { stage: 'rcpt', command: rcpt, hoped: 2 },
  ]
  return chunking ? steps : [...steps, { stage: 'data', command: 'DATA\r\n', hoped: 3 }]
}

function nextErrand({ session, desk, settings }: Conversation): Errand | undefined {
  return session.announced < settings.messages ? desk.take() : undefined
}

/** Announces the first errand, from this one on, that this peer may be given at all; the others are refused here. */
function announce(talk: Conversation, first: Errand | undefined): Announcement {
  const { session, desk, chunking } = talk
  for (let errand = first; errand !== undefined; errand = nextErrand(talk)) {
    const envelope = envelopeFor(errand.message, session.features)
    if ('code' in envelope) {
      desk.report(errand, { id: errand.message.id, result: 'refused', ...envelope, mta: '' })
      continue
    }
    const announced = { errand, steps: stepsOf(envelope, chunking), reset: session.dirty }
    session.announced++
    session.dirty = false
    if (!session.features.pipelining) return { announced, text: '', replies: 0 }
    const commands = announced.steps.map((step) => step.command)
    if (announced.reset) commands.unshift('RSET\r\n')
    return { announced, text: commands.join(''), replies: commands.length }
  }
  return NOTHING
}

/** Announces by a write of its own: there is no body to go with. */
function begin(talk: Conversation, errand: Errand | undefined): Announced | undefined {
  const { announced, text, replies } = announce(talk, errand)
  if (replies > 0) transmit(talk.session.wire, [text], replies)
  return announced
}

/** With PIPELINING the command went with the announcement. */
function ask({ session: { wire, features } }: Conversation, command: string, timeoutMs: number): Promise<Reply> {
  if (!features.pipelining) transmit(wire, [command], 1)
  return nextReply(wire, timeoutMs)
}

/** 421: the peer is leaving, whatever it was asked. */
function heed({ session: { wire } }: Conversation, reply: Reply): void {
  if (reply.code === 421) cut(wire, diagnostic(reply))
}

/**
 * 354 although the message was refused: its body must be ended at once (RFC 2920, 3.1). Only when RCPT was refused, the
 * one there was, is it sure that nobody gets the empty message.
 */
async function endEmpty({ session: { wire }, settings }: Conversation, refusedAt: Stage): Promise<void> {
  if (refusedAt !== 'rcpt') {
    cut(wire, 'the remote asks for the content of a message it refused')
    return
  }
  transmit(wire, ['.\r\n'], 1)
  await nextReply(wire, settings.finalMs)
}

/** Walks through the envelope. Answers undefined when the body may follow, else what the envelope came to. */
async function walkEnvelope(talk: Conversation, { errand, steps, reset }: Announced): Promise<Outcome | undefined> {
  const { session, settings } = talk
  if (reset) {
    const reply = await ask(talk, 'RSET\r\n', settings.commandMs)
    heed(talk, reply)
    if (!isClass(reply, 2) && reply.code !== 421) throw new OutOfTurn(`RSET was refused: ${diagnostic(reply)}`)
  }
  let refusal: Deferred | Refused | undefined
  for (const { stage, command, hoped } of steps) {
    if (refusal === undefined) talk.stage = stage
    const reply = await ask(talk, command, hoped === 3 ? settings.dataMs : settings.commandMs)
    heed(talk, reply)
    if (!isClass(reply, hoped)) refusal ??= refusalOf(errand.message, stage, reply, session.mta)
    else if (hoped === 3 && refusal !== undefined) await endEmpty(talk, refusal.stage)
    const over = !session.features.pipelining || session.wire.fault !== undefined
    if (refusal !== undefined && over) break
  }
  session.dirty = refusal !== undefined
  return refusal
}

/** Writes the body, and with it the next envelope. Throws what ended the connection, or kept the body here. */
async function sendBody(talk: Conversation, errand: Errand): Promise<void> {
  const { session, chunking } = talk
  const { wire } = session
  const isBegun = await beginErrand(errand, () => wire.fault === undefined)
  if (!isBegun) throw wire.fault
  talk.bodyBegun = true
  const next = session.features.pipelining ? announce(talk, nextErrand(talk)) : NOTHING
  talk.upcoming = next.announced
  const pieces = chunking ? chunkPieces(errand.message, next.text) : dataPieces(errand.message, next.text)
  transmit(wire, pieces, 1 + next.replies)
}

async function deliver(talk: Conversation, announced: Announced): Promise<void> {
  const { session, settings } = talk
  const { errand } = announced
  const refusal = await walkEnvelope(talk, announced)
  if (refusal !== undefined) {
    settle(talk, errand, refusal)
    return
  }
  await sendBody(talk, errand)
  const reply = await nextReply(session.wire, settings.finalMs)
  const { mta } = session
  const outcome: Outcome = isClass(reply, 2)
    ? { id: errand.message.id, result: 'accepted', reference: referenceOf(reply), reply: diagnostic(reply), mta }
    : refusalOf(errand.message, 'data', reply, mta)
  settle(talk, errand, outcome)
  if (endsSession(reply, talk.chunking)) cut(session.wire, diagnostic(reply))
}

/** 421, or BDAT not understood after all: then the peer reads the body as commands, and answers every line of it. */
function endsSession({ code }: Reply, chunking: boolean): boolean {
  return code === 421 || (chunking && code >= 500 && code <= 504)
}

/** A peer that leaves between two messages has not judged the second one. */
function settle(talk: Conversation, errand: Errand, outcome: Outcome): void {
  const { session, desk, bodyBegun } = talk
  const left = session.wire.fault !== undefined && !bodyBegun && outcome.result === 'deferred'
  if (!left) session.judged++
  if (left && session.judged > 0) giveBack(talk, errand, outcome)
  else desk.report(errand, outcome)
}

/** To another connection; after too many of them, `outcome` it is. */
function giveBack({ desk }: Conversation, errand: Errand, outcome: Outcome): void {
  if (errand.returns++ < MOST_RETURNS) desk.giveBack(errand)
  else desk.report(errand, outcome)
}

/** The session ended under the errand: in doubt once the body was begun, else nothing was lost. */
function settleBroken(talk: Conversation, errand: Errand, error: unknown): void {
  const { session, desk, stage, bodyBegun } = talk
  const common = { id: errand.message.id, mta: session.mta }
  const reason = reasonOf(error)
  const outcome: Outcome = bodyBegun
    ? { ...common, result: 'doubtful', reason }
    : { ...common, result: 'deferred', stage, reply: reason }
  if (!bodyBegun && error instanceof WireFault && session.judged > 0) giveBack(talk, errand, outcome)
  else desk.report(errand, outcome)
}

/**
 * Sends errands over one session until the desk has none for it, or the session ends. Never throws: whatever happens
 * becomes an outcome, or the errand goes back to the desk.
 *
 * With PIPELINING (RFC 2920) the whole envelope is one write, and travels in the same write as the body of the message
 * before it: one write and one round trip a message.
 */
export async function converse(session: Session, first: Errand, desk: Desk, settings: SmtpSettings): Promise<void> {
  const chunking = session.features.chunking && settings.chunking
  const talk: Conversation = { session, desk, settings, chunking, stage: 'mail', bodyBegun: false, upcoming: undefined }
  let current = begin(talk, first)
  while (current !== undefined) {
    talk.stage = 'mail'
    talk.bodyBegun = false
    try {
      await deliver(talk, current)
    } catch (error) {
      cut(session.wire, reasonOf(error))
      settleBroken(talk, current.errand, error)
    }
    if (session.wire.fault !== undefined) break
    current = talk.upcoming ?? begin(talk, nextErrand(talk))
    talk.upcoming = undefined
  }
  const left = talk.upcoming
  if (left === undefined) return
  const reply = session.wire.fault?.message ?? ''
  giveBack(talk, left.errand, {
    id: left.errand.message.id,
    result: 'deferred',
    stage: 'mail',
    reply,
    mta: session.mta,
  })
}
