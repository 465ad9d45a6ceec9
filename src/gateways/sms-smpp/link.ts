import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { reasonOf } from '../../lib/errors/reason.ts'
import type { HostGuard } from '../../lib/net/guarded-client.ts'
import { describeError, established } from '../socket.ts'
import { type Command, commands, type Fields, type Request, type Tlvs } from './commands.ts'
import { createFrameReader, decodePdu, encodePdu, isAnswer, type Pdu, type PduFault, type PduOf } from './pdu.ts'
import type { SmppSettings } from './settings.ts'
import { status } from './status.ts'

/** A connection that cannot be used any more, or was never there. Stays inside the gateway. */
export class LinkFault extends Error {}

/** The requests of a message centre that carry a receipt or a reply. */
export type DeliverPdu = PduOf<'deliver_sm'> | PduOf<'data_sm'>

/** An answer: its status, and the message id when it has one. */
export interface Answer {
  status: number
  messageId: string
  tlvs: Tlvs
}

interface Pending {
  commandId: number
  resolve(answer: Answer): void
  reject(fault: LinkFault): void
  timer: NodeJS.Timeout
}

/** One connection: requests out, each answered in any order, and deliver_sm or data_sm in. */
export interface Link {
  /** What ended it; undefined while it is open. */
  fault: LinkFault | undefined
  readonly socket: Socket
  sequence: number
  pending: Map<number, Pending>
  /** Received requests without an answer yet; with too many of them no more is read. */
  serving: number
  /** Answers the command_status: 0 once the receipt or reply is stored. Must not throw or reject. */
  serve: (pdu: DeliverPdu) => Promise<number>
  /** Called once when the connection ends, by either side. */
  onEnd: () => void
}

const LAST_SEQUENCE = 0x7fffffff
const MAX_UNANSWERED = 200
const NO_TLVS: Tlvs = new Map()

const seconds = (ms: number): string => `${ms / 1000} s`

/** How long the last PDUs may take to be sent. */
const FLUSH_MS = 1000

function fail(link: Link, message: string): void {
  if (link.fault !== undefined) return
  const fault = new LinkFault(message)
  link.fault = fault
  link.socket.destroySoon()
  setTimeout(() => link.socket.destroy(), FLUSH_MS).unref()
  const pending = [...link.pending.values()]
  link.pending.clear()
  for (const { reject, timer } of pending) {
    clearTimeout(timer)
    reject(fault)
  }
  link.onEnd()
}

function write<C extends Command>(
  link: Link,
  command: C,
  head: { status?: number; sequence: number },
  fields: Fields<C>,
  tlvs: Tlvs = NO_TLVS,
): void {
  link.socket.write(encodePdu(command, head, fields, tlvs))
}

/** Answers a received request; while many are unanswered no more is read. */
async function serve(link: Link, pdu: DeliverPdu): Promise<void> {
  if (++link.serving >= MAX_UNANSWERED) link.socket.pause()
  const result = await link.serve(pdu)
  link.serving--
  if (link.fault !== undefined) return
  write(link, `${pdu.command}_resp`, { status: result, sequence: pdu.sequence }, { messageId: '' })
  if (link.serving < MAX_UNANSWERED) link.socket.resume()
}

/** The answer to a request of ours; a late or unknown one is ignored. */
function settle(link: Link, { sequence }: { sequence: number }, commandId: number, outcome: Answer | string): void {
  const pending = link.pending.get(sequence)
  if (pending === undefined) return
  link.pending.delete(sequence)
  clearTimeout(pending.timer)
  const isNack = commandId === commands.generic_nack.id
  if (typeof outcome === 'string') pending.reject(new LinkFault(outcome))
  else if (isNack || commandId === pending.commandId) pending.resolve(outcome)
  else {
    pending.reject(new LinkFault('the answer is to another command'))
    fail(link, 'an answer to another command')
  }
}

function acceptFault(link: Link, { fault, commandId, sequence, status: code }: PduFault): void {
  if (isAnswer(commandId)) settle(link, { sequence }, commandId, `an answer that cannot be read: ${fault}`)
  else write(link, 'generic_nack', { status: code, sequence }, {})
}

