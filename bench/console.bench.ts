import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openDatabasePool } from '../src/database/connection/connect.ts'
import { type ConsoleWindow, openConsole } from './console-window.ts'
import { CITIES, createFields, type Fields, loadContacts } from './contact-fields.ts'
import { median, rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { scrollDown } from './scrolling.ts'
import { startBenchService } from './service.ts'

const CONTACTS = 1_000_000
const SCROLLED = 100_000
const ROUNDS = 5
const SETUP = join(import.meta.dirname, '../scripts/setup.js')

/** Resolves with the first frame in which every row that can be seen is there. */
const ROWS_SHOWN = `new Promise((resolve) => {
  const isShown = () => {
    const box = document.querySelector('[role=table]')?.parentElement
    if (!box) return false
    const { top, bottom } = box.getBoundingClientRect()
    const seen = [...box.querySelectorAll('[data-index]')].filter((row) => {
      const place = row.getBoundingClientRect()
      return place.bottom > top && place.top < bottom
    })
    return seen.length > 0 && seen.every((row) => row.querySelector('a'))
  }
  const look = () => (isShown() ? resolve() : requestAnimationFrame(look))
  look()
})`

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function medianOf(work: (round: number) => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await work(round))
  return rounded(median(times), 0)
}

const rowsOf = (count: number): RegExp => new RegExp(`^(about )?${count.toLocaleString('en-GB')} rows?$`)

/** The list is usable: it has its rows, and says how many there are. */
async function untilList(page: Page, count: number): Promise<void> {
  await page.getByText(rowsOf(count)).waitFor()
  await page.evaluate(ROWS_SHOWN)
}

/** KB of script that a browser with an empty cache is sent until the first screen shows. */
async function firstLoad({ context, page, addressOf }: ConsoleWindow): Promise<number> {
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const scripts = new Set<string>()
  let bytes = 0
  session.on('Network.responseReceived', ({ requestId, type }) => void (type === 'Script' && scripts.add(requestId)))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength
  })
  await page.goto(addressOf('/'))
  await page.getByRole('heading', { level: 1 }).waitFor()
  const shown = bytes
  await session.detach()
  return rounded(shown / 1024, 1)
}

/** From the request of the page to a list that can be used; scripts are in the browser's cache, as they are for a year. */
function listTime({ page, addressOf }: ConsoleWindow, count: number): Promise<number> {
  return medianOf(async () => {
    await page.goto('about:blank')
    return elapsed(async () => {
      await page.goto(addressOf('/contacts'))
      await untilList(page, count)
    })
  })
}

/** From letting go of the bar to rows at that place of the list. */
function jumpTime({ page }: ConsoleWindow): Promise<number> {
  return medianOf((round) =>
    elapsed(async () => {
      const share = 0.5 + round / 100
      await page.evaluate(`(() => {
        const box = document.querySelector('[role=table]').parentElement
        box.scrollTop = (box.scrollHeight - box.clientHeight) * ${share}
        return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      })()`)
      await page.evaluate(ROWS_SHOWN)
    }),
  )
}

/** From asking for the filtered list to its rows and their number. */
async function filterTime({ page, addressOf }: ConsoleWindow, criteria: object, count: number): Promise<number> {
  const path = `/contacts?filter=${encodeURIComponent(JSON.stringify(criteria))}`
  return medianOf(async () => {
    await page.goto('about:blank')
    return elapsed(async () => {
      await page.goto(addressOf(path))
      await untilList(page, count)
    })
  })
}

/** From a click on a contact to its name and its timeline. */
function contactTime({ page, addressOf }: ConsoleWindow, count: number): Promise<number> {
  return medianOf(async (round) => {
    await page.goto(addressOf('/contacts'))
    await untilList(page, count)
    const link = page.locator('[data-index] a').nth(round)
    const name = (await link.textContent()) ?? ''
    return elapsed(async () => {
      await link.click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.getByText('No messages yet').waitFor()
    })
  })
}

const endingWith = (field: number, value: string) => ({ all: [{ type: 'field', field, operator: 'endsWith', value }] })

