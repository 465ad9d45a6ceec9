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
  /** Returns the next delivery that is ready now; `undefined` if no delivery is ready, or if the gateway is closing. */
  take(): SmtpDelivery | undefined
  report(delivery: SmtpDelivery, outcome: GatewayOutcome): void
  /** For another connection: this one ended, as connections do after some messages, before the body was sent. */
  requeue(delivery: SmtpDelivery): void
}

/** Maximum number of times a message moves to another connection, for a peer that closes each one after its first messages. */
const MAX_REQUEUES = 3

/** A reply that is neither a success nor a refusal. */
class UnexpectedReplyError extends Error {}

interface EnvelopeStep {
  stage: SendStage
  command: string
  /** The class of the reply that means success. */
  expected: 2 | 3
}

/** A delivery whose envelope is sent (with PIPELINING), or about to be. */
interface AnnouncedDelivery {
  delivery: SmtpDelivery
  steps: EnvelopeStep[]
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
  upcoming: AnnouncedDelivery | undefined
}

/** Output for the announced delivery, and the number of replies to it. */
interface Announcement {
  announced: AnnouncedDelivery | undefined
  text: string
  replies: number
}

const EMPTY_ANNOUNCEMENT: Announcement = { announced: undefined, text: '', replies: 0 }

/** The outcome of a reply that is not the expected one. Throws UnexpectedReply when it is no refusal either. */
function toRefusalOutcome(
  mail: OutgoingMail,
  stage: SendStage,
  reply: SmtpReply,
  mta: string,
): DeferredDelivery | RefusedDelivery {
  const commonOutcome = {
    id: mail.id,
    stage,
    code: reply.code,
    enhanced: getEnhancedCode(reply),
    reply: formatReplyDiagnostic(reply),
    mta,
  }
  if (isReplyClass(reply, 4)) return { ...commonOutcome, result: 'deferred' }
  if (isReplyClass(reply, 5)) return { ...commonOutcome, result: 'refused' }
  throw new UnexpectedReplyError(`unexpected reply: ${formatReplyDiagnostic(reply)}`)
}

/** With CHUNKING there is no DATA, and nothing to take back when the address is refused. */
function buildSteps({ mail, rcpt }: EnvelopeCommands, chunking: boolean): EnvelopeStep[] {
  const steps: EnvelopeStep[] = [
    { stage: 'mail', command: mail, expected: 2 },
    { stage: 'rcpt', command: rcpt, expected: 2 },
  ]
  return chunking ? steps : [...steps, { stage: 'data', command: 'DATA\r\n', expected: 3 }]
}

function takeNextDelivery({ session, dispatcher, settings }: Conversation): SmtpDelivery | undefined {
  return session.announced < settings.messages ? dispatcher.take() : undefined
}

/** Announces the first delivery, from this one on, that this peer can take; those before it are refused here. */
function announceDelivery(conversation: Conversation, first: SmtpDelivery | undefined): Announcement {
  const { session, dispatcher, chunking } = conversation
  for (let delivery = first; delivery !== undefined; delivery = takeNextDelivery(conversation)) {
    const envelope = buildEnvelopeCommands(delivery.message, session.features)
    if ('code' in envelope) {
      dispatcher.report(delivery, { id: delivery.message.id, result: 'refused', ...envelope, mta: '' })
      continue
    }
    const announced = { delivery, steps: buildSteps(envelope, chunking), reset: session.dirty }
    session.announced++
    session.dirty = false
    if (!session.features.pipelining) return { announced, text: '', replies: 0 }
    const commands = announced.steps.map((step) => step.command)
    if (announced.reset) commands.unshift('RSET\r\n')
    return { announced, text: commands.join(''), replies: commands.length }
  }
  return EMPTY_ANNOUNCEMENT
}

