import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { chunkReader } from './smtp-sink-body.ts'
import { act, beginBody, delay, drop, flush, reply, reset, type Session, type Shared } from './smtp-sink-dialogue.ts'

const NO_BYTES = Buffer.alloc(0)

function pathOf(argument: string): string {
  return /^(?:FROM|TO):\s*<([^>]*)>/i.exec(argument)?.[1] ?? ''
}

function hello(session: Session): void {
  const { options, socket } = session
  const isSecure = socket instanceof TLSSocket
  const lines = ['sink.test']
  if (options.pipelining !== false) lines.push('PIPELINING')
  lines.push(options.size ? `SIZE ${options.size}` : 'SIZE')
  if (options.eightBitMime !== false) lines.push('8BITMIME')
  if (options.smtputf8 !== false) lines.push('SMTPUTF8')
  if (options.chunking) lines.push('CHUNKING')
  if (options.tls?.mode === 'starttls' && !isSecure) lines.push('STARTTLS')
  if (options.credentials) lines.push('AUTH LOGIN PLAIN')
  lines.push('ENHANCEDSTATUSCODES')
  reset(session)
  act(session, 'ehlo', () => reply(session, 250, lines.join('\n')))
}

function mail(session: Session, argument: string): void {
  const { options, isAuthenticated, from } = session
  if (options.credentials && !isAuthenticated) reply(session, 530, '5.7.0 authenticate first')
  else if (from !== undefined) reply(session, 503, '5.5.1 nested MAIL')
  else {
    session.from = pathOf(argument)
    session.parameters = argument.slice(argument.indexOf('>') + 1).trim()
    session.message++
    const forget = () => {
      session.from = undefined
    }
    act(session, 'mail', () => reply(session, 250, '2.1.0 ok'), forget)
  }
}

function rcpt(session: Session, argument: string): void {
  const { from, to, options, attempts } = session
  const address = pathOf(argument)
  if (from === undefined) {
    reply(session, 503, '5.5.1 MAIL first')
    return
  }
  to.push(address)
  if (options.behave) attempts.set(address, (attempts.get(address) ?? 0) + 1)
  const forget = () => to.pop()
  act(session, 'rcpt', () => reply(session, 250, '2.1.5 ok'), forget)
}

function data(session: Session): void {
  const refuse = () => reply(session, 554, '5.5.1 no valid recipients')
  act(session, 'data', () => (session.to.length === 0 ? refuse() : beginBody(session)))
}

/** The octets are read even when the message is refused (RFC 3030, 2). Only one BDAT for one message is understood. */
function bdat(session: Session, argument: string): void {
  const [size = '', last] = argument.split(' ')
  session.isLastChunk = last?.toUpperCase() === 'LAST'
  session.isChunk = true
  session.body = chunkReader(Number(size), session.options.keep !== 'count')
  if (Number(size) === 0) finish(session)
}

function finish(session: Session): void {
  const { body, from, to, parameters, number, options, counters } = session
  const isRefused = to.length === 0 || from === undefined || body === undefined || !session.isLastChunk
  act(session, 'final', () => {
    if (isRefused) {
      reply(session, 503, '5.5.1 no valid recipients')
      return
    }
    const message = { from, to, parameters, bytes: body.bytes(), octets: body.octets(), connection: number }
    counters.messages++
    counters.octets += message.octets
    if ((options.keep ?? 'bytes') === 'bytes') session.messages.push(message)
    options.onMessage?.(message)
    const accept = () => reply(session, 250, `2.0.0 ok: queued as ${number}.${session.message}`)
    const afterMs = options.replyAfterMs?.()
    if (afterMs) delay(session, afterMs, accept)
    else accept()
  })
  session.isLastChunk = true
  session.isChunk = false
  reset(session)
}

function authenticate(session: Session, argument: string): void {
  const { username = '', password = '' } = session.options.credentials ?? {}
  const [mechanism = '', initial] = argument.split(' ')
  const decode = (line: string): string => Buffer.from(line, 'base64').toString()
  const check = (given: string) =>
    act(session, 'auth', () => {
      session.dialogue = undefined
      session.isAuthenticated = given === `${username}\0${password}`
      if (session.isAuthenticated) reply(session, 235, '2.7.0 welcome')
      else reply(session, 535, '5.7.8 wrong name or password')
    })
  if (mechanism.toUpperCase() === 'PLAIN' && initial) {
    check(decode(initial).slice(1))
    return
  }
  reply(session, 334, 'VXNlcm5hbWU6')
  session.dialogue = (name) => {
    reply(session, 334, 'UGFzc3dvcmQ6')
    session.dialogue = (given) => check(`${decode(name)}\0${decode(given)}`)
  }
}

