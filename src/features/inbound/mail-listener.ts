import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { Counter, Gauge, type Registry } from 'prom-client'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions } from 'smtp-server'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { uuidV7 } from '../../lib/ids.ts'
import { defaultDomain } from '../accounts/sending-settings.ts'
import { type BounceDomains, openBounceDomains } from './bounce-domains.ts'
import { openTxtResolver, type ResolveTxt } from './dkim.ts'
import { type Door, doorOf } from './doors.ts'
import type { ReceivedMail } from './ingest.ts'
import { type MailWriter, startMailWriter } from './mail-writer.ts'
import { READ_BYTES } from './mime.ts'

/** The running listener. */
export interface MailListener {
  port: number
  /** Stops to listen, gives open sessions a second, and stores what they brought. */
  stop(): Promise<void>
}

/** The limits of `events.md` 8. */
const MAIL_BYTES = 10 * 1024 * 1024
const RECIPIENTS = 100
const SESSIONS = 200
const IDLE_MS = 60_000
/** Who sends a byte now and then is not idle; nobody is served for ever all the same. */
const SESSION_MS = 10 * 60_000
const CLOSE_MS = 1000

/**
 * Listens for bounces, complaints and mails that unsubscribe (RFC 5321). It takes mail for addresses of ours alone, and
 * sends none: it cannot relay or loop. A mail is answered with success when what it reports is stored, or when it is on
 * the disk.
 */
export async function startMailListener(
  context: Context,
  registry: Registry,
  resolveTxt: ResolveTxt = openTxtResolver(),
): Promise<MailListener> {
  const { config, db, tokens, log, clock } = context
  const publicHost = defaultDomain({ domains: [] }, config.publicUrl)
  const count = countOutcomes(registry)
  const stored = { db, tokens, publicHost, resolveTxt }
  const writer = await startMailWriter({ ...stored, dataDir: config.dataDir, log, replayed: count })
  watchSpool(registry, () => writer.spooled())
  const domains = openBounceDomains(db, clock, publicHost)
  const intake = openIntake(context, writer, count)
  const server = new SMTPServer({
    ...(await settings(config, publicHost)),
    onRcptTo({ address }, _, answer) {
      void judge(doorOf(tokens, address), domains).then((fault) => {
        if (fault) count(['refused'])
        answer(fault)
      })
    },
    onData(stream, { envelope }, answer) {
      intake.take(stream, doorsOf(envelope.rcptTo.map(({ address }) => doorOf(tokens, address))), answer)
    },
  })
  server.on('error', (error) => log.debug({ err: error.message }, 'a session of the mail listener failed'))
  return {
    port: await listen(server, config),
    async stop() {
      await new Promise<void>((closed) => server.close(() => closed()))
      await intake.idle()
      await writer.close()
    },
  }
}

/** Takes mails from their sessions to the writer. */
interface Intake {
  take(stream: SMTPServerDataStream, doors: Door[], answer: Answer): void
  /** Resolves when every mail that came is taken care of. */
  idle(): Promise<void>
}

function openIntake({ log, clock }: Context, writer: MailWriter, count: (outcomes: readonly string[]) => void): Intake {
  const underWay = new Set<Promise<void>>()

  async function work(stream: SMTPServerDataStream, doors: Door[], answer: Answer): Promise<void> {
    try {
      const raw = await received(stream)
      if (!raw) return answer(refusal(552, '5.3.4 The mail is too big'))
      const now = clock.now()
      const mail: ReceivedMail = { id: uuidV7(now), receivedAt: now, doors, raw }
      const outcomes = await writer.write(mail)
      count(outcomes)
      log.info({ mail: mail.id, outcomes }, 'a mail was taken in')
      answer(null, '2.0.0 Ok')
    } catch (error) {
      if (!stream.readableAborted) log.error({ err: error }, 'a mail cannot be taken in')
      answer(refusal(451, '4.3.0 Try again later'))
    }
  }

  return {
    take(stream, doors, answer) {
      const working = work(stream, doors, answer).finally(() => underWay.delete(working))
      underWay.add(working)
    },
    idle: async () => void (await Promise.all(underWay)),
  }
}

type Answer = (error?: Error | null, message?: string) => void

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** Null for an address of ours; else what its sender is told. */
async function judge(door: Door | undefined, domains: BounceDomains): Promise<Error | null> {
  try {
    if (door && (door.type !== 'reports' || (await domains.has(door.domain)))) return null
    return refusal(550, '5.1.1 No such address here')
  } catch {
    return refusal(451, '4.3.0 Try again later')
  }
}

/** Each door once, however often it was named. */
function doorsOf(doors: readonly (Door | undefined)[]): Door[] {
  return [...new Map(doors.flatMap((door) => (door ? [[JSON.stringify(door), door]] : []))).values()]
}

/** The beginning of a mail, which is all that is read of it; undefined when the mail is too big. Rejects when it breaks off. */
async function received(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
  const kept: Buffer[] = []
  let room = READ_BYTES
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (room > 0) kept.push(Buffer.from(chunk.subarray(0, room)))
    room -= chunk.length
  }
  return stream.sizeExceeded ? undefined : Buffer.concat(kept)
}

async function settings(config: Config, name: string): Promise<SMTPServerOptions> {
  const { smtpInCertificate, smtpInKey } = config
  const hasTls = smtpInCertificate !== undefined && smtpInKey !== undefined
  return {
    name,
    banner: 'Stentor',
    // Without a certificate of one's own the library would offer one whose key everybody has.
    disabledCommands: hasTls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    ...(hasTls && { cert: await readFile(smtpInCertificate), key: await readFile(smtpInKey) }),
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: true,
    size: MAIL_BYTES,
    maxRecipients: RECIPIENTS,
    maxClients: SESSIONS,
    socketTimeout: IDLE_MS,
    closeTimeout: CLOSE_MS,
  }
}

/** Resolves with the port. Rejects with what the system says when it cannot be had. */
async function listen(server: SMTPServer, { smtpInHost, smtpInPort }: Config): Promise<number> {
  const listening = server.listen(smtpInPort, smtpInHost)
  listening.on('connection', (socket: Socket) => {
    const timer = setTimeout(() => socket.destroy(), SESSION_MS)
    timer.unref()
    socket.on('close', () => clearTimeout(timer))
  })
  if (!listening.listening) await once(listening, 'listening')
  const address = listening.address()
  return typeof address === 'object' && address !== null ? address.port : smtpInPort
}

function countOutcomes(registry: Registry): (outcomes: readonly string[]) => void {
  const counter = new Counter({
    name: 'inbound_mails_total',
    help: 'Mails that came in, by what became of them; refused: recipients that are none of ours',
    labelNames: ['outcome'],
    registers: [registry],
  })
  return (outcomes) => {
    for (const outcome of outcomes) counter.inc({ outcome })
  }
}

function watchSpool(registry: Registry, spooled: () => number): void {
  new Gauge({
    name: 'inbound_spool_bytes',
    help: 'Bytes of accepted mail on the disk that wait for the database',
    registers: [registry],
    collect() {
      this.set(spooled())
    },
  })
}
