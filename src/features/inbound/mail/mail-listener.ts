import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { Counter, Gauge, type Registry } from 'prom-client'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from 'smtp-server'
import type { ServiceConfig } from '../../../config.ts'
import type { ServiceContext } from '../../../context.ts'
import { createUuidV7 } from '../../../lib/ids.ts'
import { MAX_MAIL_READ_BYTES } from '../../../lib/text/mail/mime.ts'
import { resolveDefaultDomain } from '../../accounts/sending-settings.ts'
import { type BounceDomains, openBounceDomains } from './bounce-domains.ts'
import { openTxtResolver, type TxtResolver } from './dkim.ts'
import { type InboundAddress, parseInboundAddress } from './inbound-address.ts'
import type { ReceivedMail } from './ingest.ts'
import { type MailWriter, startMailWriter } from './mail-writer.ts'

/** The running listener. */
export interface MailListener {
  port: number
  /** Stops listening, gives open sessions a second, and stores what they delivered. */
  stop(): Promise<void>
}

/** Limits of incoming mail. */
const MAX_MAIL_BYTES = 10 * 1024 * 1024
const MAX_RECIPIENTS = 100
const MAX_SESSIONS = 200
const IDLE_TIMEOUT_MS = 60_000
/** Limit for sessions that are slow, but never idle. */
const SESSION_TIMEOUT_MS = 10 * 60_000
const CLOSE_TIMEOUT_MS = 1000

/**
 * Listens for bounces, complaints and mails that unsubscribe (RFC 5321). It accepts mail for its own addresses only, and
 * sends none: it cannot relay or loop. A mail is accepted once what it reports is stored, or the mail is in the spool.
 */
export async function startMailListener(
  context: ServiceContext,
  registry: Registry,
  resolveTxt: TxtResolver = openTxtResolver(),
): Promise<MailListener> {
  const { config: serviceConfig, db, tokens, masterKeys, log, clock } = context
  const publicHost = resolveDefaultDomain({ domains: [] }, serviceConfig.publicUrl)
  const count = countOutcomes(registry)
  const storage = { db, tokens, masterKeys, publicHost, resolveTxt }
  const writer = await startMailWriter({ ...storage, dataDir: serviceConfig.dataDir, log, replayed: count })
  registerSpoolMetric(registry, () => writer.spooled())
  const bounceDomains = openBounceDomains(db, clock, publicHost)
  const receiver = createReceiver(context, writer, count)
  const server = new SMTPServer({
    ...(await buildServerOptions(serviceConfig, publicHost)),
    onRcptTo({ address }, _, answer) {
      void findRecipientError(parseInboundAddress(tokens, address), bounceDomains).then((refused) => {
        if (refused) count(['refused'])
        answer(refused)
      })
    },
    onData(stream, { envelope }, answer) {
      const addresses = envelope.rcptTo.map(({ address }) => parseInboundAddress(tokens, address))
      receiver.receive(stream, deduplicateAddresses(addresses), answer)
    },
  })
  server.on('error', (error) => log.debug({ err: error.message }, 'inbound SMTP session failed'))
  return {
    port: await listenForMail(server, serviceConfig),
    async stop() {
      await new Promise<void>((closed) => server.close(() => closed()))
      await receiver.idle()
      await writer.close()
    },
  }
}

/** Receives mails from sessions and writes them. */
interface MailReceiver {
  receive(stream: SMTPServerDataStream, addresses: InboundAddress[], answer: SmtpCallback): void
  /** Resolves when every received mail is written or refused. */
  idle(): Promise<void>
}

