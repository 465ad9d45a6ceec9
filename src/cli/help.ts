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
const TERMINAL_COLUMNS = 80
const MAX_NAME_COLUMNS = 30

/** Splits a text into lines of at most `width` characters. */
function wrapText(text: string, width: number): string[] {
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
function formatColumns(rows: readonly (readonly [string, string])[]): string {
  const nameColumns = Math.min(MAX_NAME_COLUMNS, Math.max(0, ...rows.map(([name]) => name.length))) + 2
  return rows
    .map(([name, text]) => {
      const [firstLine = '', ...remainingLines] = wrapText(text, TERMINAL_COLUMNS - 2 - nameColumns)
      const headLine =
        name.length + 2 > nameColumns
          ? `  ${name}\n${' '.repeat(2 + nameColumns)}${firstLine}`
          : `  ${name.padEnd(nameColumns)}${firstLine}`
      return [headLine, ...remainingLines.map((line) => ' '.repeat(2 + nameColumns) + line)].join('\n')
    })
    .join('\n')
}

/** One way to say a command, on as many lines as it needs. */
function formatUsageLines(usage: string): string {
  const parts = usage.match(/\[[^\]]*\]|--\S+ [A-Z]+|\S+/g) ?? []
  const lines = [`  stentor`]
  for (const part of parts) {
    const line = lines.at(-1)!
    if (line.length + 1 + part.length <= TERMINAL_COLUMNS) lines[lines.length - 1] = `${line} ${part}`
    else lines.push(`      ${part}`)
  }
  return lines.join('\n')
}

/** Bold where the output is a terminal that shows it. */
const formatHeading = (text: string): string => styleText('bold', text, { stream: process.stdout })

const describeOption = ({ help, fallback }: CommandOptionRow): string =>
  fallback === undefined ? help : `${help} (default: ${fallback})`

/** The help of all: every command with what it is for. */
export function renderHelpOverview(table: readonly CommandRow[]): string {
  const rowsByGroup = Map.groupBy(table, ({ group }) => group)
  // Every group has its columns where the others have.
  const nameWidth = Math.max(...table.map(({ name }) => name.length))
  const groupTexts = [...rowsByGroup].map(
    ([group, rows]) =>
      `${formatHeading(group)}\n${formatColumns(rows.map(({ name, help }) => [name.padEnd(nameWidth), help] as const))}\n`,
  )
  return [
    `Stentor ${PROGRAM_VERSION}: a self-hosted marketing communication service.\n`,
    `${formatHeading('Usage')}\n  stentor COMMAND [OPTIONS]\n  stentor COMMAND --help\n  stentor --version\n`,
    ...groupTexts,
    'Settings are environment variables. docs/reference/settings.md lists them.\n',
  ].join('\n')
}

/** The help of a command. */
export function renderCommandHelp(row: CommandRow): string {
  const { name, help, more: details, uses, examples } = row
  const verbRows = uses.flatMap(({ verb, help: verbHelp }) => (verb === undefined ? [] : [[verb, verbHelp] as const]))
  const options = listCommandOptions(row).map((option) => [formatOptionUsage(option), describeOption(option)] as const)
  const parts = [
    ...wrapText(`stentor ${name}: ${help}.`, TERMINAL_COLUMNS),
    ...(details === undefined ? [] : wrapText(details, TERMINAL_COLUMNS)),
    '',
    formatHeading('Usage'),
    ...uses.map((use) => formatUsageLines(formatCommandUsage(row, use))),
    '',
    ...(verbRows.length > 0 ? [formatHeading('Commands'), formatColumns(verbRows), ''] : []),
    ...(options.length > 0 ? [formatHeading('Options'), formatColumns(options), ''] : []),
    formatHeading('Examples'),
    ...examples.map(([line, verbHelp]) => `  stentor ${line}\n      ${verbHelp}`),
  ]
  return `${parts.join('\n')}\n`
}

/** The row of a command. Throws UsageError that names the nearest one. */
export function requireCommandRow(table: readonly CommandRow[], name: string): CommandRow {
  const row = table.find((candidate) => candidate.name === name)
  if (row) return row
  const commandNames = table.map((candidate) => candidate.name)
  throw new UsageError(
    `There is no command "${name}". Did you mean "${findNearestWord(name, commandNames)}"? Run "stentor --help" to list all commands.`,
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
