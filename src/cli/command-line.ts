import { parseArgs } from 'node:util'
import { findNearestWord } from '../lib/text/nearest.ts'
import { type CommandOptionRow, type CommandRow, listCommandOptions } from './rows.ts'
import { type CommandInvocation, UsageError } from './usage.ts'

/** What was said on the command line. */
export interface ParsedCommandLine extends Pick<CommandInvocation, 'words' | 'options'> {
  /** The command; undefined: none. */
  name: string | undefined
}

/** What every command takes. */
const common: readonly CommandOptionRow[] = [
  { name: 'help', help: 'says what a command is for, and what it takes' },
  { name: 'version', help: 'prints the version' },
]

/** Options of all commands: of one name they take a value everywhere or nowhere. */
function parsed(argv: readonly string[], table: readonly CommandRow[]) {
  const known = [...table.flatMap(listCommandOptions), ...common]
  const options = Object.fromEntries(
    known.map(({ name, value }) => [name, { type: value === undefined ? ('boolean' as const) : ('string' as const) }]),
  )
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    // What is wrong is said below, with what may be meant.
    strict: false,
    tokens: true,
    options: { ...options, help: { type: 'boolean', short: 'h' } },
  })
}

interface OptionToken {
  name: string
  rawName: string
  value?: string | undefined
  inlineValue?: boolean | undefined
}

/** Throws UsageError where an option is not one of the command, or has a value where it takes none, or none where it needs one. */
function checkOption(token: OptionToken, said: string, known: readonly CommandOptionRow[]): void {
  const { name, rawName, value, inlineValue } = token
  const row = known.find((option) => option.name === name)
  if (!row) {
    const meant = findNearestWord(
      name,
      known.map((option) => option.name),
    )
    throw new UsageError(`${`stentor ${said}`.trimEnd()} has no option ${rawName}. Did you mean --${meant}?`)
  }
  if (row.value === undefined && value !== undefined) throw new UsageError(`${rawName} takes no value.`)
  if (row.value === undefined) return
  if (value === undefined || (value.startsWith('-') && !inlineValue))
    throw new UsageError(
      `${rawName} needs a value: ${rawName} ${row.value}; one that begins with a hyphen as ${rawName}=VALUE.`,
    )
}

/** What a command takes as it was said: its second word decides. Throws UsageError where there is no such word. */
function useOf(row: CommandRow, [verb]: readonly string[]): { said: string; known: readonly CommandOptionRow[] } {
  const { name, uses } = row
  const verbs = uses.flatMap((use) => use.verb ?? [])
  if (verbs.length === 0 || verb === undefined) return { said: name, known: listCommandOptions(row) }
  const use = uses.find((candidate) => candidate.verb === verb)
  if (!use)
    throw new UsageError(
      `There is no "${name} ${verb}". Did you mean "${name} ${findNearestWord(verb, verbs)}"? Say ${name} ${verbs.join(', ')}.`,
    )
  return { said: `${name} ${verb}`, known: use.options ?? [] }
}

/** Splits a command line. What is wrong with it is not looked at: it may ask for help. */
export function parseCommandLine(argv: readonly string[], table: readonly CommandRow[]) {
  const { values, positionals, tokens } = parsed(argv, table)
  const [name, ...words] = positionals
  const said: ParsedCommandLine = { name, words, options: values as ParsedCommandLine['options'] }
  return { said, tokens }
}

/** Throws UsageError where a command line has words or options that its command does not know; names the nearest right one. */
export function assertCommandLine(
  row: CommandRow | undefined,
  { said, tokens }: ReturnType<typeof parseCommandLine>,
): void {
  const use = row ? useOf(row, said.words) : { said: '', known: [] }
  for (const token of tokens)
    if (token.kind === 'option') checkOption(token as OptionToken, use.said, [...use.known, ...common])
}