/** From the last letter of a value in the builder to the number of contacts; the builder waits for 300 ms first. */
async function previewTime(
  { page, addressOf }: ConsoleWindow,
  email: number,
  countOf: (criteria: object) => Promise<number>,
): Promise<number> {
  const written = encodeURIComponent(JSON.stringify(endingWith(email, '@nowhere.example')))
  const values = Array.from({ length: ROUNDS }, (_, n) => `@shop${n}.example`)
  const counts = await Array.fromAsync(values, (value) => countOf(endingWith(email, value)))
  return medianOf(async (round) => {
    await page.goto(addressOf(`/segments/new?type=dynamic&criteria=${written}`))
    await page.getByText('0', { exact: true }).waitFor()
    await page.getByLabel('Value', { exact: true }).fill(values[round]!)
    return elapsed(() => page.getByText(counts[round]!.toLocaleString('en-GB'), { exact: true }).waitFor())
  })
}

/**
 * What a person waits for in the console over 1,000,000 contacts, in the Chromium of this machine. `firstLoadKb`: script of the first load as it
 * is sent, at most 200. `listMs`: from the request of the page to rows and their number, under 1,000. `longestFrameMs`: the longest time in
 * which nothing could be drawn while 100,000 rows were scrolled down, at most 100; `longestTaskMs`: of that, the processor. Then a jump to the middle, a filter, a contact, and
 * a preview in the builder of segments. `load`: what else the machine had to do, as processes that wanted one, before and after.
 */
export const benchmark: Benchmark = async (report, size = CONTACTS) => {
  execFileSync(process.execPath, [SETUP, '--console'], { stdio: ['ignore', 2, 2] })
  const [loadBefore = 0] = loadavg()
  const service = await startBenchService()
  const { client, account } = service
  const { db, pool, close } = openDatabasePool(service.databaseUrl, { max: 2, statementTimeoutMs: 0 })
  let window: ConsoleWindow | undefined
  try {
    const fields: Fields = await createFields(service)
    report(
      `loading ${size} contacts: ${rounded((await elapsed(() => loadContacts({ db, pool }, account, fields, size))) / 1000, 0)} s`,
    )
    const countOf = async (criteria: object): Promise<number> =>
      (await client.call<{ count: number }>('POST', '/segments/preview', { criteria })).count
    window = await openConsole(service)
    const firstLoadKb = await firstLoad(window)
    report(`first load: ${firstLoadKb} KB of script`)
    const listMs = await listTime(window, size)
    report(`list: ${listMs} ms`)
    const jumpMs = await jumpTime(window)
    report(`jump to the middle: ${jumpMs} ms`)
    await window.page.goto(window.addressOf('/contacts'))
    await untilList(window.page, size)
    const scrolling = await scrollDown(window.page, Math.min(SCROLLED, Math.floor(size * 0.9)))
    report(`scrolled: ${JSON.stringify(scrolling)}`)
    const criteria = {
      all: [
        { type: 'field', field: fields.city, operator: 'in', value: CITIES.slice(3, 8) },
        { type: 'field', field: fields.spend, operator: 'greater', value: 500 },
      ],
    }
    const filterMs = await filterTime(window, criteria, await countOf(criteria))
    report(`filter: ${filterMs} ms`)
    const contactMs = await contactTime(window, size)
    report(`contact: ${contactMs} ms`)
    const previewMs = await previewTime(window, fields.email, countOf)
    const [loadAfter = 0] = loadavg()
    return {
      firstLoadKb,
      listMs,
      jumpMs,
      filterMs,
      contactMs,
      previewMs,
      longestFrameMs: rounded(scrolling.longestFrameMs, 0),
      longFrames: scrolling.longFrames,
      longestTaskMs: rounded(scrolling.longestTaskMs, 0),
      scrolledRowsPerSecond: scrolling.rowsPerSecond,
      load: { before: rounded(loadBefore), after: rounded(loadAfter) },
    }
  } finally {
    await window?.close()
    await close()
    await service.stop()
  }
}
