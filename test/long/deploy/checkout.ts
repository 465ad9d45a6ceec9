import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The root of the checkout. */
export const ROOT = join(import.meta.dirname, '../../../')

/** The text of a file of the checkout. */
export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** The files that git knows, or would if they were added; undefined where this is no checkout of git. */
export function knownFiles(): string[] | undefined {
  try {
    const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    return execFileSync('git', options, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\0')
      .filter((path) => path !== '')
  } catch {
    return undefined
  }
}

/** The settings of the program, by name, from the table that is generated from them; and those of the store of events. */
export function settingNames(): Set<string> {
  const names = [...read('docs/reference/settings.md').matchAll(/^\| `(STENTOR_\w+)` \|/gm)].map(
    ([, name = '']) => name,
  )
  return new Set([...names, 'STENTOR_EVENTS_URL', 'STENTOR_EVENTS_HOT_DAYS'])
}

/** Assignments of a file of the environment, in order; what a `#` begins is no assignment. */
export function readAssignments(text: string): [name: string, value: string][] {
  return [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value])
}

/** What is assigned in comments too: `#STENTOR_MASTER_KEY=`. */
export function mentionedSettings(text: string): string[] {
  return [...text.matchAll(/\bSTENTOR_[A-Z0-9_]+/g)].map(([name]) => name)
}