function createReceiver(
  { log, clock }: ServiceContext,
  writer: MailWriter,
  count: (outcomes: readonly string[]) => void,
): MailReceiver {
  const inProgress = new Set<Promise<void>>()

  async function processMail(
    stream: SMTPServerDataStream,
    addresses: InboundAddress[],
    answer: SmtpCallback,
  ): Promise<void> {
    try {
      const raw = await readMailStart(stream)
      if (!raw) return answer(createSmtpRefusal(552, '5.3.4 The mail is too big'))
      const now = clock.now()
      const mail: ReceivedMail = { id: createUuidV7(now), receivedAt: now, addresses, raw }
      const outcomes = await writer.write(mail)
      count(outcomes)
      log.info({ mail: mail.id, outcomes }, 'mail received')
      answer(null, '2.0.0 Ok')
    } catch (error) {
      if (!stream.readableAborted) log.error({ err: error }, 'cannot receive mail')
      answer(createSmtpRefusal(451, '4.3.0 Try again later'))
    }
  }

  return {
    receive(stream, addresses, answer) {
      const processing = processMail(stream, addresses, answer).finally(() => inProgress.delete(processing))
      inProgress.add(processing)
    },
    idle: async () => void (await Promise.all(inProgress)),
  }
}

type SmtpCallback = (error?: Error | null, message?: string) => void

function createSmtpRefusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** Null for an address of this service; else the SMTP refusal. */
async function findRecipientError(address: InboundAddress | undefined, domains: BounceDomains): Promise<Error | null> {
  try {
    if (address && (address.type !== 'reports' || (await domains.has(address.domain)))) return null
    return createSmtpRefusal(550, '5.1.1 No such address here')
  } catch {
    return createSmtpRefusal(451, '4.3.0 Try again later')
  }
}

/** Each address once, however often it was named. */
function deduplicateAddresses(addresses: readonly (InboundAddress | undefined)[]): InboundAddress[] {
  const knownAddresses = addresses.filter((address) => address !== undefined)
  return [...new Map(knownAddresses.map((address) => [JSON.stringify(address), address])).values()]
}

/** The beginning of a mail, which is all that is read of it; undefined when the mail is too big. Rejects when the stream breaks. */
async function readMailStart(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let remainingBytes = MAX_MAIL_READ_BYTES
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (remainingBytes > 0) chunks.push(Buffer.from(chunk.subarray(0, remainingBytes)))
    remainingBytes -= chunk.length
  }
  return stream.sizeExceeded ? undefined : Buffer.concat(chunks)
}

async function buildServerOptions(config: ServiceConfig, name: string): Promise<SMTPServerOptions> {
  const { smtpInCertificate, smtpInKey } = config
  const hasTls = smtpInCertificate !== undefined && smtpInKey !== undefined
  return {
    name,
    banner: 'Stentor',
    // Without a configured certificate the library would offer its own, whose key is public.
    disabledCommands: hasTls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    ...(hasTls && { cert: await readFile(smtpInCertificate), key: await readFile(smtpInKey) }),
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: true,
    size: MAX_MAIL_BYTES,
    maxRecipients: MAX_RECIPIENTS,
    maxClients: MAX_SESSIONS,
    socketTimeout: IDLE_TIMEOUT_MS,
    closeTimeout: CLOSE_TIMEOUT_MS,
  }
}

/** Resolves with the port. Rejects with the system's error when it cannot be bound. */
async function listenForMail(server: SMTPServer, { smtpInHost, smtpInPort }: ServiceConfig): Promise<number> {
  const listening = server.listen(smtpInPort, smtpInHost)
  listening.on('connection', (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), SESSION_TIMEOUT_MS)
    timer.unref()
    socket.on('close', () => clearTimeout(timer))
  })
  if (!listening.listening) await once(listening, 'listening')
  const address = listening.address()
  return typeof address === 'object' && address !== null ? address.port : smtpInPort
}

function countOutcomes(registry: Registry): (outcomes: readonly string[]) => void {
  const counter = new Counter({
    name: 'stentor_inbound_mails_total',
    help: 'Mails received, by outcome; refused: unknown recipients',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return (outcomes) => {
    for (const outcome of outcomes) counter.inc({ outcome })
  }
}

function registerSpoolMetric(registry: Registry, spooled: () => number): void {
  new Gauge({
    name: 'stentor_inbound_spool_bytes',
    help: 'Bytes of accepted mail in the spool that wait for the database',
    registers: [registry],
    collect() {
      this.set(spooled())
    },
  })
}
