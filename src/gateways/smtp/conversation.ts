import { formatErrorReason } from '../../lib/errors/reason.ts'
import type { DeferredDelivery, GatewayOutcome, OutgoingMail, RefusedDelivery, SendStage } from '../gateway.ts'
import { awaitBeforeBody, type QueuedDelivery } from '../queue.ts'
import { buildChunkPieces, buildDataPieces } from './body.ts'
import { buildEnvelopeCommands, type EnvelopeCommands } from './envelope.ts'
import { formatReplyDiagnostic, getEnhancedCode, getReplyReference, isReplyClass, type SmtpReply } from './reply.ts'
import type { SmtpSession } from './session.ts'
import type { SmtpSettings } from './settings.ts'
import { cutSmtpWire, readNextSmtpReply, SmtpWireFault, transmitSmtp } from './wire.ts'

/** A mail taken by a connection. */
export type SmtpDelivery = QueuedDelivery<OutgoingMail>

/** Hands deliveries to connections, and takes their outcomes. Its functions do not throw. */
export interface SmtpDispatcher {
  /** The next one that is ready now; undefined when there is none, or the gateway is closing. */
  take(): SmtpDelivery | undefined
  report(delivery: SmtpDelivery, outcome: GatewayOutcome): void
  /** For another connection: this one ended, as connections do after some messages, before the body was sent. */
  requeue(delivery: SmtpDelivery): void
}

/** How often one message is given to another connection of a peer that ends each after its first messages. */
const MAX_REQUEUES = 3

/** A reply that is neither a success nor a refusal. */
class UnexpectedReply extends Error {}

interface Step {
  stage: SendStage
  command: string
  /** The class of the reply that means success. */
  expected: 2 | 3
}

/** A delivery whose envelope is sent (with PIPELINING), or about to be. */
interface Announced {
  delivery: SmtpDelivery
  steps: Step[]
  /** RSET goes before it. */
  reset: boolean
}

interface Conversation {
  session: SmtpSession
  dispatcher: SmtpDispatcher
  settings: SmtpSettings
  chunking: boolean
  /** The step of the current delivery. */
  stage: SendStage
  bodyStarted: boolean
  upcoming: Announced | undefined
}

/** What to write now for the announced delivery, and the number of replies to it. */
interface Announcement {
  announced: Announced | undefined
  text: string
  replies: number
}

const NOTHING: Announcement = { announced: undefined, text: '', replies: 0 }

/** The outcome of a reply that is not the expected one. Throws UnexpectedReply when it is no refusal either. */
function refusalOf(
  mail: OutgoingMail,
  stage: SendStage,
  reply: SmtpReply,
  mta: string,
): DeferredDelivery | RefusedDelivery {
  const common = {
    id: mail.id,
    stage,
    code: reply.code,
    enhanced: getEnhancedCode(reply),
    reply: formatReplyDiagnostic(reply),
    mta,
  }
  if (isReplyClass(reply, 4)) return { ...common, result: 'deferred' }
  if (isReplyClass(reply, 5)) return { ...common, result: 'refused' }
  throw new UnexpectedReply(`unexpected reply: ${formatReplyDiagnostic(reply)}`)
}

/** With CHUNKING there is no DATA, and nothing to take back when the address is refused. */
function stepsOf({ mail, rcpt }: EnvelopeCommands, chunking: boolean): Step[] {
  const steps: Step[] = [
    { stage: 'mail', command: mail, expected: 2 },
    { stage: 'rcpt', command: rcpt, expected: 2 },
  ]
  return chunking ? steps : [...steps, { stage: 'data', command: 'DATA\r\n', expected: 3 }]
}

function nextDelivery({ session, dispatcher, settings }: Conversation): SmtpDelivery | undefined {
  return session.announced < settings.messages ? dispatcher.take() : undefined
}