function accept(link: Link, pdu: Pdu): void {
  const { sequence } = pdu
  switch (pdu.command) {
    case 'deliver_sm':
    case 'data_sm':
      void serve(link, pdu)
      return
    case 'enquire_link':
      write(link, 'enquire_link_resp', { sequence }, {})
      return
    case 'unbind':
      write(link, 'unbind_resp', { sequence }, {})
      fail(link, 'the message centre unbound us')
      return
    case 'alert_notification':
    case 'outbind':
      return
    default:
      break
  }
  if (!isAnswer(commands[pdu.command].id)) {
    write(link, 'generic_nack', { status: status.ESME_RINVCMDID, sequence }, {})
    return
  }
  // A generic_nack about a garbled length has no sequence number of ours (4.3.1): it ends the connection.
  if (pdu.command === 'generic_nack' && !link.pending.has(sequence)) {
    fail(link, `the message centre does not understand us (generic_nack, status ${pdu.status})`)
    return
  }
  const messageId = 'messageId' in pdu.fields ? pdu.fields.messageId : ''
  settle(link, pdu, commands[pdu.command].id, { status: pdu.status, messageId, tlvs: pdu.tlvs })
}

function listen(link: Link): void {
  const { socket } = link
  const read = createFrameReader((frame) => {
    if (link.fault !== undefined) return
    const pdu = decodePdu(frame)
    if ('fault' in pdu) acceptFault(link, pdu)
    else accept(link, pdu)
  })
  socket.on('data', (chunk: Buffer) => {
    if (link.fault !== undefined) return
    const wrong = read(chunk)
    if (wrong === undefined) return
    write(link, 'generic_nack', { status: status.ESME_RINVCMDLEN, sequence: 0 }, {})
    fail(link, `no SMPP: ${wrong}`)
  })
  socket.on('error', (error) => fail(link, describeError(error)))
  socket.on('close', () => fail(link, 'the connection was closed'))
}

/** What a connection is opened with: `signal` ends it, at any time; `guard` checks the addresses behind its host. */
export interface LinkOptions {
  signal: AbortSignal
  guard?: HostGuard | undefined
}

async function openSocket(
  { host, port, tls, verify, ca, connectMs }: SmppSettings,
  { signal, guard }: LinkOptions,
): Promise<Socket> {
  const tcp = connectTcp({ host, port, ...guard?.({ host, port }), signal, noDelay: true, keepAlive: true })
  await established(tcp, 'connect', connectMs)
  if (!tls) return tcp
  const isName = /[^0-9.:]/.test(host) && !host.includes(':')
  const options = {
    host,
    servername: isName ? host : '',
    rejectUnauthorized: verify,
    ca,
    minVersion: 'TLSv1.2' as const,
  }
  const socket = connectTls({ ...options, socket: tcp })
  await established(socket, 'secureConnect', connectMs)
  return socket
}

/** Connects, without a bind yet. Throws LinkFault. */
export async function openLink(settings: SmppSettings, options: LinkOptions): Promise<Link> {
  try {
    const socket = await openSocket(settings, options)
    const link: Link = {
      fault: undefined,
      socket,
      sequence: 0,
      pending: new Map(),
      serving: 0,
      serve: async () => status.ESME_RX_T_APPN,
      onEnd: () => {},
    }
    listen(link)
    return link
  } catch (error) {
    throw new LinkFault(reasonOf(error))
  }
}

/**
 * Sends a request and waits for the answer. Throws LinkFault when none can come or none came in time: it may have been
 * carried out or not. Throws RangeError when the fields do not fit the protocol; then nothing was sent.
 */
export async function ask<C extends Request>(
  link: Link,
  command: C,
  fields: Fields<C>,
  { timeoutMs, tlvs = NO_TLVS }: { timeoutMs: number; tlvs?: Tlvs },
): Promise<Answer> {
  if (link.fault !== undefined) throw link.fault
  link.sequence = link.sequence >= LAST_SEQUENCE ? 1 : link.sequence + 1
  const { sequence } = link
  const octets = encodePdu(command, { sequence }, fields, tlvs)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      link.pending.delete(sequence)
      reject(new LinkFault(`no answer to ${command} within ${seconds(timeoutMs)}`))
    }, timeoutMs)
    link.pending.set(sequence, { commandId: commands[command].id + 0x80000000, resolve, reject, timer })
    link.socket.write(octets)
  })
}

/** Ends the connection at once. */
export function cutLink(link: Link, reason: string): void {
  fail(link, reason)
}

/** Unbinds, waits shortly for the answer, then closes. Never throws. */
export async function closeLink(link: Link, waitMs = 2000): Promise<void> {
  await ask(link, 'unbind', {}, { timeoutMs: waitMs }).catch(() => undefined)
  cutLink(link, 'closed by us')
}
