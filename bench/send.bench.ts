import { join } from 'node:path'
import { createFields, importContacts, validate } from '../scripts/demo/campaign.ts'
import { eventually } from '../scripts/demo/client.ts'
import { generateContacts, toCsv } from '../scripts/demo/contacts.ts'
import { connect, type Pool } from '../src/database/connect.ts'
import { makeKeys, storeKeys } from '../src/features/accounts/domain-keys.ts'
import { MIN_TO_INDEX } from '../src/features/segments/criterion-indexes.ts'
import { loadMasterKeys } from '../src/lib/seal.ts'
import { prepareCampaign } from './campaigns.ts'
import { rounded } from './load.ts'
import { nodemailerPerSecond, readyMade, sameMessage, smtpSourcePerSecond } from './mail-baselines.ts'
import { coreSeconds, peakRssMb, processorSeconds } from './processes.ts'
import type { Benchmark } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'
import { type SinkProcess, startSinkProcess } from './sink.ts'

const MESSAGES = 20_000
const BASELINE = 4000
const SIGNING_DOMAIN = 'signed.orchard.example'
const PATIENCE_MS = 600_000
/** The state of a campaign whose messages all have their outcome. */
const ENDED = 60

interface Stage {
  service: BenchService
  pool: Pool
  sink: SinkProcess
  segment: number
  messages: number
}

/** A domain that signs with rsa-2048, taken for verified: its records are nowhere. */
async function addSigningDomain({ databaseUrl, dataDir, account }: BenchService): Promise<void> {
  const { db, close } = connect(databaseUrl, { max: 1 })
  const now = new Date()
  await db
    .insertInto('sending_domains')
    .values({ account, domain: SIGNING_DOMAIN, is_default: false, verified_at: now })
    .execute()
  const keys = (await makeKeys()).filter(([algorithm]) => algorithm === 'rsa-sha256')
  const masterKeys = loadMasterKeys({ file: join(dataDir, 'master.key') })
  await storeKeys(db, masterKeys, { account, domain: SIGNING_DOMAIN }, { keys, now, activatedAt: now })
  await close()
}

/** Bytes of write-ahead log that the database has written so far. */
async function walBytes(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: string }>("select pg_current_wal_lsn() - '0/0' as n")
  return Number(rows[0]?.n)
}

/** Waits until the fields of the imported contacts are indexed, where they are enough for it: they are once, within a minute. */
async function untilIndexed(pool: Pool, messages: number): Promise<void> {
  if (messages < MIN_TO_INDEX) return
  await eventually('the indexes', PATIENCE_MS, async () => {
    const { rows } = await pool.query<{ done: boolean }>(
      "select last_analyze is not null as done from pg_stat_user_tables where relname = 'contacts'",
    )
    return rows[0]?.done ? true : undefined
  })
}

/** Sends a campaign to the segment and waits for its end; gives rate, size and cost up to its last message. */
async function sendCampaign({ service, pool, sink, segment, messages }: Stage, domain?: string) {
  const { client } = service
  const id = await prepareCampaign(client, segment, { domain })
  const [before, spent, sinkSpent] = [await sink.count(), processorSeconds(service.pid), processorSeconds(sink.pid)]
  const [walBefore, cores] = [await walBytes(pool), coreSeconds()]
  const started = await validate(client, id)
  const after = await eventually('the messages', PATIENCE_MS, async () => {
    const counted = await sink.count()
    return counted.messages - before.messages >= messages ? counted : undefined
  })
  const milliseconds = performance.now() - started
  const each = (seconds: number) => rounded((seconds * 1000) / messages, 3)
  const [total, sinkTotal, coresNow] = [processorSeconds(service.pid), processorSeconds(sink.pid), coreSeconds()]
  // What is still being recorded would take from whatever is measured next.
  await eventually('the end of the campaign', PATIENCE_MS, async () => {
    const { state } = await client.call<{ state: number }>('GET', `/actions/${id}`)
    return state === ENDED ? true : undefined
  })
  return {
    perSecond: (messages * 1000) / milliseconds,
    octets: Math.round((after.octets - before.octets) / messages),
    processorMs: {
      service: each(total.own - spent.own),
      database: each(total.children - spent.children),
      sink: each(sinkTotal.own - sinkSpent.own),
    },
    idlePercent: Math.round((100 * (coresNow.idle - cores.idle)) / (coresNow.all - cores.all)),
    walBytes: Math.round(((await walBytes(pool)) - walBefore) / messages),
  }
}

