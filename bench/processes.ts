import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** Clock ticks a second of /proc, which Linux has fixed at 100. */
const TICKS = 100

interface Stat {
  parent: number
  /** Seconds of processor time, with those of children that ended. */
  seconds: number
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, which may hold anything, is in parentheses; the parent's id is the second word behind them.
    const words = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, place) => sum + Number(words[place]), 0)
    return { parent: Number(words[1]), seconds: ticks / TICKS }
  } catch {
    return undefined
  }
}

/** Processor seconds of a process, and of its living children: a program, and its database. Linux only; zeros elsewhere. */
export function processorSeconds(pid: number): { own: number; children: number } {
  const all = new Map<number, Stat>()
  for (const name of process.platform === 'linux' ? readdirSync('/proc') : []) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    if (stat) all.set(Number(name), stat)
  }
  const descendants = new Set([pid])
  for (let size = 0; size < descendants.size; ) {
    size = descendants.size
    for (const [id, { parent }] of all) if (descendants.has(parent)) descendants.add(id)
  }
  descendants.delete(pid)
  const children = [...descendants].reduce((sum, id) => sum + (all.get(id)?.seconds ?? 0), 0)
  return { own: all.get(pid)?.seconds ?? 0, children }
}

/** Lets peakRssMb count from now on. False where that is not allowed: then the peak is that of the process's whole life. */
export function resetPeakRss(pid: number): boolean {
  try {
    // 5 resets the peak of the resident set, see proc_pid_clear_refs(5).
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    return true
  } catch {
    return false
  }
}

/** The most memory a process has held, in MB. Linux only; 0 elsewhere. */
export function peakRssMb(pid: number): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
}

/** What a process holds now, in MB. Linux only; 0 elsewhere. */
export function rssMb(pid: number): number {
  if (process.platform !== 'linux') return 0
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024)
}

/** Seconds all cores of the machine have been there, and idle (waiting for a disk counts as idle). Linux only; zeros elsewhere. */
export function coreSeconds(): { all: number; idle: number } {
  if (process.platform !== 'linux') return { all: 0, idle: 0 }
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  // user, nice, system, idle, iowait, irq, softirq, steal; guests are counted with user.
  const ticks = line.trim().split(/ +/).slice(1, 9).map(Number)
  return { all: ticks.reduce((sum, n) => sum + n, 0) / TICKS, idle: (ticks[3]! + ticks[4]!) / TICKS }
}
