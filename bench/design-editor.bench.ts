import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { listLibraryDesigns } from '../src/features/designs/library/library.ts'
import { type ConsoleWindow, openConsole } from './console-window.ts'
import { quantiles, rounded, type Times } from './load.ts'
import type { Benchmark, Figures } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'

const SETUP = join(import.meta.dirname, '../scripts/setup.js')
const FEW = 6
const MANY = 60
const PER_ROW = 6
const ROUNDS = 3
const KEYS = 40
/** People who write quickly press a key about this often. */
const BETWEEN_KEYS_MS = 60
/** After so many keys comes a pause that is long enough for the service to be asked for findings. */
const PAUSE_AFTER = 20
const PAUSE_MS = 1_300
/** Nothing of a page takes longer, or the bench ends with what it waited for. */
const LONGEST_MS = 20_000
const WORDS = 'the quick brown fox jumps over the lazy dog '

/** Notes the milliseconds of each key, from the key press to the first frame that shows what it did. */
const NOTE_TIMES = `window.times = []
const note = ({ timeStamp }) => requestAnimationFrame(() => {
  const painted = new MessageChannel()
  painted.port1.onmessage = () => times.push(performance.now() - timeStamp)
  painted.port2.postMessage(0)
})
addEventListener('keydown', (event) => { if (event.key.length === 1 || event.key.startsWith('Arrow')) note(event) }, true)`

const text = (words: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})

/** Six blocks in a row of two columns. */
function row(number: number) {
  return {
    columns: [50, 50],
    blocks: [
      [
        { type: 'text', text: text(`Story ${number}: ${WORDS.repeat(6)}`) },
        { type: 'heading', text: `Heading ${number}`, level: 2 },
        { type: 'button', text: 'Read it', href: `https://shop.example/${number}` },
      ],
      [
        { type: 'image', src: '', alt: `Picture ${number}` },
        { type: 'product', title: `Product ${number}`, text: WORDS, price: '12 €' },
        { type: 'divider' },
      ],
    ],
  }
}

interface Round {
  times: Times
  /** Milliseconds of the page's main thread for each key, findings and drafts included. */
  busyMs: number
}

interface Deed {
  /** Makes a row ready for it. */
  begin(page: Page, row: number): Promise<unknown>
  count: number
  /** Does it once. */
  act(page: Page, step: number): Promise<unknown>
}

const letter = (page: Page, step: number): Promise<void> => {
  const key = WORDS[step % WORDS.length]!
  return page.keyboard.press(key === ' ' ? 'Space' : key)
}

const choose = (page: Page, at: string): Promise<void> => page.locator(`[data-block="${at}"]`).click()

async function write(place: Locator): Promise<void> {
  await place.focus()
  await place.press('Control+End')
}

const move = (page: Page, step: number): Promise<void> =>
  page.keyboard.press(step % 2 === 0 ? 'Alt+ArrowDown' : 'Alt+ArrowUp')

/** What is measured: formatted text written in its place, a heading written in the panel, blocks moved, steps taken back. */
const DEEDS: Record<string, Deed> = {
  text: {
    begin: async (page, row) => {
      await page.locator(`[data-block="${row},0,0"]`).dblclick()
      await write(page.getByRole('textbox', { name: 'Text', exact: true }))
    },
    count: KEYS,
    act: letter,
  },
  setting: {
    begin: async (page, row) => {
      await choose(page, `${row},0,1`)
      await write(page.getByRole('region', { name: 'Settings: Heading' }).getByRole('textbox', { name: 'Text' }))
    },
    count: KEYS,
    act: letter,
  },
  move: { begin: (page, row) => choose(page, `${row},0,1`), count: KEYS, act: move },
  undo: {
    begin: async (page, row) => {
      await choose(page, `${row},0,1`)
      await move(page, 0)
    },
    count: KEYS,
    act: (page, step) => page.keyboard.press(step % 2 === 0 ? 'Control+z' : 'Control+y'),
  },
}

