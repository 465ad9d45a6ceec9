import { createWriteStream, openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createFields } from '../scripts/demo/campaign.ts'
import { eventually } from '../scripts/demo/client.ts'
import { columns, generateContacts, type Row } from '../scripts/demo/contacts.ts'
import type { BenchService } from './service.ts'

const PATIENCE_MS = 180 * 60_000
/** Ten of the demo's columns: an email unicity, a number, a date, a telephone number, two lists and four texts. */
export const header = columns.filter((name) => name !== 'Opt-in')

interface Execution {
  id: number
  state: number
  created: number
  updated: number
  progress: { lines: number }
  endDate: string
  error: { detail: string } | null
}

/** Writes the file; `change` gives the cells that are not as the demo's generator makes them. */
export async function writeFile(path: string, count: number, change: (row: Row) => Partial<Row>): Promise<void> {
  function* lines() {
    yield `${header.join(';')}\r\n`
    for (const row of generateContacts(count)) {
      const cells: Partial<Row> = { ...row, ...change(row) }
      yield `${header.map((name) => cells[name] ?? '').join(';')}\r\n`
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(path))
}

/** Makes fields and an import in a service, and gives where the file for it is to be written. */
export async function prepareImport({ client, dataDir }: BenchService): Promise<{ id: number; path: string }> {
  await createFields(client)
  const { id } = await client.call<{ id: number }>('POST', '/imports', { name: 'bench', features: [] })
  return { id, path: join(dataDir, 'bench') }
}

/** A line of /proc/<pid>/status in MiB: `VmRSS` now, `VmHWM` at most. Threads are part of their process. */
export async function memory(pid: number, line: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024)
}

/** The progress of a run at a moment, in milliseconds, and the memory of the service then, in MiB. */
interface Mark {
  lines: number
  at: number
  rss: number
}

/** Lines a second of each part of `part` lines, between the marks nearest to its ends. */
export function partRates(marks: readonly Mark[], part: number): number[] {
  const ends: Mark[] = marks.slice(0, 1)
  for (const mark of marks) {
    const last = ends.at(-1)
    if (last && mark.lines >= ends.length * part && mark.lines > last.lines) ends.push(mark)
  }
  return ends.slice(1).map(({ lines, at }, n) => Math.round(((lines - ends[n]!.lines) * 1000) / (at - ends[n]!.at)))
}

/**
 * Uploads a file, under the name `filename`, and runs it. Gives the counts, the seconds from the first byte to the end, how far it was
 * when, and memory before the run.
 */
export async function runImport({ client, key, pid }: BenchService, id: number, path: string, filename = 'people.csv') {
  const started = Date.now()
  const sent = await fetch(`${client.url}/imports/${id}/source`, {
    method: 'PUT',
    headers: {
      'x-key': key,
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${filename}"`,
    },
    body: await openAsBlob(path),
  })
  if (!sent.ok) throw new Error(`the upload answered ${sent.status}: ${await sent.text()}`)
  const before = await memory(pid, 'VmRSS')
  const executions = `/imports/${id}/executions`
  const { id: execution } = await client.call<Execution>('POST', executions)
  const marks: Mark[] = [{ lines: 0, at: Date.now(), rss: before }]
  const ended = await eventually('the import', PATIENCE_MS, async () => {
    const present = await client.call<Execution>('GET', `${executions}/${execution}`)
    const at = present.state === 0 ? Date.now() : Date.parse(present.endDate)
    marks.push({ lines: present.progress.lines, at, rss: await memory(pid, 'VmRSS') })
    return present.state === 0 ? undefined : present
  })
  if (ended.state !== 1) throw new Error(`the import failed: ${ended.error?.detail}`)
  return { ...ended, seconds: (Date.parse(ended.endDate) - started) / 1000, before, marks }
}
