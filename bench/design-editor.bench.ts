import { execFileSync } from 'node:child_process'
import type { Locator, Page } from 'playwright-core'
import { libraryDesigns } from '../src/features/designs/library/library.ts'
import { type ConsoleWindow, openConsole } from './console-window.ts'
import { quantiles, rounded, type Times } from './load.ts'
import type { Benchmark, Figures } from './run.ts'
import { type BenchService, startBenchService } from './service.ts'

const SETUP = new URL('../scripts/setup.js', import.meta.url).pathname
const FEW = 6
const MANY = 60
const PER_ROW = 6
const ROUNDS = 3
const KEYS = 60
/** People who write quickly press a key about this often. */
const BETWEEN_KEYS_MS = 60
/** After so many keys comes a pause that is long enough for the service to be asked for findings. */
const PAUSE_AFTER = 20
const PAUSE_MS = 1_300
const WORDS = 'the quick brown fox jumps over the lazy dog '

/** Notes the milliseconds of each key, from the key press to the first frame that shows what it wrote. */
const NOTE_KEYS = `window.keyTimes = []
let pressed = 0
addEventListener('keydown', (event) => { pressed = event.timeStamp }, true)
addEventListener('input', () => {
  const began = pressed
  requestAnimationFrame(() => {
    const painted = new MessageChannel()
    painted.port1.onmessage = () => keyTimes.push(performance.now() - began)
    painted.port2.postMessage(0)
  })
}, true)`

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

interface Typed {
  times: Times
  /** Milliseconds of the page's main thread a key, findings and drafts included. */
  busyMs: number[]
}

const typed = (): Typed => ({ times: [], busyMs: [] })

/** Where keys go: formatted text in its place, or a setting beside a block. */
const PLACES: Record<string, (page: Page, row: number) => Promise<Locator>> = {
  text: async (page, at) => {
    await page.locator(`[data-block="${at},0,0"]`).dblclick()
    return page.getByRole('textbox', { name: 'Text', exact: true })
  },
  setting: async (page, at) => {
    await page.locator(`[data-block="${at},0,1"]`).click()
    return page.getByRole('region', { name: 'Settings: Heading' }).getByRole('textbox', { name: 'Words' })
  },
}

async function type({ context, page }: ConsoleWindow, place: Locator, into: Typed): Promise<void> {
  await place.waitFor()
  await place.focus()
  await page.keyboard.press('Control+End')
  await page.waitForTimeout(PAUSE_MS)
  await page.evaluate('keyTimes.length = 0')
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const busy = async (): Promise<number> =>
    (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000
  const before = await busy()
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press(WORDS[key % WORDS.length] === ' ' ? 'Space' : WORDS[key % WORDS.length]!)
    await page.waitForTimeout((key + 1) % PAUSE_AFTER === 0 ? PAUSE_MS : BETWEEN_KEYS_MS)
  }
  into.busyMs.push(((await busy()) - before) / KEYS)
  const times = await page.evaluate<number[]>('keyTimes')
  if (times.length !== KEYS) throw new Error(`${times.length} of ${KEYS} keys were noted`)
  into.times.push(...times)
  await session.detach()
}

async function makeDesign({ client }: BenchService, blocks: number): Promise<number> {
  const { theme } = libraryDesigns('en')[0]!.design
  const rows = Array.from({ length: blocks / PER_ROW }, (_, number) => row(number))
  const design = { version: 1, theme, rows }
  return (await client.call<{ id: number }>('POST', '/designs', { name: `${blocks} blocks`, design })).id
}

const figuresOf = ({ times, busyMs }: Typed): Figures => ({
  ...quantiles(times),
  busyMs: rounded(Math.min(...busyMs), 1),
})

/**
 * How long a key takes to be seen in the editor of designs, with 60 blocks beside 6, in the Chromium of this machine. `text` is formatted text
 * written in its place, `setting` a heading written in the panel. p50, p95: milliseconds from the key press to the frame that shows it, under
 * 50 at p95; `busyMs`: what a key takes of the page's main thread, findings and drafts included. `ratio…`: 60 blocks by 6, below 1.5.
 */
export const benchmark: Benchmark = async (report) => {
  execFileSync(process.execPath, [SETUP, '--console'], { stdio: ['ignore', 2, 2] })
  const service = await startBenchService()
  let window: ConsoleWindow | undefined
  try {
    const sizes = [FEW, MANY]
    const ids = await Array.fromAsync(sizes, (size) => makeDesign(service, size))
    window = await openConsole(service)
    const { page, addressOf } = window
    await page.addInitScript(NOTE_KEYS)
    const figures: Figures = {}
    for (const [name, find] of Object.entries(PLACES)) {
      const all = sizes.map(typed)
      for (let round = 0; round < ROUNDS; round++)
        for (const [index, size] of sizes.entries()) {
          await page.goto(addressOf(`/designs/${ids[index]}`))
          await type(window, await find(page, Math.floor(size / PER_ROW / 2)), all[index]!)
          // What is not saved would be asked about.
          await page.getByRole('button', { name: 'Discard', exact: true }).click()
        }
      const [few, many] = all.map(figuresOf) as [Figures, Figures]
      const ratio = (figure: string): number => rounded(Number(many[figure]) / Number(few[figure]))
      figures[name] = { few, many, ratioP50: ratio('p50'), ratioP95: ratio('p95'), ratioBusy: ratio('busyMs') }
      report(`${name}: ${JSON.stringify(figures[name])}`)
    }
    return figures
  } finally {
    await window?.close()
    await service.stop()
  }
}
