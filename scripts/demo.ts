import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createCampaign, createFields, importContacts, sendProof, validate, waitUntilSent } from './demo/campaign.ts'
import { generateContacts, toCsv } from './demo/contacts.ts'
import { startMailbox } from './demo/mailbox.ts'
import { showProgress } from './demo/progress.ts'
import { react } from './demo/reactions.ts'
import { compare, printTable, readBack } from './demo/report.ts'
import { startService } from './demo/service.ts'

/**
 * The main job on real input, as a client does it: contacts from a file, a personalised and tracked campaign over SMTP,
 * the reactions of its readers over HTTP, and their history read back. Exits with 1 when any figure read through the
 * interface differs from what the mail server and the HTTP client counted.
 */
const USAGE = 'npm run demo [-- --json] [-- --contacts FILE] [--recipients N] [--keep]\n'
const GENERATED = 10_000
/** A hit sooner than a second after its message is a machine's. */
const HUMAN_PAUSE_MS = 1500

interface Options {
  json: boolean
  keep: boolean
  contacts: string | undefined
  recipients: number
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean' },
      keep: { type: 'boolean' },
      contacts: { type: 'string' },
      recipients: { type: 'string' },
    },
  })
  const recipients = values.recipients === undefined ? Number.POSITIVE_INFINITY : Number(values.recipients)
  if (!(recipients >= 1)) throw new Error('--recipients must be at least 1')
  return { json: values.json === true, keep: values.keep === true, contacts: values.contacts, recipients }
}

/** The contact file: the one that was named, else one that is made. About half of the made contacts opt in. */
async function contactFile({ contacts, recipients }: Options): Promise<string> {
  if (contacts !== undefined) return readFile(contacts, 'utf8')
  return toCsv(
    generateContacts(Number.isFinite(recipients) ? Math.max(GENERATED, Math.ceil(recipients * 2.1)) : GENERATED),
  )
}

async function run(options: Options): Promise<boolean> {
  const progress = showProgress()
  const file = await contactFile(options)
  progress.step('Starting the service')
  const mailbox = await startMailbox()
  const service = await startService(mailbox.sink.port)
  const { client } = service
  // The service is a process of its own: it must not outlive an interrupted demo.
  const interrupt = (): void => void service.stop().finally(() => process.exit(130))
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    progress.step('Creating fields and lists')
    await createFields(client)
    const imported = await importContacts(client, file, options.recipients, progress)
    const action = await createCampaign(client, imported.segment)
    progress.step('Sending a test message')
    await sendProof(client, action)
    const sending = await waitUntilSent(client, action, {
      recipients: imported.audience,
      mailbox,
      progress,
      started: await validate(client, action),
    })
    await delay(HUMAN_PAUSE_MS)
    const reactions = await react(mailbox.share, (done) =>
      progress.step('Opening, clicking, unsubscribing', done, mailbox.share.length),
    )
    progress.step('Checking the history')
    const shown = await readBack(client, action)
    progress.end()
    const faults = compare({ shown, mailbox, reactions, imported, sending })
    const figures = {
      imported: imported.contacts,
      sent: shown.sent,
      received: mailbox.received,
      bounces: shown.bounces,
      opens: shown.opens,
      clicks: shown.clicks,
      unsubscribes: shown.unsubscribes,
      importSeconds: Number(imported.seconds.toFixed(2)),
      sendSeconds: Number(sending.seconds.toFixed(2)),
      messagesPerSecond: Math.round(sending.messagesPerSecond),
    }
    printTable(options.json ? process.stderr : process.stdout, figures, reactions)
    for (const fault of faults) process.stderr.write(`mismatch: ${fault}\n`)
    if (options.json) process.stdout.write(`${JSON.stringify(figures)}\n`)
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
    if (options.keep && faults.length === 0) await keepRunning(service)
    return faults.length === 0
  } finally {
    await service.stop()
    await mailbox.sink.close()
  }
}

/** Leaves the service as it is to look around, until the demo is interrupted. */
async function keepRunning({ client, key }: { client: { url: string }; key: string }): Promise<void> {
  process.stderr.write(
    `\nStill running at ${client.url} with the API key ${key}. The API reference is at ${client.url}/docs. Press Ctrl-C to stop.\n`,
  )
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
}

try {
  process.exitCode = (await run(readOptions())) ? 0 : 1
} catch (error) {
  process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : error}\n${USAGE}`)
  process.exitCode = 1
}
