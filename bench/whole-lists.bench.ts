import { openDatabasePool } from '../src/database/connection/connect.ts'
import { createFields, loadContacts } from './contact-fields.ts'
import { memory } from './import-run.ts'
import { rounded } from './load.ts'
import type { Benchmark, Figures } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'

const CONTACTS = 1_000_000
const SAMPLE_MS = 100
/** Contacts of a page: the most that each operation gives. */
const LISTED = 10_000
const SEARCHED = 1000
/** Pages of a sorted list: as far as a person scrolls, and further. */
const PAGES = 300

/** What the service had in memory before a piece of work, and at most during it, in MiB. */
async function watched(pid: number, work: () => Promise<number>): Promise<Figures> {
  const before = await memory(pid, 'VmRSS')
  let [peak, isDone] = [before, false]
  const watching = (async () => {
    while (!isDone) {
      peak = Math.max(peak, await memory(pid, 'VmRSS'))
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
    }
  })()
  const started = performance.now()
  const contacts = await work()
  const seconds = (performance.now() - started) / 1000
  isDone = true
  await watching
  return { contacts, perSecond: Math.round(contacts / seconds), peakRssMb: peak, growthMb: rounded(peak - before, 0) }
}

/** What each contact has once. */
const MARK = '"redList":'

/** Reads the whole list as one answer, without keeping it; gives its contacts. */
async function streamed({ client, key }: BenchService): Promise<number> {
  const answer = await fetch(`${client.url}/targets`, { headers: { 'x-key': key } })
  if (!answer.ok || !answer.body) throw new Error(`the list answered ${answer.status}`)
  let [contacts, rest] = [0, '']
  for await (const chunk of answer.body) {
    const text = rest + Buffer.from(chunk as Uint8Array).toString('latin1')
    for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + 1)) contacts++
    rest = text.slice(1 - MARK.length)
  }
  return contacts
}

/** Reads the whole list page by page, as its links say. */
async function paged({ client, key }: BenchService): Promise<number> {
  let contacts = 0
  let next: string | undefined = `/targets?limit=${LISTED}`
  while (next !== undefined) {
    const answer: Response = await fetch(new URL(next, client.url), { headers: { 'x-key': key } })
    if (!answer.ok) throw new Error(`${next} answered ${answer.status}`)
    contacts += ((await answer.json()) as unknown[]).length
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return contacts
}

/** Reads pages of a sorted list, each after the one before. */
async function scrolled({ client }: BenchService, by: string | number): Promise<number> {
  let contacts = 0
  let after: string | null = null
  for (let page = 0; page < PAGES; page++) {
    const answer: { items: unknown[]; next: string | null } = await client.call('POST', '/targets/search', {
      sort: { by, order: 'desc' },
      limit: SEARCHED,
      after,
    })
    contacts += answer.items.length
    after = answer.next
    if (after === null) break
  }
  return contacts
}

/**
 * What the service holds while whole lists of contacts are read, over HTTP: one answer with all of them, pages of 10,000, and pages in
 * the order of two fields and of a date. `growthMb` is what it gained over what it had before: the same for 10,000,000
 * contacts as for 1,000,000.
 */
export const benchmark: Benchmark = async (report, size = CONTACTS) => {
  const service = await startBenchService()
  const { db, pool, close } = openDatabasePool(service.databaseUrl, { max: 2, statementTimeoutMs: 0 })
  try {
    const fields = await createFields(service)
    await loadContacts({ db, pool }, service.account, fields, size)
    const works: Record<string, () => Promise<number>> = {
      streamed: () => streamed(service),
      paged: () => paged(service),
      byDate: () => scrolled(service, 'lastUpdateDate'),
      byText: () => scrolled(service, fields.name),
      byNumber: () => scrolled(service, fields.spend),
    }
    // A first page, so that what every service takes when it begins is not counted.
    await service.client.call('GET', '/targets?limit=1000')
    const figures: Figures = {}
    for (const [name, work] of Object.entries(works)) {
      const found = await watched(service.pid, work)
      report(`${name}: ${JSON.stringify(found)}`)
      figures[name] = found
    }
    return figures
  } finally {
    await close()
    await service.stop()
  }
}
