import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { type BodyReader, dataReader } from './smtp-sink-body.ts'
import type { SinkCounters, SinkMessage, SinkOptions, SinkStage } from './smtp-sink-types.ts'

/** What all connections of a sink have in common. */
export interface Shared {
  options: SinkOptions
  counters: SinkCounters
  messages: SinkMessage[]
  /** How often each address was named in RCPT. */
  attempts: Map<string, number>
  /** One for all connections, so that sessions can be resumed. */
  secureContext: SecureContext | undefined
}

/** One connection, and where its dialogue is. */
export interface Session extends Shared {
  socket: Socket
  number: number
  input: Buffer
  /** Replies not written yet: those to one chunk leave together. */
  output: string
  /** Nothing is read: a reply is being delayed, or the connection stalls. */
  isPaused: boolean
  isOver: boolean
  message: number
  from: string | undefined
  parameters: string
  to: string[]
  body: BodyReader | undefined
  /** The body is that of a BDAT, which follows its command at once. */
  isChunk: boolean
  /** The BDAT being read is the last one. */
  isLastChunk: boolean
  isAuthenticated: boolean
  /** Goes on with the input that is there. */
  proceed(): void
  /** What the next line of an AUTH dialogue is for. */
  dialogue: ((line: string) => void) | undefined
}

/** Adds a reply to those that leave with the next flush. */
export function reply(session: Session, code: number, text: string): void {
  if (code >= 400) session.counters.refused++
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  session.output += `${lines.map((line) => `${code}-${line}\r\n`).join('')}${code} ${last}\r\n`
}

/** Writes the replies that wait. */
export function flush(session: Session): void {
  if (session.output === '' || session.isOver) return
  const text = session.output
  session.output = ''
  session.socket.write(text)
}

/**
 * Asks the test how to behave at this stage. Without an answer `accept` is called; otherwise `undo` is called, and the answer
 * is carried out.
 */
export function act(session: Session, stage: SinkStage, accept: () => void, undo: () => void = () => {}): void {
  const { options, number, message, to, from, attempts } = session
  const behave = options.behave ?? (() => undefined)
  const address = stage === 'mail' ? (from ?? '') : (to.at(stage === 'rcpt' ? -1 : 0) ?? '')
  const attempt = attempts.get(address) ?? 0
  const answer = behave({ stage, address, attempt, connection: number, message })
  if (answer !== undefined) undo()
  if (answer === undefined) accept()
  else if (answer === 'stall') session.isPaused = true
  else if (answer === 'drop') drop(session)
  else if ('raw' in answer) {
    session.output += answer.raw
    if (answer.isLast) session.isPaused = true
  } else if (answer.code === 354) beginBody(session)
  else if (answer.afterMs === undefined) reply(session, answer.code, answer.text)
  else delay(session, answer.afterMs, () => reply(session, answer.code, answer.text))
}

/** Ends the connection, after the replies that wait. */
export function drop(session: Session): void {
  flush(session)
  session.isOver = true
  session.socket.destroySoon()
}

/** Does something later; nothing is read until then. */
export function delay(session: Session, ms: number, then: () => void): void {
  flush(session)
  session.isPaused = true
  const { socket } = session
  const forget = () => clearTimeout(timer)
  const timer = setTimeout(() => {
    socket.off('close', forget)
    session.isPaused = false
    then()
    session.proceed()
  }, ms)
  socket.once('close', forget)
}

/** Forgets the message under way. */
export function reset(session: Session): void {
  session.from = undefined
  session.to = []
  session.body = undefined
}

/** Asks for the body of a message. */
export function beginBody(session: Session): void {
  reply(session, 354, 'go on')
  session.body = dataReader(session.options.keep !== 'count')
}
