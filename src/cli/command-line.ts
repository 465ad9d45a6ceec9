import { parseArgs } from 'node:util'
import { findNearestWord } from '../lib/text/nearest.ts'
import { type CommandOptionRow, type CommandRow, listCommandOptions } from './rows.ts'
import { type CommandInvocation, UsageError } from './usage.ts'

/** The parsed command line. */
export interface ParsedCommandLine extends Pick<CommandInvocation, 'words' | 'options'> {
  /** The command; undefined: none. */
  name: string | undefined
}

/** Options that every command takes. */
const commonOptions: readonly CommandOptionRow[] = [
  { name: 'help', help: 'show help' },
  { name: 'version', help: 'print the version' },
]

/** Options of all commands: of one name they take a value everywhere or nowhere. */
function parseOptions(argv: readonly string[], table: readonly CommandRow[]) {
  const optionRows = [...table.flatMap(listCommandOptions), ...commonOptions]
  const optionTypes = Object.fromEntries(
    optionRows.map(({ name, value }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    // What is wrong is said below, with what may be meant.
    strict: false,
    tokens: true,
    options: { ...optionTypes, help: { type: 'boolean', short: 'h' } },
  })
}

interface OptionToken {
  name: string
  rawName: string
  value?: string | undefined
  inlineValue?: boolean | undefined
}

/** Throws UsageError where an option is not one of the command, or has a value where it takes none, or none where it needs one. */
function assertOptionAllowed(
  token: OptionToken,
  commandName: string,
  allowedOptions: readonly CommandOptionRow[],
): void {
  const { name, rawName, value, inlineValue } = token
  const row = allowedOptions.find((option) => option.name === name)
  if (!row) {
    const suggestedOption = findNearestWord(
      name,
      allowedOptions.map((option) => option.name),
    )
    throw new UsageError(
      `${`stentor ${commandName}`.trimEnd()} has no option ${rawName}. Did you mean --${suggestedOption}?`,
    )
  }
  if (row.value === undefined && value !== undefined) throw new UsageError(`${rawName} takes no value.`)
  if (row.value === undefined) return
  if (value === undefined || (value.startsWith('-') && !inlineValue))
    throw new UsageError(
      `${rawName} requires a value: ${rawName} ${row.value}. If the value begins with a hyphen, write ${rawName}=VALUE.`,
    )
}

/** The options that a command takes, selected by its second word. Throws UsageError if there is no such word. */
function findCommandUsage(
  row: CommandRow,
  [verb]: readonly string[],
): { said: string; known: readonly CommandOptionRow[] } {
  const { name, uses } = row
  const verbs = uses.flatMap((use) => use.verb ?? [])
  if (verbs.length === 0 || verb === undefined) return { said: name, known: listCommandOptions(row) }
  const use = uses.find((candidate) => candidate.verb === verb)
  if (!use)
    throw new UsageError(
      `There is no command "${name} ${verb}". Did you mean "${name} ${findNearestWord(verb, verbs)}"? The commands are ${verbs.join(', ')}.`,
    )
  return { said: `${name} ${verb}`, known: use.options ?? [] }
}

/** Splits a command line. What is wrong with it is not looked at: it may ask for help. */
export function parseCommandLine(argv: readonly string[], table: readonly CommandRow[]) {
  const { values, positionals, tokens } = parseOptions(argv, table)
  const [name, ...commandWords] = positionals
  const commandLine: ParsedCommandLine = { name, words: commandWords, options: values as ParsedCommandLine['options'] }
  return { said: commandLine, tokens }
}

/** Throws UsageError where a command line has words or options that its command does not know; names the nearest right one. */
export function assertCommandLine(
  row: CommandRow | undefined,
  { said: commandLine, tokens }: ReturnType<typeof parseCommandLine>,
): void {
  const commandUsage = row ? findCommandUsage(row, commandLine.words) : { said: '', known: [] }
  for (const token of tokens)
    if (token.kind === 'option')
      assertOptionAllowed(token as OptionToken, commandUsage.said, [...commandUsage.known, ...commonOptions])
}