function startTls(session: Session): void {
  const { tls } = session.options
  const begin = () => {
    reply(session, 220, 'go on')
    flush(session)
    secure(session)
  }
  act(session, 'starttls', () => (tls ? begin() : reply(session, 502, '5.5.1 not offered')))
}

function secure(session: Session): void {
  const { secureContext } = session
  session.socket.removeAllListeners('data')
  const socket = new TLSSocket(session.socket, { isServer: true, ...(secureContext ? { secureContext } : {}) })
  session.socket = socket
  session.input = NO_BYTES
  socket.on('secure', () => {
    session.counters.handshakes++
    if (socket.isSessionReused()) session.counters.resumed++
  })
  listen(session)
}

const commands: Record<string, ((session: Session, argument: string) => void) | undefined> = {
  EHLO: hello,
  HELO: (session) => act(session, 'ehlo', () => reply(session, 250, 'sink.test')),
  STARTTLS: startTls,
  AUTH: authenticate,
  MAIL: mail,
  RCPT: rcpt,
  DATA: data,
  BDAT: bdat,
  NOOP: (session) => reply(session, 250, '2.0.0 ok'),
  RSET: (session) =>
    act(session, 'rset', () => {
      reset(session)
      reply(session, 250, '2.0.0 ok')
    }),
  QUIT: (session) => {
    reply(session, 221, '2.0.0 bye')
    drop(session)
  },
}

function command(session: Session, line: string): void {
  const blank = line.indexOf(' ')
  const verb = (blank === -1 ? line : line.slice(0, blank)).toUpperCase()
  const run = commands[verb]
  if (session.dialogue) session.dialogue(line)
  else if (run === undefined) reply(session, 500, '5.5.2 what?')
  else run(session, blank === -1 ? '' : line.slice(blank + 1))
}

/** Reads a line, or a part of a body. Gives where it ended, -1 when more octets are needed. */
function step(session: Session, at: number): number {
  const { input, body } = session
  if (body === undefined) {
    const end = input.indexOf(10, at)
    if (end === -1) return -1
    command(session, input.toString('utf8', at, end).trimEnd())
    return end + 1
  }
  if (body.octets() <= 0) act(session, 'body', () => {})
  if (session.isOver || session.isPaused) return input.length
  const end = body.feed(input, at)
  if (end !== -1) finish(session)
  return end === -1 ? input.length : end
}

function proceed(session: Session): void {
  let at = 0
  let steps = 0
  while (at < session.input.length && !session.isPaused && !session.isOver) {
    const before = session.input
    const chunk = session.isChunk
    const end = step(session, at)
    if (session.input !== before) return
    if (end === -1) break
    if (!chunk && ++steps > 1 && session.options.pipelining === false) session.counters.impatient++
    at = end
  }
  session.input = at === 0 ? session.input : session.input.subarray(at)
  flush(session)
}

function listen(session: Session): void {
  session.socket.on('error', () => {})
  session.socket.on('data', (chunk: Buffer) => {
    session.input = session.input.length === 0 ? chunk : Buffer.concat([session.input, chunk])
    proceed(session)
  })
}

/** Speaks SMTP (RFC 5321) on one connection, to its end. */
export function serveConnection(socket: Socket, shared: Shared): void {
  const session: Session = {
    ...shared,
    socket,
    number: ++shared.counters.connections,
    input: NO_BYTES,
    output: '',
    isPaused: false,
    isOver: false,
    message: 0,
    from: undefined,
    parameters: '',
    to: [],
    body: undefined,
    isChunk: false,
    isLastChunk: true,
    isAuthenticated: false,
    proceed: () => proceed(session),
    dialogue: undefined,
  }
  if (shared.options.tls?.mode === 'implicit') secure(session)
  else listen(session)
  act(session, 'connect', () => reply(session, 220, 'sink.test ESMTP'))
  flush(session)
}
