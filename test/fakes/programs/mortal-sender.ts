import type { OutgoingMail } from '../../../src/gateways/gateway.ts'
import { readSmtpSettings } from '../../../src/gateways/smtp/settings.ts'
import { openSmtpGateway } from '../../../src/gateways/smtp/smtp.ts'
import { startSenderJournal } from '../../../src/sending/recover/journal.ts'

/** `mortal-sender.ts PORT CONNECTIONS DATA_DIR SENDER`: sends two batches without an end, with a journal, until it is killed. */
const [port, connections, dataDir = '', sender = ''] = process.argv.slice(2)

const settings = readSmtpSettings({
  host: '127.0.0.1',
  port: Number(port),
  tls: 'none',
  connections: Number(connections),
  messages: 20,
})
const gateway = openSmtpGateway('mortal', settings, undefined)
const journal = startSenderJournal(dataDir, sender)
const BYTES = Buffer.from(`Subject: x\r\n\r\n${'A line of a letter.\r\n'.repeat(400)}`)

function* mails(from: number): Generator<OutgoingMail> {
  for (let id = from; ; id += 2)
    yield { id, envelope: { from: 'bounce@shop.example', to: `c${id}@example.com` }, bytes: BYTES, isPlain: true }
}

async function sendBatch(from: number): Promise<void> {
  const batch = journal.open()
  await gateway.send(mails(from), {
    beforeBody: batch.begin,
    outcome: ({ id, ...answer }) => batch.end(id, answer),
  })
}

await Promise.all([sendBatch(1), sendBatch(2)])