/** Announces the first delivery, from this one on, that this peer can take; those before it are refused here. */
function announce(dialogue: Conversation, first: SmtpDelivery | undefined): Announcement {
  const { session, dispatcher, chunking } = dialogue
  for (let delivery = first; delivery !== undefined; delivery = nextDelivery(dialogue)) {
    const envelope = buildEnvelopeCommands(delivery.message, session.features)
    if ('code' in envelope) {
      dispatcher.report(delivery, { id: delivery.message.id, result: 'refused', ...envelope, mta: '' })
      continue
    }
    const announced = { delivery, steps: stepsOf(envelope, chunking), reset: session.dirty }
    session.announced++
    session.dirty = false
    if (!session.features.pipelining) return { announced, text: '', replies: 0 }
    const commands = announced.steps.map((step) => step.command)
    if (announced.reset) commands.unshift('RSET\r\n')
    return { announced, text: commands.join(''), replies: commands.length }
  }
  return NOTHING
}

/** Announces in a write of its own, as there is no body to send it with. */
function announceAlone(dialogue: Conversation, delivery: SmtpDelivery | undefined): Announced | undefined {
  const { announced, text, replies } = announce(dialogue, delivery)
  if (replies > 0) transmitSmtp(dialogue.session.wire, [text], replies)
  return announced
}

/** With PIPELINING the command was sent with the announcement. */
function ask({ session: { wire, features } }: Conversation, command: string, timeoutMs: number): Promise<SmtpReply> {
  if (!features.pipelining) transmitSmtp(wire, [command], 1)
  return readNextSmtpReply(wire, timeoutMs)
}

/** 421: the peer closes the connection, whatever the command was. */
function endOn421({ session: { wire } }: Conversation, reply: SmtpReply): void {
  if (reply.code === 421) cutSmtpWire(wire, formatReplyDiagnostic(reply))
}

/**
 * 354 although the message was refused: its body must be ended at once (RFC 2920, 3.1). Only after its
 * one RCPT was refused it is certain that no recipient gets the empty message.
 */
async function endEmpty({ session: { wire }, settings }: Conversation, refusedAt: SendStage): Promise<void> {
  if (refusedAt !== 'rcpt') {
    cutSmtpWire(wire, 'the remote asks for the content of a message it refused')
    return
  }
  transmitSmtp(wire, ['.\r\n'], 1)
  await readNextSmtpReply(wire, settings.finalMs)
}

/** Sends the envelope. Answers undefined when the body may follow, else the outcome. */
async function sendEnvelope(
  dialogue: Conversation,
  { delivery, steps, reset }: Announced,
): Promise<GatewayOutcome | undefined> {
  const { session, settings } = dialogue
  if (reset) {
    const reply = await ask(dialogue, 'RSET\r\n', settings.commandMs)
    endOn421(dialogue, reply)
    if (!isReplyClass(reply, 2) && reply.code !== 421)
      throw new UnexpectedReply(`RSET was refused: ${formatReplyDiagnostic(reply)}`)
  }
  let refusal: DeferredDelivery | RefusedDelivery | undefined
  for (const { stage, command, expected } of steps) {
    if (refusal === undefined) dialogue.stage = stage
    const reply = await ask(dialogue, command, expected === 3 ? settings.dataMs : settings.commandMs)
    endOn421(dialogue, reply)
    if (!isReplyClass(reply, expected)) refusal ??= refusalOf(delivery.message, stage, reply, session.mta)
    else if (expected === 3 && refusal !== undefined) await endEmpty(dialogue, refusal.stage)
    const over = !session.features.pipelining || session.wire.fault !== undefined
    if (refusal !== undefined && over) break
  }
  session.dirty = refusal !== undefined
  return refusal
}

/** Writes the body, and with it the next envelope. Throws when the connection ended, or the journal failed. */
async function sendBody(dialogue: Conversation, delivery: SmtpDelivery): Promise<void> {
  const { session, chunking } = dialogue
  const { wire } = session
  const isStarted = await awaitBeforeBody(delivery, () => wire.fault === undefined)
  if (!isStarted) throw wire.fault
  dialogue.bodyStarted = true
  const next = session.features.pipelining ? announce(dialogue, nextDelivery(dialogue)) : NOTHING
  dialogue.upcoming = next.announced
  const pieces = chunking ? buildChunkPieces(delivery.message, next.text) : buildDataPieces(delivery.message, next.text)
  transmitSmtp(wire, pieces, 1 + next.replies)
}

