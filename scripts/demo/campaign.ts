import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { type Client, eventually } from './client.ts'
import { type Row, tastes, titles, toCsv } from './contacts.ts'
import { type Mailbox, proofAddress } from './mailbox.ts'
import type { Progress } from './progress.ts'

interface Created {
  id: number
}

interface Execution {
  state: number
  created: number
  updated: number
  skipped: number
  rejected: number
  duplicates: number
  progress: { lines: number }
  error: { type: string; detail: string } | null
}

interface Action {
  id: string
  state: number
  informations: { lastValidation: { result: string; errors: { message: string }[] } | null }
  monitor: { recipients: number; sent: number; refused: number; cancelled: number } | null
}

/** What became of the contact file. */
export interface Imported {
  contacts: number
  seconds: number
  /** Contacts that opted in and are in the segment. */
  audience: number
  segment: number
}

const IMPORT_MS = 600_000
const TEST_MS = 60_000
const SEND_MS = 900_000

function values(labels: readonly string[]) {
  return labels.map((value) => ({ value }))
}

/** Makes the fields of the file's columns; Email is there from the start. */
export async function createFields(client: Client): Promise<void> {
  const title = await client.call<Created>('POST', '/valueLists', { name: 'Title', values: values(titles) })
  const taste = await client.call<Created>('POST', '/valueLists', { name: 'Tastes', values: values(tastes) })
  const optIn = await client.call<Created>('POST', '/valueLists', { name: 'Opt-in', values: values(['yes', 'no']) })
  const fields = [
    { name: 'Title', type: 'singleSelectList', valueListId: title.id },
    { name: 'First name', type: 'textField' },
    { name: 'Last name', type: 'textField' },
    { name: 'Mobile', type: 'phone' },
    { name: 'Birth date', type: 'date' },
    { name: 'Country', type: 'textField' },
    { name: 'Language', type: 'textField' },
    { name: 'Tastes', type: 'multipleSelectList', valueListId: taste.id },
    { name: 'Spent', type: 'numeric' },
    { name: 'Opt-in', type: 'singleSelectList', valueListId: optIn.id },
  ]
  for (const field of fields) await client.call('POST', '/fields', field)
}

async function runImport(
  client: Client,
  name: string,
  features: unknown[],
  file: string,
  report: (lines: number) => void,
): Promise<Execution> {
  const { id } = await client.call<Created>('POST', '/imports', { name, features })
  const { id: execution } = await client.upload<Created>(`/imports/${id}/executions`, {
    name: `${name}.csv`,
    text: file,
  })
  const ended = await eventually('the import', IMPORT_MS, async () => {
    const present = await client.call<Execution>('GET', `/imports/${id}/executions/${execution}`)
    report(present.progress.lines)
    return present.state === 0 ? undefined : present
  })
  if (ended.state !== 1) throw new Error(`the import failed: ${ended.error?.detail}`)
  return ended
}

/** Imports the file, and those who opted in (at most `most` of them) into a segment of their own. */
export async function importContacts(
  client: Client,
  file: string,
  most: number,
  progress: Progress,
): Promise<Imported> {
  const rows: Row[] = parse(file, { columns: true, delimiter: ';', bom: true, skip_empty_lines: true })
  const started = performance.now()
  const all = await runImport(client, 'contacts', [], file, (lines) =>
    progress.step('Importing contacts', lines, rows.length),
  )
  const seconds = (performance.now() - started) / 1000
  const optedIn = rows.filter((row) => row['Opt-in'] === 'yes').slice(0, most)
  const segment = await client.call<Created>('POST', '/segments', { type: 'static', name: 'Readers of the letter' })
  const join = [
    { type: 'segmentation', segmentId: segment.id },
    { type: 'database', updateExisting: false },
  ]
  const readers = await runImport(client, 'readers', join, toCsv(optedIn, ['Email']), (lines) =>
    progress.step('Creating the segment', lines, optedIn.length),
  )
  return {
    contacts: all.created + all.updated,
    seconds,
    audience: readers.skipped + readers.created + readers.updated,
    segment: segment.id,
  }
}

/** Makes the campaign and gives its id. */
export async function createCampaign(client: Client, segment: number): Promise<string> {
  const html = await readFile(new URL('newsletter.html', import.meta.url), 'utf8')
  const { id, state } = await client.call<Action>('POST', '/actions', {
    type: 'mailCampaign',
    name: 'The Orchard Letter',
    content: {
      headers: { from: { prefix: 'letter', label: 'The Orchard' } },
      subject:
        '{% if contact["First name"] %}{{ contact["First name"] }}, the pears are in{% else %}The pears are in{% endif %}',
      html,
    },
    scheduler: { type: 'asap', segments: { selected: [segment] } },
  })
  if (state !== 20) throw new Error(`the campaign is in state ${state} instead of 20`)
  return id
}

/** Tests the campaign with one proof. */
export async function sendProof(client: Client, action: string): Promise<void> {
  await client.call('POST', `/actions/${action}/validation`, { fortest: true, mediaForTest: proofAddress })
  const tested = await eventually('the test message', TEST_MS, async () => {
    const present = await client.call<Action>('GET', `/actions/${action}`)
    return present.state >= 30 && present.state < 38 ? undefined : present
  })
  const { lastValidation } = tested.informations
  if (tested.state !== 38)
    throw new Error(
      `the test message failed: ${lastValidation?.result} ${lastValidation?.errors.map(({ message }) => message).join('; ')}`,
    )
}

/** Lets the campaign go; gives when, by this process's clock. */
export async function validate(client: Client, action: string): Promise<number> {
  const started = performance.now()
  await client.call('POST', `/actions/${action}/validation`, { fortest: false })
  return started
}

export interface Sending {
  seconds: number
  messagesPerSecond: number
  monitor: NonNullable<Action['monitor']>
}

/** Waits until every message has its final outcome, those that were deferred too. The rate is that of the first tries. */
export async function waitUntilSent(
  client: Client,
  action: string,
  {
    recipients,
    mailbox,
    progress,
    started,
  }: { recipients: number; mailbox: Mailbox; progress: Progress; started: number },
): Promise<Sending> {
  let handedOver: { seconds: number; messages: number } | undefined
  const monitor = await eventually('the campaign', SEND_MS, async () => {
    const { state, monitor } = await client.call<Action>('GET', `/actions/${action}`)
    if (state === 60)
      handedOver ??= {
        seconds: (performance.now() - started) / 1000,
        messages: mailbox.received + mailbox.refused.size,
      }
    if (!monitor) return undefined
    const ended = monitor.sent + monitor.refused + monitor.cancelled
    progress.step(state === 60 ? 'Waiting for deferred messages' : 'Sending', ended, recipients)
    return state === 60 && ended === recipients ? monitor : undefined
  })
  const { seconds, messages } = handedOver ?? { seconds: 0, messages: 0 }
  return { seconds, messagesPerSecond: messages / seconds, monitor }
}
