import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { longWorkflow, settled } from '../test/support/browser/steps/workflows.ts'
import { type ConsoleWindow, openConsole } from './console-window.ts'
import { rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

const NODES = 1000
const SMALL = 10
const MOVES = 120
const SETUP = join(import.meta.dirname, '../scripts/setup.js')

/** What was drawn while something was moved: times between frames. */
interface Frames {
  frames: number
  medianMs: number
  longestMs: number
  /** Frames that came more than 50 ms after the one before: people see these. */
  long: number
}

const RECORD = `self.frames = []
self.recording = true
const look = (at) => { self.frames.push(at); if (self.recording) requestAnimationFrame(look) }
requestAnimationFrame(look)`
const READ = '(() => { self.recording = false; return self.frames })()'

function framesOf(times: readonly number[]): Frames {
  const gaps = times.slice(1).map((time, n) => time - (times[n] ?? 0))
  const sorted = gaps.toSorted((a, b) => a - b)
  return {
    frames: gaps.length,
    medianMs: rounded(sorted[Math.floor(sorted.length / 2)] ?? 0, 1),
    longestMs: rounded(sorted.at(-1) ?? 0, 0),
    long: gaps.filter((gap) => gap > 50).length,
  }
}

/** Resolves once the word on laying out has come and gone: `came` and `gone` in the page's time. */
const WATCH = `self.laid = new Promise((resolve) => {
  const word = () => [...document.querySelectorAll('[role=status]')].some((one) => one.textContent.startsWith('Laying out'))
  let came = 0
  const observer = new MutationObserver(() => {
    if (word()) came ||= performance.now()
    else if (came) { observer.disconnect(); resolve({ came, gone: performance.now() }) }
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
})
undefined`

/** Lays out the graph anew: how long that takes until it is drawn, and the frames meanwhile. */
async function laidOut(page: Page): Promise<Frames & { tookMs: number }> {
  await page.evaluate(WATCH)
  await page.evaluate(RECORD)
  await page.getByRole('button', { name: 'Lay out', exact: true }).click()
  const { came, gone } = await page.evaluate<{ came: number; gone: number }>('self.laid')
  await settled(page)
  return { ...framesOf(await page.evaluate<number[]>(READ)), tookMs: rounded(gone - came, 0) }
}

/** Presses, moves through a circle and lets go; the browser is given as many moves as it draws frames. */
async function moved(page: Page, target: Locator, at = { x: 110, y: 32 }): Promise<Frames> {
  const box = await target.boundingBox()
  if (!box) throw new Error('nothing to move')
  const [x, y] = [box.x + at.x, box.y + at.y]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.evaluate(RECORD)
  for (let n = 1; n <= MOVES; n++) {
    const angle = (n / MOVES) * 2 * Math.PI
    await page.mouse.move(x + 120 * Math.sin(angle), y + 90 * (1 - Math.cos(angle)))
  }
  const times = await page.evaluate<number[]>(READ)
  await page.mouse.up()
  return framesOf(times)
}

async function opened({ page, addressOf }: ConsoleWindow, workflow: number): Promise<number> {
  const started = performance.now()
  await page.goto(addressOf(`/workflows/${workflow}`))
  await page.locator('.react-flow__node[data-id="step-0"]').waitFor()
  const shown = performance.now() - started
  await settled(page)
  return rounded(shown, 0)
}

/** Opening, dragging a node and moving the graph of so many nodes. */
async function measured(window: ConsoleWindow, workflow: number) {
  const { page } = window
  const openMs = await opened(window, workflow)
  const drag = await moved(page, page.locator('.react-flow__node[data-id="step-1"]'))
  await settled(page)
  const pan = await moved(page, page.locator('.react-flow__pane'), { x: 30, y: 300 })
  await settled(page)
  return { openMs, drag, pan, layOut: await laidOut(page) }
}

/**
 * The editor of a workflow of 1,000 nodes in the Chromium of this machine, beside one of 10 in the same run: from asking for the page to its
 * first node, and the times between frames while a node is dragged, the graph is moved, with one move of the mouse after the other, and laid out.
 * `dragRatio`, `panRatio`: of the median times between frames, 1 where the number of nodes costs nothing.
 */
export const benchmark: Benchmark = async (report, size = NODES) => {
  execFileSync(process.execPath, [SETUP, '--console'], { stdio: ['ignore', 2, 2] })
  const [load = 0] = loadavg()
  const service = await startBenchService()
  let window: ConsoleWindow | undefined
  try {
    const made = async (count: number): Promise<number> => {
      const body = { name: `${count} nodes`, nodes: longWorkflow(count) }
      return (await service.client.call<{ id: number }>('POST', '/scripting/workflows', body)).id
    }
    const [small, large] = [await made(SMALL), await made(size)]
    window = await openConsole(service)
    await opened(window, small)
    const few = await measured(window, small)
    report(`${SMALL} nodes: ${JSON.stringify(few)}`)
    const many = await measured(window, large)
    report(`${size} nodes: ${JSON.stringify(many)}`)
    return {
      openMs: many.openMs,
      openSmallMs: few.openMs,
      dragMedianMs: many.drag.medianMs,
      dragLongestMs: many.drag.longestMs,
      dragLongFrames: many.drag.long,
      panMedianMs: many.pan.medianMs,
      panLongestMs: many.pan.longestMs,
      panLongFrames: many.pan.long,
      layOutMs: many.layOut.tookMs,
      layOutLongestMs: many.layOut.longestMs,
      layOutLongFrames: many.layOut.long,
      dragRatio: rounded(many.drag.medianMs / few.drag.medianMs, 2),
      panRatio: rounded(many.pan.medianMs / few.pan.medianMs, 2),
      load: rounded(load),
    }
  } finally {
    await window?.close()
    await service.stop()
  }
}
