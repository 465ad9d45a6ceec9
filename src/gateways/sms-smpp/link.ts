import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import type { OutboundHostGuard } from '../../lib/net/guarded-client.ts'
import { describeSocketError, waitForSocketEvent } from '../socket.ts'
import { type SmppCommand, type SmppFields, type SmppRequest, type SmppTlvs, smppCommands } from './commands.ts'
import {
  createSmppFrameReader,
  decodeSmppPdu,
  encodeSmppPdu,
  isSmppResponse,
  type SmppCommandPdu,
  type SmppPdu,
  type SmppPduFault,
} from './pdu.ts'
import type { SmppSettings } from './settings.ts'
import { smppStatusCodes } from './status.ts'

/** A connection that cannot be used any more, or was never there. Stays inside the gateway. */
export class SmppLinkFault extends Error {}

/** The requests of a message centre that carry a receipt or a reply. */
export type SmppDeliverPdu = SmppCommandPdu<'deliver_sm'> | SmppCommandPdu<'data_sm'>

/** An answer: its status, and the message id when it has one. */
export interface SmppResponse {
  status: number
  messageId: string
  tlvs: SmppTlvs
}

interface PendingRequest {
  commandId: number
  resolve(answer: SmppResponse): void
  reject(fault: SmppLinkFault): void
  timer: NodeJS.Timeout
}

/** One connection: requests out, each answered in any order, and deliver_sm or data_sm in. */
export interface SmppLink {
  /** The fault that ended it; `undefined` while it is open. */
  fault: SmppLinkFault | undefined
  readonly socket: Socket
  sequence: number
  pending: Map<number, PendingRequest>
  /** Received requests without an answer yet; with too many of them no more is read. */
  serving: number
  /** Answers the command_status: 0 once the receipt or reply is stored. Must not throw or reject. */
  serve: (pdu: SmppDeliverPdu) => Promise<number>
  /** Called once when the connection ends, by either side. */
  onEnd: () => void
}

const MAX_SEQUENCE = 0x7fffffff
const MAX_UNANSWERED_REQUESTS = 200
const NO_TLVS: SmppTlvs = new Map()

const formatSeconds = (ms: number): string => `${ms / 1000} s`

/** Time limit for sending the last PDUs. */
const FLUSH_MS = 1000