async function round({ context, page }: ConsoleWindow, { begin, count, act }: Deed, row: number): Promise<Round> {
  await begin(page, row)
  await page.waitForTimeout(PAUSE_MS)
  await page.evaluate('times.length = 0')
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const busy = async (): Promise<number> =>
    (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000
  const before = await busy()
  for (let step = 0; step < count; step++) {
    await act(page, step)
    await page.waitForTimeout((step + 1) % PAUSE_AFTER === 0 ? PAUSE_MS : BETWEEN_KEYS_MS)
  }
  const busyMs = ((await busy()) - before) / count
  await session.detach()
  const times = await page.evaluate<number[]>('times')
  if (times.length !== count) throw new Error(`${times.length} of ${count} were noted`)
  return { times, busyMs }
}

async function makeDesign({ client }: BenchService, blocks: number): Promise<number> {
  const { theme } = listLibraryDesigns('en')[0]!.design
  const rows = Array.from({ length: blocks / PER_ROW }, (_, number) => row(number))
  const design = { version: 1, theme, rows }
  return (await client.call<{ id: number }>('POST', '/designs', { name: `${blocks} blocks`, design })).id
}

/** The least of the rounds: other work of the machine makes them longer, nothing makes them shorter. */
function figuresOf(rounds: readonly Round[]): Record<'p50' | 'p95' | 'busyMs', number> {
  const least = (figure: (round: Round) => number): number => rounded(Math.min(...rounds.map(figure)), 1)
  return {
    p50: least(({ times }) => Number(quantiles(times)['p50'])),
    p95: least(({ times }) => Number(quantiles(times)['p95'])),
    busyMs: least(({ busyMs }) => busyMs),
  }
}

async function measured(window: ConsoleWindow, ids: readonly number[], deed: Deed): Promise<Figures> {
  const { page, addressOf } = window
  const all: Round[][] = SIZES.map(() => [])
  for (let times = 0; times < ROUNDS; times++)
    for (const [index, size] of SIZES.entries()) {
      await page.goto(addressOf(`/designs/${ids[index]}`))
      all[index]!.push(await round(window, deed, Math.floor(size / PER_ROW / 2)))
      // What is not saved would be asked about.
      const discard = page.getByRole('button', { name: 'Discard', exact: true })
      if (await discard.isVisible()) await discard.click()
    }
  const [few, many] = all.map(figuresOf) as [ReturnType<typeof figuresOf>, ReturnType<typeof figuresOf>]
  const ratio = (figure: keyof typeof few): number => rounded(many[figure] / few[figure])
  return { few, many, ratioP50: ratio('p50'), ratioP95: ratio('p95'), ratioBusy: ratio('busyMs') }
}

const SIZES = [FEW, MANY]

/**
 * How long a key takes to be seen in the editor of designs, with 60 blocks beside 6, in the Chromium of this machine: `text` is formatted text
 * written in its place, `setting` a heading written in the panel, `move` a block moved by keys, `undo` steps taken back and forth. p50, p95:
 * milliseconds from the key press to the frame that shows it, under 50 at p95; `busyMs`: what a key takes of the page's main thread, findings
 * and drafts included. Each is the least of three rounds. `ratio…`: 60 blocks by 6, below 1.5. About three minutes.
 */
export const benchmark: Benchmark = async (report) => {
  execFileSync(process.execPath, [SETUP, '--console'], { stdio: ['ignore', 2, 2] })
  const service = await startBenchService()
  let window: ConsoleWindow | undefined
  try {
    const ids = await Array.fromAsync(SIZES, (size) => makeDesign(service, size))
    window = await openConsole(service)
    const { page } = window
    page.setDefaultTimeout(LONGEST_MS)
    await page.addInitScript(NOTE_TIMES)
    page.on('dialog', (dialog) => dialog.accept())
    const figures: Figures = {}
    for (const [name, deed] of Object.entries(DEEDS)) {
      figures[name] = await measured(window, ids, deed)
      report(`${name}: ${JSON.stringify(figures[name])}`)
    }
    return figures
  } finally {
    await window?.close()
    await service.stop()
  }
}
