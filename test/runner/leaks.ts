import { setTimeout as delay } from 'node:timers/promises'

/** State of the process that a test file must leave unchanged for the next one. */
export interface ProcessSnapshot {
  environment: Record<string, string | undefined>
  folder: string
  globals: ReadonlyMap<string, unknown>
  listeners: Record<string, number>
  resources: Record<string, number>
}

/** Time for handles to close, on a machine that is busy with other files. */
const PATIENCE_MS = 60_000
const PAUSE_MS = 20

const count = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** Added when they are loaded by libraries that know no modules: the codecs of pictures, and `smpp`. */
const OF_LIBRARIES = ['ImageData', 'skipUdh']

/** Globals by their names, without those that libraries add once for all (`__awaiter`); getters are not called. */
function globalsNow(): ReadonlyMap<string, unknown> {
  const descriptors = Object.entries(Object.getOwnPropertyDescriptors(globalThis))
  return new Map(descriptors.flatMap(([name, { value }]) => (name.startsWith('__') ? [] : [[name, value] as const])))
}

/** Listeners that decide how a process ends. Libraries add some of `exit` when they are loaded. */
const isWatched = (name: string): boolean =>
  name.startsWith('SIG') || /^(?:uncaught|unhandled|rejection|warning)/.test(name)

function listenersNow(): Record<string, number> {
  const names = process.eventNames().map(String).filter(isWatched)
  return Object.fromEntries(names.map((name) => [name, process.listenerCount(name)]))
}

export function snapshotProcess(): ProcessSnapshot {
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    globals: globalsNow(),
    listeners: listenersNow(),
    resources: count(process.getActiveResourcesInfo()),
  }
}

const changedKeys = (one: Record<string, unknown>, other: Record<string, unknown>): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((key) => one[key] !== other[key])

/** A Blob of a file holds its handle until it is collected; it keeps no process alive. */
const isCounted = (name: string): boolean => name !== 'FileHandleReadWrap'

function openResources(before: ProcessSnapshot): string[] {
  return Object.entries(count(process.getActiveResourcesInfo())).flatMap(([name, now]) => {
    const left = now - (before.resources[name] ?? 0)
    return left > 0 && isCounted(name) ? [`left open: ${left} ${name}`] : []
  })
}

/**
 * What a file has changed of its process and not put back; it is put back where that can be done. A file that shares its process with none
 * must still end without open handles and with exit code 0.
 */
export async function leaksSince(before: ProcessSnapshot, { isAlone }: { isAlone: boolean }): Promise<string[]> {
  const end = performance.now() + PATIENCE_MS
  while (openResources(before).length > 0 && performance.now() < end) await delay(PAUSE_MS)
  const leaks = openResources(before)
  if (!isAlone) leaks.push(...changesSince(before))
  if (process.exitCode !== undefined && process.exitCode !== 0) {
    leaks.push('set the exit code; its reason is on stderr')
    process.exitCode = undefined
  }
  return leaks
}

function changesSince(before: ProcessSnapshot): string[] {
  const now = snapshotProcess()
  const changes: string[] = []
  for (const name of changedKeys(before.environment, now.environment)) {
    changes.push(`changed the environment variable ${name}`)
    if (before.environment[name] === undefined) delete process.env[name]
    else process.env[name] = before.environment[name]
  }
  if (now.folder !== before.folder) {
    changes.push(`left the working directory at ${now.folder}`)
    process.chdir(before.folder)
  }
  for (const [key, value] of now.globals) {
    if (OF_LIBRARIES.includes(key)) continue
    if (!before.globals.has(key)) changes.push(`added the global ${key}`)
    else if (!Object.is(before.globals.get(key), value)) changes.push(`replaced the global ${key}`)
  }
  for (const [name, listeners] of Object.entries(now.listeners)) {
    const left = listeners - (before.listeners[name] ?? 0)
    if (left > 0) changes.push(`left ${left} listeners of ${name} on the process`)
  }
  return changes
}