interface Ours {
  perSecond: number
  octets: number
  isSigned: boolean
}

/** Ours beside nodemailer over the same loopback: when it makes the messages itself, and when it is given their bytes. */
async function besideNodemailer(
  report: (line: string) => void,
  sink: SinkProcess,
  { perSecond, octets, isSigned }: Ours,
) {
  const load = { messages: BASELINE, isSigned }
  const before = await sink.count()
  const composing = await nodemailerPerSecond(sink.port, sameMessage, load)
  const after = await sink.count()
  const raw = await nodemailerPerSecond(sink.port, readyMade(octets), load)
  report(`nodemailer: ${Math.round(composing)} messages/s; given ready-made bytes: ${Math.round(raw)}`)
  return {
    nodemailerPerSecond: Math.round(composing),
    ratioToNodemailer: rounded(perSecond / composing),
    nodemailerOctetsPerMessage: Math.round((after.octets - before.octets) / (after.messages - before.messages)),
    rawNodemailerPerSecond: Math.round(raw),
    ratioToRawNodemailer: rounded(perSecond / raw),
  }
}

/**
 * Messages a second of a campaign, personalised and tracked, from its validation to its last message at an SMTP sink;
 * all baselines speak to the same sink, over eight connections.
 * - `idlePercent`: of all cores, from the validation to the last message; `walBytesPerMessage`: of write-ahead log, up to
 *   the end of the campaign.
 * - `cold`: the first campaign of a service that has just started. What follows is measured when the fields of the contacts
 *   are indexed, and after one more: the third campaign to the same segment, in the same service, as one that has been
 *   running for a minute sends.
 * - `ratioToNodemailer`: against pooled nodemailer, warmed up, that makes the same messages from a letter filled per
 *   contact by a template function, without tracking, checks or records: at least 5; signed with rsa-2048 at least 4.
 * - `ratioToRawNodemailer`: against the same given ready-made bytes, so that it encodes nothing.
 * - `ratioToSmtpSource`: against Postfix's generator, which sends one message of as many octets over and over: at least 0.4.
 */
export const benchmark: Benchmark = async (report, size) => {
  const messages = size ?? MESSAGES
  const sink = await startSinkProcess()
  const service = await startBenchService(sink.port)
  const { pool, close } = connect(service.databaseUrl, { max: 1 })
  try {
    const { client } = service
    await createFields(client)
    const rows = [...generateContacts(messages)].map((row) => ({ ...row, 'Opt-in': 'yes' }))
    const quiet = { step: () => undefined, end: () => undefined }
    const { segment } = await importContacts(client, toCsv(rows), messages, quiet)
    const stage = { service, pool, sink, segment, messages }

    const cold = await sendCampaign(stage)
    report(`cold: ${Math.round(cold.perSecond)} messages/s`)
    await untilIndexed(pool, messages)
    const warming = await sendCampaign(stage)
    report(`warming: ${Math.round(warming.perSecond)} messages/s`)
    const plain = await sendCampaign(stage)
    const { octets } = plain
    report(`${Math.round(plain.perSecond)} messages/s of ${octets} octets`)
    const besidePlain = await besideNodemailer(report, sink, { ...plain, isSigned: false })
    const source = await smtpSourcePerSecond(sink.port, { messages, octets })
    report(source ? `smtp-source: ${Math.round(source)} messages/s` : 'smtp-source is not installed (package postfix)')

    await addSigningDomain(service)
    const signed = await sendCampaign(stage, SIGNING_DOMAIN)
    report(`signed: ${Math.round(signed.perSecond)} messages/s`)
    const besideSigned = await besideNodemailer(report, sink, { ...signed, octets, isSigned: true })
    return {
      messages,
      octetsPerMessage: octets,
      messagesPerSecond: Math.round(plain.perSecond),
      ...besidePlain,
      ...(source && {
        smtpSourcePerSecond: Math.round(source),
        ratioToSmtpSource: rounded(plain.perSecond / source),
      }),
      processorMsPerMessage: plain.processorMs,
      idlePercent: plain.idlePercent,
      walBytesPerMessage: plain.walBytes,
      cold: { messagesPerSecond: Math.round(cold.perSecond), processorMsPerMessage: cold.processorMs },
      dkim: {
        messagesPerSecond: Math.round(signed.perSecond),
        ...besideSigned,
        processorMsPerMessage: signed.processorMs,
        idlePercent: signed.idlePercent,
      },
      peakRssMb: peakRssMb(service.pid),
    }
  } finally {
    await close()
    await service.stop()
    sink.stop()
  }
}