async function deliver(dialogue: Conversation, announced: Announced): Promise<void> {
  const { session, settings } = dialogue
  const { delivery } = announced
  const refusal = await sendEnvelope(dialogue, announced)
  if (refusal !== undefined) {
    settle(dialogue, delivery, refusal)
    return
  }
  await sendBody(dialogue, delivery)
  const reply = await readNextSmtpReply(session.wire, settings.finalMs)
  const { mta } = session
  const outcome: GatewayOutcome = isReplyClass(reply, 2)
    ? {
        id: delivery.message.id,
        result: 'accepted',
        reference: getReplyReference(reply),
        reply: formatReplyDiagnostic(reply),
        mta,
      }
    : refusalOf(delivery.message, 'data', reply, mta)
  settle(dialogue, delivery, outcome)
  if (endsSession(reply, dialogue.chunking)) cutSmtpWire(session.wire, formatReplyDiagnostic(reply))
}

/** 421, or BDAT not understood after all: then the peer reads the body as commands, and answers every line of it. */
function endsSession({ code }: SmtpReply, chunking: boolean): boolean {
  return code === 421 || (chunking && code >= 500 && code <= 504)
}

/** A peer that closes between two messages has not answered the second one. */
function settle(dialogue: Conversation, delivery: SmtpDelivery, outcome: GatewayOutcome): void {
  const { session, dispatcher, bodyStarted } = dialogue
  const left = session.wire.fault !== undefined && !bodyStarted && outcome.result === 'deferred'
  if (!left) session.judged++
  if (left && session.judged > 0) requeue(dialogue, delivery, outcome)
  else dispatcher.report(delivery, outcome)
}

/** Leaves it to another connection; after too many of them it gets `outcome`. */
function requeue({ dispatcher }: Conversation, delivery: SmtpDelivery, outcome: GatewayOutcome): void {
  if (delivery.requeues++ < MAX_REQUEUES) dispatcher.requeue(delivery)
  else dispatcher.report(delivery, outcome)
}

/** The session ended during the delivery: outcome unknown once the body was started, else it is safe to retry. */
function settleBroken(dialogue: Conversation, delivery: SmtpDelivery, error: unknown): void {
  const { session, dispatcher, stage, bodyStarted } = dialogue
  const common = { id: delivery.message.id, mta: session.mta }
  const reason = formatErrorReason(error)
  const outcome: GatewayOutcome = bodyStarted
    ? { ...common, result: 'doubtful', reason }
    : { ...common, result: 'deferred', stage, reply: reason }
  if (!bodyStarted && error instanceof SmtpWireFault && session.judged > 0) requeue(dialogue, delivery, outcome)
  else dispatcher.report(delivery, outcome)
}

/**
 * Sends deliveries over one session until the dispatcher has none for it, or the session ends. Never throws: every
 * error becomes an outcome, or the delivery is requeued.
 *
 * With PIPELINING (RFC 2920) the whole envelope is one write, and travels in the same write as the body of the message
 * before it: one write and one round trip a message.
 */
export async function sendOverSmtpSession(
  session: SmtpSession,
  first: SmtpDelivery,
  dispatcher: SmtpDispatcher,
  settings: SmtpSettings,
): Promise<void> {
  const chunking = session.features.chunking && settings.chunking
  const dialogue: Conversation = {
    session,
    dispatcher,
    settings,
    chunking,
    stage: 'mail',
    bodyStarted: false,
    upcoming: undefined,
  }
  let current = announceAlone(dialogue, first)
  while (current !== undefined) {
    dialogue.stage = 'mail'
    dialogue.bodyStarted = false
    try {
      await deliver(dialogue, current)
    } catch (error) {
      cutSmtpWire(session.wire, formatErrorReason(error))
      settleBroken(dialogue, current.delivery, error)
    }
    if (session.wire.fault !== undefined) break
    current = dialogue.upcoming ?? announceAlone(dialogue, nextDelivery(dialogue))
    dialogue.upcoming = undefined
  }
  const left = dialogue.upcoming
  if (left === undefined) return
  const reply = session.wire.fault?.message ?? ''
  requeue(dialogue, left.delivery, {
    id: left.delivery.message.id,
    result: 'deferred',
    stage: 'mail',
    reply,
    mta: session.mta,
  })
}
