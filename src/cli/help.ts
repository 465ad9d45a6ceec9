import { styleText } from 'node:util'
import { findNearestWord } from '../lib/text/nearest.ts'
import { PROGRAM_VERSION } from '../version.ts'
import {
  type CommandOptionRow,
  type CommandRow,
  formatCommandUsage,
  formatOptionUsage,
  listCommandOptions,
} from './rows.ts'
import { type CliCommand, UsageError } from './usage.ts'

/** Columns of a terminal. */
const WIDTH = 80
const MAX_LEFT = 30

/** A text in lines of at most so many characters. */
function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Names on the left, what they mean on the right. */
function columns(rows: readonly (readonly [string, string])[]): string {
  const left = Math.min(MAX_LEFT, Math.max(0, ...rows.map(([name]) => name.length))) + 2
  return rows
    .map(([name, text]) => {
      const [first = '', ...rest] = wrapped(text, WIDTH - 2 - left)
      const head =
        name.length + 2 > left ? `  ${name}\n${' '.repeat(2 + left)}${first}` : `  ${name.padEnd(left)}${first}`
      return [head, ...rest.map((line) => ' '.repeat(2 + left) + line)].join('\n')
    })
    .join('\n')
}

/** One way to say a command, on as many lines as it needs. */
function usageLines(usage: string): string {
  const parts = usage.match(/\[[^\]]*\]|--\S+ [A-Z]+|\S+/g) ?? []
  const lines = [`  stentor`]
  for (const part of parts) {
    const line = lines.at(-1)!
    if (line.length + 1 + part.length <= WIDTH) lines[lines.length - 1] = `${line} ${part}`
    else lines.push(`      ${part}`)
  }
  return lines.join('\n')
}

/** Bold where the output is a terminal that shows it. */
const heading = (text: string): string => styleText('bold', text, { stream: process.stdout })

const meaningOf = ({ help, fallback }: CommandOptionRow): string =>
  fallback === undefined ? help : `${help} (default: ${fallback})`

/** The help of all: every command with what it is for. */
export function renderHelpOverview(table: readonly CommandRow[]): string {
  const groups = Map.groupBy(table, ({ group }) => group)
  // Every group has its columns where the others have.
  const width = Math.max(...table.map(({ name }) => name.length))
  const lists = [...groups].map(
    ([group, rows]) =>
      `${heading(group)}\n${columns(rows.map(({ name, help }) => [name.padEnd(width), help] as const))}\n`,
  )
  return [
    `Stentor ${PROGRAM_VERSION}: a self-hosted marketing communication service.\n`,
    `${heading('Usage')}\n  stentor COMMAND [OPTIONS]\n  stentor COMMAND --help\n  stentor --version\n`,
    ...lists,
    'Settings come from the environment: docs/operations.md lists them.\n',
  ].join('\n')
}

/** The help of a command. */
export function renderCommandHelp(row: CommandRow): string {
  const { name, help, more, uses, examples } = row
  const verbs = uses.flatMap(({ verb, help: what }) => (verb === undefined ? [] : [[verb, what] as const]))
  const options = listCommandOptions(row).map((option) => [formatOptionUsage(option), meaningOf(option)] as const)
  const parts = [
    ...wrapped(`stentor ${name}: ${help}.`, WIDTH),
    ...(more === undefined ? [] : wrapped(more, WIDTH)),
    '',
    heading('Usage'),
    ...uses.map((use) => usageLines(formatCommandUsage(row, use))),
    '',
    ...(verbs.length > 0 ? [heading('What it does'), columns(verbs), ''] : []),
    ...(options.length > 0 ? [heading('Options'), columns(options), ''] : []),
    heading('Examples'),
    ...examples.map(([line, what]) => `  stentor ${line}\n      ${what}`),
  ]
  return `${parts.join('\n')}\n`
}

/** The row of a command. Throws UsageError that names the nearest one. */
export function requireCommandRow(table: readonly CommandRow[], name: string): CommandRow {
  const row = table.find((candidate) => candidate.name === name)
  if (row) return row
  const known = table.map((candidate) => candidate.name)
  throw new UsageError(
    `There is no command "${name}". Did you mean "${findNearestWord(name, known)}"? --help lists them.`,
  )
}

/** `stentor help [COMMAND]`. */
export const createHelpCommand =
  (table: readonly CommandRow[]): CliCommand =>
  async ({ words: [name] }) => {
    process.stdout.write(
      name === undefined ? renderHelpOverview(table) : renderCommandHelp(requireCommandRow(table, name)),
    )
    return 0
  }