/** Announces in a write of its own, as there is no body to send it with. */
function announceSeparately(
  conversation: Conversation,
  delivery: SmtpDelivery | undefined,
): AnnouncedDelivery | undefined {
  const { announced, text, replies } = announceDelivery(conversation, delivery)
  if (replies > 0) transmitSmtp(conversation.session.wire, [text], replies)
  return announced
}

/** With PIPELINING the command was sent with the announcement. */
function sendCommand(
  { session: { wire, features } }: Conversation,
  command: string,
  timeoutMs: number,
): Promise<SmtpReply> {
  if (!features.pipelining) transmitSmtp(wire, [command], 1)
  return readNextSmtpReply(wire, timeoutMs)
}

/** 421: the peer closes the connection, whatever the command was. */
function closeOn421({ session: { wire } }: Conversation, reply: SmtpReply): void {
  if (reply.code === 421) cutSmtpWire(wire, formatReplyDiagnostic(reply))
}

/**
 * 354 although the message was refused: its body must be ended at once (RFC 2920, 3.1). Only after its
 * one RCPT was refused it is certain that no recipient gets the empty message.
 */
async function endRefusedBody({ session: { wire }, settings }: Conversation, refusedAt: SendStage): Promise<void> {
  if (refusedAt !== 'rcpt') {
    cutSmtpWire(wire, 'the remote asks for the content of a message it refused')
    return
  }
  transmitSmtp(wire, ['.\r\n'], 1)
  await readNextSmtpReply(wire, settings.finalMs)
}

/** Sends the envelope. Answers undefined when the body may follow, else the outcome. */
async function sendEnvelope(
  conversation: Conversation,
  { delivery, steps, reset }: AnnouncedDelivery,
): Promise<GatewayOutcome | undefined> {
  const { session, settings } = conversation
  if (reset) {
    const reply = await sendCommand(conversation, 'RSET\r\n', settings.commandMs)
    closeOn421(conversation, reply)
    if (!isReplyClass(reply, 2) && reply.code !== 421)
      throw new UnexpectedReplyError(`RSET was refused: ${formatReplyDiagnostic(reply)}`)
  }
  let refusal: DeferredDelivery | RefusedDelivery | undefined
  for (const { stage, command, expected } of steps) {
    if (refusal === undefined) conversation.stage = stage
    const reply = await sendCommand(conversation, command, expected === 3 ? settings.dataMs : settings.commandMs)
    closeOn421(conversation, reply)
    if (!isReplyClass(reply, expected)) refusal ??= toRefusalOutcome(delivery.message, stage, reply, session.mta)
    else if (expected === 3 && refusal !== undefined) await endRefusedBody(conversation, refusal.stage)
    const canStop = !session.features.pipelining || session.wire.fault !== undefined
    if (refusal !== undefined && canStop) break
  }
  session.dirty = refusal !== undefined
  return refusal
}

/** Writes the body, and with it the next envelope. Throws when the connection ended, or the journal failed. */
async function sendBody(conversation: Conversation, delivery: SmtpDelivery): Promise<void> {
  const { session, chunking } = conversation
  const { wire } = session
  const isStarted = await awaitBeforeBody(delivery, () => wire.fault === undefined)
  if (!isStarted) throw wire.fault
  conversation.bodyStarted = true
  const nextAnnouncement = session.features.pipelining
    ? announceDelivery(conversation, takeNextDelivery(conversation))
    : EMPTY_ANNOUNCEMENT
  conversation.upcoming = nextAnnouncement.announced
  const pieces = chunking
    ? buildChunkPieces(delivery.message, nextAnnouncement.text)
    : buildDataPieces(delivery.message, nextAnnouncement.text)
  transmitSmtp(wire, pieces, 1 + nextAnnouncement.replies)
}

async function sendDelivery(conversation: Conversation, announced: AnnouncedDelivery): Promise<void> {
  const { session, settings } = conversation
  const { delivery } = announced
  const refusal = await sendEnvelope(conversation, announced)
  if (refusal !== undefined) {
    reportOrRequeue(conversation, delivery, refusal)
    return
  }
  await sendBody(conversation, delivery)
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
    : toRefusalOutcome(delivery.message, 'data', reply, mta)
  reportOrRequeue(conversation, delivery, outcome)
  if (mustEndSession(reply, conversation.chunking)) cutSmtpWire(session.wire, formatReplyDiagnostic(reply))
}

