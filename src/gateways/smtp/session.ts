import { hostname } from 'node:os'
import type { OutboundHostGuard } from '../../lib/net/guarded-client.ts'
import { authenticateSmtp } from './authentication.ts'
import { parseSmtpFeatures, type SmtpFeatures } from './features.ts'
import { assertReplyDone, isReplyClass, SmtpSessionRefused } from './reply.ts'
import type { SmtpSecrets, SmtpSettings } from './settings.ts'
import {
  cutSmtpWire,
  openSmtpWire,
  readNextSmtpReply,
  type SmtpWire,
  SmtpWireFault,
  type SmtpWireTls,
  startSmtpTls,
  transmitSmtp,
} from './wire.ts'

/** An open SMTP session: greeting read, TLS and authentication done as the settings ask, ready for MAIL. */
export interface SmtpSession {
  wire: SmtpWire
  features: SmtpFeatures
  /** The name in the greeting, else the configured host. */
  mta: string
  /** Messages announced so far, and how many of them the peer answered. */
  announced: number
  judged: number
  /** A transaction was left unfinished: RSET goes before the next one. */
  dirty: boolean
  /** Called when the connection ends, by either side. */
  onEnd: () => void
}

export interface SmtpSessionContext {
  settings: SmtpSettings
  /** The address to connect to, when the host of the settings is only its name. */
  address?: string
  secrets: SmtpSecrets | undefined
  /** Checks the addresses behind the host of each connection; absent: it may be any. */
  guard?: OutboundHostGuard | undefined
  /** The last TLS session with this relay, for resumption (RFC 8446, 2.2). */
  tickets: { last: Buffer | undefined }
  /** Cuts the connection, at any time. */
  signal: AbortSignal
}

/** A fully qualified name, else the address literal of our end (RFC 5321, 4.1.4). */
function getClientName(settings: SmtpSettings, wire: SmtpWire): string {
  if (settings.name !== undefined) return settings.name
  const name = hostname()
  if (/^[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)+$/.test(name)) return name
  const socketAddress = wire.tcp.localAddress ?? '127.0.0.1'
  return socketAddress.includes(':') ? `[IPv6:${socketAddress}]` : `[${socketAddress}]`
}

/** A peer too old for EHLO gets HELO, and offers nothing. */
async function sendHello(wire: SmtpWire, settings: SmtpSettings): Promise<SmtpFeatures> {
  const name = getClientName(settings, wire)
  transmitSmtp(wire, [`EHLO ${name}\r\n`], 1)
  const reply = await readNextSmtpReply(wire, settings.commandMs)
  if (isReplyClass(reply, 2)) return parseSmtpFeatures(reply.text)
  if (!isReplyClass(reply, 5)) throw new SmtpSessionRefused('the relay refused EHLO', reply)
  transmitSmtp(wire, [`HELO ${name}\r\n`], 1)
  assertReplyDone(await readNextSmtpReply(wire, settings.commandMs), 'HELO')
  return parseSmtpFeatures('')
}

function buildTlsOptions({ settings, tickets }: SmtpSessionContext): SmtpWireTls {
  const isName = /[^0-9.:]/.test(settings.host) && !settings.host.includes(':')
  const options = {
    host: settings.host,
    servername: isName ? settings.host : '',
    rejectUnauthorized: settings.verify && settings.tls !== 'opportunistic',
    ca: settings.ca,
    session: tickets.last,
    minVersion: 'TLSv1.2' as const,
  }
  return {
    options,
    handshakeMs: settings.connectMs,
    onTicket: (ticket) => {
      tickets.last = ticket
    },
  }
}

/** STARTTLS (RFC 3207) as the settings ask. The features are asked for again: those sent in the clear cannot be trusted. */
async function upgradeToTls(
  wire: SmtpWire,
  features: SmtpFeatures,
  context: SmtpSessionContext,
): Promise<SmtpFeatures> {
  const { settings } = context
  const isTlsWanted = settings.tls === 'required' || (settings.tls === 'opportunistic' && features.starttls)
  if (!isTlsWanted || wire.tls) return features
  if (!features.starttls) throw new SmtpSessionRefused('TLS is required, and the relay does not offer STARTTLS')
  transmitSmtp(wire, ['STARTTLS\r\n'], 1)
  const reply = await readNextSmtpReply(wire, settings.commandMs)
  if (!isReplyClass(reply, 2)) {
    if (settings.tls === 'opportunistic') return features
    throw new SmtpSessionRefused('TLS is required, and the relay refused STARTTLS', reply)
  }
  await startSmtpTls(wire, buildTlsOptions(context))
  return sendHello(wire, settings)
}

async function startSession(wire: SmtpWire, context: SmtpSessionContext): Promise<SmtpSession> {
  const { settings, secrets } = context
  const greeting = assertReplyDone(await readNextSmtpReply(wire, settings.greetingMs), 'the connection')
  const name = /^[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)+(?=\s|$)/.exec(greeting.text)?.[0]
  const features = await upgradeToTls(wire, await sendHello(wire, settings), context)
  if (secrets) await authenticateSmtp(wire, features, settings, secrets)
  const mta = name ?? settings.host
  return { wire, features, mta, announced: 0, judged: 0, dirty: false, onEnd: () => {} }
}

async function tryOpenSession(context: SmtpSessionContext): Promise<SmtpSession> {
  const { settings, signal, guard } = context
  const tls = settings.tls === 'implicit' ? { tls: buildTlsOptions(context) } : {}
  const host = context.address ?? settings.host
  const target = { host, port: settings.port, connectMs: settings.connectMs, signal, guard, ...tls }
  const sessionHolder: { opened?: SmtpSession } = {}
  const wire = await openSmtpWire(target, () => sessionHolder.opened?.onEnd())
  try {
    sessionHolder.opened = await startSession(wire, context)
    if (wire.fault) throw wire.fault
    return sessionHolder.opened
  } catch (error) {
    cutSmtpWire(wire, 'the session could not be opened')
    throw error
  }
}

/**
 * Connects to the relay and makes everything ready for the first MAIL. Throws SmtpWireFault or SmtpSessionRefused. With
 * opportunistic TLS a failed handshake is followed by a connection in the clear (RFC 7435).
 */
export async function openSmtpSession(context: SmtpSessionContext): Promise<SmtpSession> {
  try {
    return await tryOpenSession(context)
  } catch (error) {
    const { settings } = context
    if (!(error instanceof SmtpWireFault && error.kind === 'tls' && settings.tls === 'opportunistic')) throw error
    return tryOpenSession({ ...context, settings: { ...settings, tls: 'none' } })
  }
}

/** QUIT, a short wait for the reply, then the end of the connection (RFC 5321, 4.1.1.10). Never throws. */
export async function closeSmtpSession({ wire }: SmtpSession): Promise<void> {
  transmitSmtp(wire, ['QUIT\r\n'], 1)
  await readNextSmtpReply(wire, 2000).catch(() => undefined)
  cutSmtpWire(wire, 'closed by us')
}
