import type { Page } from 'playwright-core'

/** What a browser did while a list was scrolled. */
export interface Scrolling {
  frames: number
  /** The longest time for which nothing could be drawn. */
  longestFrameMs: number
  /** Times of more than 50 ms for which nothing could be drawn: people see these. */
  longFrames: number
  /** Of the longest task, what it had of the processor: without what other programs of the machine took. */
  longestTaskMs: number
  rowsPerSecond: number
}

/** What is read of an event of Chromium's trace: times are microseconds. */
interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  dur?: number
  /** Of the processor. */
  tdur?: number
  args?: { name?: string }
}

const LONG_MS = 50
const PATIENCE_MS = 300_000

/** Moves the list by three screens in each frame until its first row is the one at `rows`. */
const scroll = (rows: number): string => `new Promise((resolve) => {
  const box = document.querySelector('[role=table]').parentElement
  const firstRow = () => Number(box.querySelector('[data-index]')?.dataset.index ?? 0)
  const step = box.clientHeight * 3
  const began = performance.now()
  let frames = 0
  const go = () => {
    const ms = performance.now() - began
    if (firstRow() >= ${rows} || ms > ${PATIENCE_MS}) return resolve({ frames, ms, reached: firstRow() })
    frames++
    box.scrollTop += step
    requestAnimationFrame(go)
  }
  go()
})`

/** Milliseconds of a task: by the clock, and of the processor. */
interface Task {
  took: number
  used: number
}

const longest = (list: readonly number[]): number => list.reduce((most, one) => Math.max(most, one), 0)

/** The tasks of the busiest page's main thread. */
function tasksOfPage(events: readonly TraceEvent[]): Task[] {
  const tasks = new Map<string, Task[]>()
  for (const { name, ph, pid, tid, args } of events)
    if (ph === 'M' && name === 'thread_name' && args?.name === 'CrRendererMain') tasks.set(`${pid} ${tid}`, [])
  for (const { name, pid, tid, dur, tdur = 0 } of events)
    if (dur !== undefined && name.endsWith('RunTask'))
      tasks.get(`${pid} ${tid}`)?.push({ took: dur / 1000, used: tdur / 1000 })
  return [...tasks.values()].toSorted((a, b) => b.length - a.length)[0] ?? []
}

/** Scrolls a list down as fast as it is drawn. Chromium traces the tasks of the page: while one runs nothing is drawn. */
export async function scrollDown(page: Page, rows: number): Promise<Scrolling> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  const { frames, ms, reached } = await page.evaluate<{ frames: number; ms: number; reached: number }>(scroll(rows))
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  if (reached < rows) throw new Error(`the list was scrolled to row ${reached} only`)
  const tasks = tasksOfPage(traceEvents)
  if (tasks.length < frames) throw new Error(`the trace has ${tasks.length} tasks of ${frames} frames`)
  return {
    frames,
    longestFrameMs: longest(tasks.map(({ took }) => took)),
    longFrames: tasks.filter(({ took }) => took > LONG_MS).length,
    longestTaskMs: longest(tasks.map(({ used }) => used)),
    rowsPerSecond: Math.round((reached * 1000) / ms),
  }
}
