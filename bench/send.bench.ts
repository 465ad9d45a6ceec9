import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createTransport } from 'nodemailer'
import { createFields, importContacts, sendProof, validate } from '../scripts/demo/campaign.ts'
import { eventually } from '../scripts/demo/client.ts'
import { generateContacts, toCsv } from '../scripts/demo/contacts.ts'
import { letterHtml } from './letter.ts'
import { rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

const MESSAGES = 10_000
const BASELINE = 3000
const CONNECTIONS = 8

interface Counters {
  messages: number
  octets: number
}

/** An SMTP sink in a process of its own, and what it has counted. */
async function startSinkProcess() {
  const child = fork(new URL('../test/fakes/smtp-sink.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    port,
    stop: () => child.disconnect(),
    async count(): Promise<Counters> {
      const answer = once(child, 'message')
      child.send('count')
      return (await answer)[0] as Counters
    },
  }
}

/** Pooled nodemailer, given messages of the same size ready made. */
async function nodemailerPerSecond(port: number, octets: number): Promise<number> {
  const transport = createTransport({
    pool: true,
    host: '127.0.0.1',
    port,
    secure: false,
    ignoreTLS: true,
    maxConnections: CONNECTIONS,
    maxMessages: 100_000,
  })
  const line = `${'x'.repeat(74)}\r\n`
  const head =
    'From: letter@mail.example\r\nTo: ann@mail.example\r\nSubject: The pears are in\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n'
  const raw = head + line.repeat(Math.round((octets - head.length) / line.length))
  const started = performance.now()
  await Promise.all(
    Array.from({ length: BASELINE }, (_, n) =>
      transport.sendMail({ envelope: { from: 'letter@mail.example', to: `ann${n}@mail.example` }, raw }),
    ),
  )
  const seconds = (performance.now() - started) / 1000
  transport.close()
  return BASELINE / seconds
}

/** Messages a second of a campaign, personalised and tracked, to an SMTP sink, against pooled nodemailer sending the same bytes. At least 1. */
export const benchmark: Benchmark = async (tell) => {
  const sink = await startSinkProcess()
  const service = await startBenchService(sink.port)
  try {
    const { client } = service
    await createFields(client)
    const rows = [...generateContacts(MESSAGES)].map((row) => ({ ...row, 'Opt-in': 'yes' }))
    const { segment } = await importContacts(client, toCsv(rows), MESSAGES, {
      step: () => undefined,
      end: () => undefined,
    })
    const { id } = await client.call<{ id: string }>('POST', '/actions', {
      type: 'mailCampaign',
      name: 'bench',
      settings: { contentFormat: 1 },
      content: {
        headers: { from: { prefix: 'letter', label: 'The Orchard' } },
        subject: '{{ contact["First name"] }}, the pears are in',
        html: letterHtml(),
      },
      scheduler: { type: 'asap', segments: { selected: [segment] } },
    })
    await sendProof(client, id)
    const before = await sink.count()
    const started = await validate(client, id)
    const after = await eventually('the messages', 300_000, async () => {
      const counted = await sink.count()
      return counted.messages - before.messages >= MESSAGES ? counted : undefined
    })
    const perSecond = (MESSAGES * 1000) / (performance.now() - started)
    const octets = (after.octets - before.octets) / MESSAGES
    tell(`${Math.round(perSecond)} messages/s of ${Math.round(octets)} octets`)
    const baseline = await nodemailerPerSecond(sink.port, octets)
    tell(`nodemailer: ${Math.round(baseline)} messages/s`)
    const status = await readFile(`/proc/${service.pid}/status`, 'utf8')
    return {
      messages: MESSAGES,
      octetsPerMessage: Math.round(octets),
      messagesPerSecond: Math.round(perSecond),
      nodemailerPerSecond: Math.round(baseline),
      ratioToNodemailer: rounded(perSecond / baseline),
      peakRssMb: Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024),
    }
  } finally {
    await service.stop()
    sink.stop()
  }
}