function failLink(link: SmppLink, message: string): void {
  if (link.fault !== undefined) return
  const fault = new SmppLinkFault(message)
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

function writePdu<C extends SmppCommand>(
  link: SmppLink,
  command: C,
  head: { status?: number; sequence: number },
  fields: SmppFields<C>,
  tlvs: SmppTlvs = NO_TLVS,
): void {
  link.socket.write(encodeSmppPdu(command, head, fields, tlvs))
}

/** Answers a received request; while many are unanswered no more is read. */
async function serveRequest(link: SmppLink, pdu: SmppDeliverPdu): Promise<void> {
  if (++link.serving >= MAX_UNANSWERED_REQUESTS) link.socket.pause()
  const result = await link.serve(pdu)
  link.serving--
  if (link.fault !== undefined) return
  writePdu(link, `${pdu.command}_resp`, { status: result, sequence: pdu.sequence }, { messageId: '' })
  if (link.serving < MAX_UNANSWERED_REQUESTS) link.socket.resume()
}

/** The answer to a request of ours; a late or unknown one is ignored. */
function resolvePending(
  link: SmppLink,
  { sequence }: { sequence: number },
  commandId: number,
  outcome: SmppResponse | string,
): void {
  const pending = link.pending.get(sequence)
  if (pending === undefined) return
  link.pending.delete(sequence)
  clearTimeout(pending.timer)
  const isNack = commandId === smppCommands.generic_nack.id
  if (typeof outcome === 'string') pending.reject(new SmppLinkFault(outcome))
  else if (isNack || commandId === pending.commandId) pending.resolve(outcome)
  else {
    pending.reject(new SmppLinkFault('the answer is to another command'))
    failLink(link, 'an answer to another command')
  }
}

function handlePduFault(link: SmppLink, { fault, commandId, sequence, status: code }: SmppPduFault): void {
  if (isSmppResponse(commandId))
    resolvePending(link, { sequence }, commandId, `an answer that cannot be read: ${fault}`)
  else writePdu(link, 'generic_nack', { status: code, sequence }, {})
}

function handlePdu(link: SmppLink, pdu: SmppPdu): void {
  const { sequence } = pdu
  switch (pdu.command) {
    case 'deliver_sm':
    case 'data_sm':
      void serveRequest(link, pdu)
      return
    case 'enquire_link':
      writePdu(link, 'enquire_link_resp', { sequence }, {})
      return
    case 'unbind':
      writePdu(link, 'unbind_resp', { sequence }, {})
      failLink(link, 'the message centre unbound us')
      return
    case 'alert_notification':
    case 'outbind':
      return
    default:
      break
  }
  if (!isSmppResponse(smppCommands[pdu.command].id)) {
    writePdu(link, 'generic_nack', { status: smppStatusCodes.ESME_RINVCMDID, sequence }, {})
    return
  }
  // A generic_nack about a garbled length has no sequence number of ours (4.3.1): it ends the connection.
  if (pdu.command === 'generic_nack' && !link.pending.has(sequence)) {
    failLink(link, `the message centre did not understand the request (generic_nack, status ${pdu.status})`)
    return
  }
  const messageId = 'messageId' in pdu.fields ? pdu.fields.messageId : ''
  resolvePending(link, pdu, smppCommands[pdu.command].id, { status: pdu.status, messageId, tlvs: pdu.tlvs })
}

function startReading(link: SmppLink): void {
  const { socket } = link
  const readFrames = createSmppFrameReader((frame) => {
    if (link.fault !== undefined) return
    const pdu = decodeSmppPdu(frame)
    if ('fault' in pdu) handlePduFault(link, pdu)
    else handlePdu(link, pdu)
  })
  socket.on('data', (chunk: Buffer) => {
    if (link.fault !== undefined) return
    const frameFault = readFrames(chunk)
    if (frameFault === undefined) return
    writePdu(link, 'generic_nack', { status: smppStatusCodes.ESME_RINVCMDLEN, sequence: 0 }, {})
    failLink(link, `not SMPP: ${frameFault}`)
  })
  socket.on('error', (error) => failLink(link, describeSocketError(error)))
  socket.on('close', () => failLink(link, 'the connection was closed'))
}

/** Options for opening a connection: `signal` ends it at any time; `guard` checks the addresses of its host. */
export interface SmppLinkOptions {
  signal: AbortSignal
  guard?: OutboundHostGuard | undefined
}

async function openSocket(
  { host, port, tls, verify, ca, connectMs }: SmppSettings,
  { signal, guard }: SmppLinkOptions,
): Promise<Socket> {
  const tcp = connectTcp({ host, port, ...guard?.({ host, port }), signal, noDelay: true, keepAlive: true })
  await waitForSocketEvent(tcp, 'connect', connectMs)
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
  await waitForSocketEvent(socket, 'secureConnect', connectMs)
  return socket
}

/** Connects, without a bind yet. Throws SmppLinkFault. */
export async function openSmppLink(settings: SmppSettings, options: SmppLinkOptions): Promise<SmppLink> {
  try {
    const socket = await openSocket(settings, options)
    const link: SmppLink = {
      fault: undefined,
      socket,
      sequence: 0,
      pending: new Map(),
      serving: 0,
      serve: async () => smppStatusCodes.ESME_RX_T_APPN,
      onEnd: () => {},
    }
    startReading(link)
    return link
  } catch (error) {
    throw new SmppLinkFault(formatErrorReason(error))
  }
}

/**
 * Sends a request and waits for the answer. Throws SmppLinkFault when none can come or none came in time: it may have been
 * carried out or not. Throws RangeError when the fields do not fit the protocol; then nothing was sent.
 */
export async function sendSmppRequest<C extends SmppRequest>(
  link: SmppLink,
  command: C,
  fields: SmppFields<C>,
  { timeoutMs, tlvs = NO_TLVS }: { timeoutMs: number; tlvs?: SmppTlvs },
): Promise<SmppResponse> {
  if (link.fault !== undefined) throw link.fault
  link.sequence = link.sequence >= MAX_SEQUENCE ? 1 : link.sequence + 1
  const { sequence } = link
  const octets = encodeSmppPdu(command, { sequence }, fields, tlvs)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      link.pending.delete(sequence)
      reject(new SmppLinkFault(`no answer to ${command} within ${formatSeconds(timeoutMs)}`))
    }, timeoutMs)
    link.pending.set(sequence, { commandId: smppCommands[command].id + 0x80000000, resolve, reject, timer })
    link.socket.write(octets)
  })
}

/** Ends the connection at once. */
export function cutSmppLink(link: SmppLink, reason: string): void {
  failLink(link, reason)
}

/** Unbinds, waits shortly for the answer, then closes. Never throws. */
export async function closeSmppLink(link: SmppLink, waitMs = 2000): Promise<void> {
  await sendSmppRequest(link, 'unbind', {}, { timeoutMs: waitMs }).catch(() => undefined)
  cutSmppLink(link, 'closed by us')
}
