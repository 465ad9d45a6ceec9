import { join } from 'node:path'
import { openDatabasePool } from '../src/database/connection/connect.ts'
import { generateDomainKeys, storeDomainKeys } from '../src/features/accounts/domain-keys.ts'
import { loadOrCreateMasterKeys } from '../src/lib/crypto/seal.ts'
import { rounded } from './load.ts'
import { nodemailerPerSecond, readyMade, sameMessage, smtpSourcePerSecond } from './mail-baselines.ts'
import { peakRssMb } from './processes.ts'
import type { Benchmark } from './run.ts'
import { sendCampaign, startSendingStage, untilIndexed } from './sent-campaign.ts'
import type { BenchService } from './service.ts'
import { type SinkProcess, startSinkProcess } from './sink.ts'

const MESSAGES = 20_000
const BASELINE = 4000
const SIGNING_DOMAIN = 'signed.orchard.example'

/** A domain that signs with rsa-2048, taken for verified: its records are nowhere. */
async function addSigningDomain({ databaseUrl, dataDir, account }: BenchService): Promise<void> {
  const { db, close } = openDatabasePool(databaseUrl, { max: 1 })
  const now = new Date()
  await db
    .insertInto('sending_domains')
    .values({ account, domain: SIGNING_DOMAIN, is_default: false, verified_at: now })
    .execute()
  const keys = (await generateDomainKeys()).filter(([algorithm]) => algorithm === 'rsa-sha256')
  const masterKeys = loadOrCreateMasterKeys({ file: join(dataDir, 'master.key') })
  await storeDomainKeys(db, masterKeys, { account, domain: SIGNING_DOMAIN }, { keys, now, activatedAt: now })
  await close()
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
  const stage = await startSendingStage(sink, messages)
  const { service } = stage
  try {
    const cold = await sendCampaign(stage)
    report(`cold: ${Math.round(cold.perSecond)} messages/s`)
    await untilIndexed(stage)
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
    await stage.stop()
    sink.stop()
  }
}
