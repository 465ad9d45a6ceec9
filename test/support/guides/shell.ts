import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unmountBelow } from '../database/small-disks.ts'
import { bundledServiceCommand, SERVICE_ENVIRONMENT } from '../processes/programs.ts'
import type { Step } from './guide.ts'
import { differences, isText } from './shape.ts'

/**
 * The start of a reader's shell. Pauses between two questions are half as long. `grep -q` reads to the end here: a program that
 * writes to it would otherwise fail, which pipefail would take for a no.
 */
const PRELUDE = `
set -euo pipefail
trap 'jobs -p | xargs -r kill 2>/dev/null || true' EXIT
grep() { local input; input=$(cat); command grep "$@" <<< "$input"; }
sleep() { if [ "$1" = 1 ]; then command sleep 0.5; else command sleep "$1"; fi; }
`

/** A run of a guide: what a step printed, undefined for one that was not reached. */
export interface Run {
  status: number | null
  steps: ({ out: string; errors: string } | undefined)[]
  /** The end of the log that the guide has its service write; empty when there is no log. */
  log: string
}

const LOG_LENGTH = 4000

/** The end of the log of the service in a folder. */
async function readLogEnd(folder: string): Promise<string> {
  const log = join(folder, 'service.log')
  return existsSync(log) ? (await readFile(log, 'utf8')).slice(-LOG_LENGTH) : ''
}

async function written(folder: string, index: number): Promise<Run['steps'][number]> {
  const [out, errors] = [join(folder, `${index}.out`), join(folder, `${index}.errors`)]
  if (!existsSync(out)) return undefined
  return { out: await readFile(out, 'utf8'), errors: await readFile(errors, 'utf8') }
}

/** Writes the `stentor` command that readers have in a checkout. */
async function writeCommand(folder: string): Promise<void> {
  const command = bundledServiceCommand().map((word) => `'${word}'`)
  await writeFile(join(folder, 'stentor'), `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`, { mode: 0o755 })
}

/**
 * Runs the steps in one shell in a folder of its own, as a reader types them one after the other, until one fails.
 * `signal` kills it with all that it started.
 */
export async function runSteps(
  steps: readonly Step[],
  settings: Record<string, string>,
  signal: AbortSignal,
): Promise<Run> {
  const root = await mkdtemp(join(tmpdir(), 'stentor-guide-'))
  // The account of an embedded database comes through here.
  await chmod(root, 0o755)
  const [folder, prints, bin] = [join(root, 'folder'), join(root, 'prints'), join(root, 'bin')]
  await Promise.all([mkdir(folder), mkdir(prints), mkdir(bin)])
  await writeCommand(bin)
  const texts = steps.map(
    ({ commands }, index) => `{\n${commands}} > "$PRINTS/${index}.out" 2> "$PRINTS/${index}.errors"\n`,
  )
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env['PATH']}`,
    HOME: root,
    ...SERVICE_ENVIRONMENT,
    PRINTS: prints,
    ...settings,
  }
  const script = join(root, 'guide.sh')
  await writeFile(script, `${PRELUDE}${texts.join('')}`)
  const shell = spawn('bash', [script], { cwd: folder, env, detached: true, stdio: ['ignore', 'ignore', 'inherit'] })
  const kill = () => {
    try {
      process.kill(-shell.pid!, 'SIGKILL')
    } catch {
      // All of it has ended.
    }
  }
  process.once('exit', kill)
  signal.addEventListener('abort', kill)
  try {
    const [status] = await once(shell, 'exit')
    const printed = await Promise.all(steps.map((_, index) => written(prints, index)))
    return { status, steps: printed, log: await readLogEnd(folder) }
  } finally {
    kill()
    process.off('exit', kill)
    await unmountBelow(root)
    await rm(root, { recursive: true, force: true })
  }
}

/** Throws with the place in the guide, and what was printed there, when the shell ended early. */
export function assertEnded(name: string, steps: readonly Step[], run: Run): void {
  if (run.status === 0) return
  const at = run.steps.findLastIndex((step) => step !== undefined)
  const { out = '', errors = '' } = run.steps[at] ?? {}
  assert.fail(`${name}:${steps[at]?.line}: ended with ${run.status}\n${out}\n${errors}\n${run.log}`)
}

/** Throws with the place in the guide when a step printed something else than the guide shows. */
export function assertPrinted(name: string, { printed, line }: Step, out: string): void {
  const place = `${name}:${line}`
  if (!printed) {
    assert.equal(out, '', `${place}: prints what the guide does not show`)
  } else if (printed.kind === 'text') {
    assert.ok(isText(printed.text, out), `${place}: prints\n${out}`)
  } else {
    assert.deepEqual(differences(JSON.parse(printed.text), JSON.parse(out)), [], `${place}: prints\n${out}`)
  }
}
