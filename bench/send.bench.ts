import { join } from 'node:path'
import { createFields, importContacts, validate } from '../scripts/demo/campaign.ts'
import { eventually } from '../scripts/demo/client.ts'
import { generateContacts, toCsv } from '../scripts/demo/contacts.ts'
import { connect } from '../src/database/connect.ts'
import { makeKeys, storeKeys } from '../src/features/accounts/domain-keys.ts'
import { loadMasterKeys } from '../src/lib/seal.ts'
import { prepareCampaign } from './campaigns.ts'
import { rounded } from './load.ts'
import { nodemailerPerSecond, smtpSourcePerSecond } from './mail-baselines.ts'
import { peakRssMb, processorSeconds } from './processes.ts'
import type { Benchmark } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'
import { type SinkProcess, startSinkProcess } from './sink.ts'

const MESSAGES = 20_000
const BASELINE = 4000
const SIGNING_DOMAIN = 'signed.orchard.example'
const PATIENCE_MS = 600_000

interface Stage {
  service: BenchService
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

/** Sends a campaign to the segment and waits for its last message; gives its rate, size, and what it cost. */
async function sendCampaign({ service, sink, segment, messages }: Stage, domain?: string) {
  const { client } = service
  const id = await prepareCampaign(client, segment, domain)
  const [before, spent, sinkSpent] = [await sink.count(), processorSeconds(service.pid), processorSeconds(sink.pid)]
  const started = await validate(client, id)
  const after = await eventually('the messages', PATIENCE_MS, async () => {
    const counted = await sink.count()
    return counted.messages - before.messages >= messages ? counted : undefined
  })
  const milliseconds = performance.now() - started
  const each = (seconds: number) => rounded((seconds * 1000) / messages, 3)
  const total = processorSeconds(service.pid)
  return {
    perSecond: (messages * 1000) / milliseconds,
    octets: Math.round((after.octets - before.octets) / messages),
    processorMs: {
      service: each(total.own - spent.own),
      database: each(total.children - spent.children),
      sink: each(processorSeconds(sink.pid).own - sinkSpent.own),
    },
  }
}

/**
 * Messages a second of a campaign, personalised and tracked, to an SMTP sink, against pooled nodemailer and Postfix's
 * generator sending as many octets: at least 5 and 0.4 times theirs; signed with rsa-2048 at least 4 times nodemailer's.
 */
export const benchmark: Benchmark = async (tell, size) => {
  const messages = size ?? MESSAGES
  const sink = await startSinkProcess()
  const service = await startBenchService(sink.port)
  try {
    const { client } = service
    await createFields(client)
    const rows = [...generateContacts(messages)].map((row) => ({ ...row, 'Opt-in': 'yes' }))
    const quiet = { step: () => undefined, end: () => undefined }
    const { segment } = await importContacts(client, toCsv(rows), messages, quiet)
    const stage = { service, sink, segment, messages }

    const plain = await sendCampaign(stage)
    tell(`${Math.round(plain.perSecond)} messages/s of ${plain.octets} octets`)
    const { octets } = plain
    const mailer = await nodemailerPerSecond(sink.port, { messages: BASELINE, octets, isSigned: false })
    tell(`nodemailer: ${Math.round(mailer)} messages/s`)
    const source = await smtpSourcePerSecond(sink.port, { messages, octets })
    tell(source ? `smtp-source: ${Math.round(source)} messages/s` : 'smtp-source is not installed (package postfix)')

    await addSigningDomain(service)
    const signed = await sendCampaign(stage, SIGNING_DOMAIN)
    tell(`signed: ${Math.round(signed.perSecond)} messages/s`)
    const signingMailer = await nodemailerPerSecond(sink.port, { messages: BASELINE, octets, isSigned: true })
    tell(`nodemailer, signed: ${Math.round(signingMailer)} messages/s`)
    return {
      messages,
      octetsPerMessage: octets,
      messagesPerSecond: Math.round(plain.perSecond),
      nodemailerPerSecond: Math.round(mailer),
      ratioToNodemailer: rounded(plain.perSecond / mailer),
      ...(source && {
        smtpSourcePerSecond: Math.round(source),
        ratioToSmtpSource: rounded(plain.perSecond / source),
      }),
      processorMsPerMessage: plain.processorMs,
      dkim: {
        messagesPerSecond: Math.round(signed.perSecond),
        nodemailerPerSecond: Math.round(signingMailer),
        ratioToNodemailer: rounded(signed.perSecond / signingMailer),
        processorMsPerMessage: signed.processorMs,
      },
      peakRssMb: peakRssMb(service.pid),
    }
  } finally {
    await service.stop()
    sink.stop()
  }
}
