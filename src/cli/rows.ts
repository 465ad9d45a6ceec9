import type { CliCommand } from './usage.ts'

/** An option of a command. */
export interface CommandOptionRow {
  /** Without its hyphens. */
  name: string
  /** The name of its value, in capitals; absent if it takes none. */
  value?: string
  /** The values there are, or what of the file system it names. */
  words?: readonly string[] | 'file' | 'directory'
  help: string
  /** The default value. */
  fallback?: string
  isRequired?: boolean
}

/** One way to say a command. */
export interface CommandUsageRow {
  /** Its second word; absent if the command takes no second word. */
  verb?: string
  /** The argument after it, in capitals. */
  argument?: string
  /** The words that may follow everything else. */
  rest?: string
  help: string
  options?: readonly CommandOptionRow[]
  /** The values of its argument, where they are known. */
  words?: readonly string[]
}

/** A command: its help, its completion, its place in the manual page and what it takes all come from here. */
export interface CommandRow {
  name: string
  /** Under which heading it is listed. */
  group: string
  help: string
  /** Further explanation, in full sentences. */
  more?: string
  uses: readonly CommandUsageRow[]
  /** Without the name of the program, each with what it does. */
  examples: readonly (readonly [string, string])[]
  /** Loads it when it is used: a wrong command line is answered at once. Given the table, for those that tell of it. */
  load(table: readonly CommandRow[]): Promise<CliCommand>
}

/** The usage of an option: `--account CODE`. */
export const formatOptionUsage = ({ name, value }: CommandOptionRow): string =>
  `--${name}${value === undefined ? '' : ` ${value}`}`

/** The usage of a command: `keys create --account CODE [--name NAME]`. */
export function formatCommandUsage(
  { name }: CommandRow,
  { verb, argument, options = [], rest: trailingWords }: CommandUsageRow,
): string {
  const parts = options.map((option) =>
    option.isRequired ? formatOptionUsage(option) : `[${formatOptionUsage(option)}]`,
  )
  const trailingText = trailingWords === undefined ? undefined : `[${trailingWords}]`
  return [name, verb, argument, ...parts, trailingText].filter((part) => part !== undefined).join(' ')
}

/** The options of a command, each once. */
export function listCommandOptions({ uses }: CommandRow): CommandOptionRow[] {
  const declaredOptions = uses.flatMap(({ options = [] }) => options)
  return [...new Map(declaredOptions.map((option) => [option.name, option])).values()]
}