/** 421, or BDAT not understood after all: then the peer reads the body as commands, and answers every line of it. */
function mustEndSession({ code }: SmtpReply, chunking: boolean): boolean {
  return code === 421 || (chunking && code >= 500 && code <= 504)
}

/** Reports or requeues a delivery. A peer that closes the connection between two messages did not answer the second one. */
function reportOrRequeue(conversation: Conversation, delivery: SmtpDelivery, outcome: GatewayOutcome): void {
  const { session, dispatcher, bodyStarted } = conversation
  const wasUnanswered = session.wire.fault !== undefined && !bodyStarted && outcome.result === 'deferred'
  if (!wasUnanswered) session.judged++
  if (wasUnanswered && session.judged > 0) requeueOrReport(conversation, delivery, outcome)
  else dispatcher.report(delivery, outcome)
}

/** Leaves it to another connection; after too many of them it gets `outcome`. */
function requeueOrReport({ dispatcher }: Conversation, delivery: SmtpDelivery, outcome: GatewayOutcome): void {
  if (delivery.requeues++ < MAX_REQUEUES) dispatcher.requeue(delivery)
  else dispatcher.report(delivery, outcome)
}

/** The session ended during the delivery: outcome unknown once the body was started, else it is safe to retry. */
function handleBrokenSession(conversation: Conversation, delivery: SmtpDelivery, error: unknown): void {
  const { session, dispatcher, stage, bodyStarted } = conversation
  const commonOutcome = { id: delivery.message.id, mta: session.mta }
  const reason = formatErrorReason(error)
  const outcome: GatewayOutcome = bodyStarted
    ? { ...commonOutcome, result: 'doubtful', reason }
    : { ...commonOutcome, result: 'deferred', stage, reply: reason }
  if (!bodyStarted && error instanceof SmtpWireFault && session.judged > 0)
    requeueOrReport(conversation, delivery, outcome)
  else dispatcher.report(delivery, outcome)
}

/**
 * Sends deliveries over one session until the dispatcher has none for it, or the session ends. Never throws: every error becomes an
 * outcome, or the delivery is requeued. With PIPELINING (RFC 2920), the whole envelope is written together with the body of the previous
 * message: one write and one round trip per message.
 */
export async function sendOverSmtpSession(
  session: SmtpSession,
  first: SmtpDelivery,
  dispatcher: SmtpDispatcher,
  settings: SmtpSettings,
): Promise<void> {
  const chunking = session.features.chunking && settings.chunking
  const conversation: Conversation = {
    session,
    dispatcher,
    settings,
    chunking,
    stage: 'mail',
    bodyStarted: false,
    upcoming: undefined,
  }
  let currentDelivery = announceSeparately(conversation, first)
  while (currentDelivery !== undefined) {
    conversation.stage = 'mail'
    conversation.bodyStarted = false
    try {
      await sendDelivery(conversation, currentDelivery)
    } catch (error) {
      cutSmtpWire(session.wire, formatErrorReason(error))
      handleBrokenSession(conversation, currentDelivery.delivery, error)
    }
    if (session.wire.fault !== undefined) break
    currentDelivery = conversation.upcoming ?? announceSeparately(conversation, takeNextDelivery(conversation))
    conversation.upcoming = undefined
  }
  const unsentDelivery = conversation.upcoming
  if (unsentDelivery === undefined) return
  const reply = session.wire.fault?.message ?? ''
  requeueOrReport(conversation, unsentDelivery.delivery, {
    id: unsentDelivery.delivery.message.id,
    result: 'deferred',
    stage: 'mail',
    reply,
    mta: session.mta,
  })
}
