import { type CommandOptionRow, type CommandRow, type CommandUsageRow, listCommandOptions } from '../rows.ts'
import { type CliCommand, UsageError } from '../usage.ts'

/** What is offered at a place: words, names of files or directories, or nothing. */
type Offer = CommandOptionRow['words']

/** Which words a use is found by: `keys:create`; of a command without second words `start:*`. */
const placeOf = ({ name }: CommandRow, { verb = '*' }: CommandUsageRow): string => `${name}:${verb}`

/** What is offered for the value of each option that takes one. */
function values(table: readonly CommandRow[]): { place: string; offer: Offer }[] {
  return table.flatMap((row) =>
    row.uses.flatMap((use) =>
      (use.options ?? []).flatMap(({ name, value, words }) =>
        value === undefined ? [] : [{ place: `${placeOf(row, use)}:--${name}`, offer: words }],
      ),
    ),
  )
}

/** What is offered as the second word of each command. */
function seconds(table: readonly CommandRow[]): { name: string; words: readonly string[] }[] {
  return table.map((row) => ({
    name: row.name,
    words:
      row.name === 'help' ? table.map(({ name }) => name) : row.uses.flatMap(({ verb, words }) => verb ?? words ?? []),
  }))
}

/** The options of each use. */
function options(table: readonly CommandRow[]): { place: string; words: readonly string[] }[] {
  return table.flatMap((row) =>
    row.uses.map((use) => ({
      place: placeOf(row, use),
      words: listCommandOptions({ ...row, uses: [use] }).map(({ name }) => `--${name}`),
    })),
  )
}

/** A branch of a `case`. */
const branch = (pattern: string, what: string): string => `    ${pattern}) ${what} ;;`

interface Shell {
  words(list: readonly string[]): string
  files: string
  directories: string
}

const offered = ({ words, files, directories }: Shell, offer: Offer): string => {
  if (offer === 'file') return files
  return offer === 'directory' ? directories : words(offer ?? [])
}

/** The three questions of both shells: the value of an option, the second word, an option. */
function cases(table: readonly CommandRow[], shell: Shell, position: string): string {
  const { words } = shell
  return `  case "$command:$verb:$before" in
${values(table)
  .map(({ place, offer }) => branch(place, `${offered(shell, offer)}; return`))
  .join('\n')}
  esac
  if (( ${position} == 1 )); then
    ${words([...table.map(({ name }) => name), '--help', '--version'])}
    return
  fi
  if (( ${position} == 2 )) && [[ "$word" != -* ]]; then
    case "$command" in
${seconds(table)
  .filter((second) => second.words.length > 0)
  .map((second) => branch(second.name, `${words(second.words)}; return`))
  .join('\n')}
    esac
  fi
  case "$command:$verb" in
${options(table)
  .map((own) => branch(own.place, words([...own.words, '--help'])))
  .join('\n')}
    *) ${words(['--help'])} ;;
  esac`
}

/** Names that may hold blanks. Outside of a completion there is nothing that `compopt` could change. */
const namesOf = (kind: string): string =>
  `local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen ${kind} -- "$word"))`

/** The script for bash: it completes a program, function or alias called stentor. */
export function renderBashCompletion(table: readonly CommandRow[]): string {
  const shell: Shell = {
    words: (list) => `COMPREPLY=($(compgen -W '${list.join(' ')}' -- "$word"))`,
    files: namesOf('-f'),
    directories: namesOf('-d'),
  }
  return `# Completion of stentor for bash, printed by "stentor completion bash".
_stentor() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}" verb="\${COMP_WORDS[2]-}"
  COMPREPLY=()
${cases(table, shell, 'COMP_CWORD')}
}
complete -F _stentor stentor
`
}

/** The script for zsh: in a file _stentor of its fpath, or read by source. */
export function renderZshCompletion(table: readonly CommandRow[]): string {
  const shell: Shell = {
    words: (list) => `compadd -- ${list.join(' ')}`,
    files: '_files',
    directories: '_files -/',
  }
  return `#compdef stentor
# Completion of stentor for zsh, printed by "stentor completion zsh".
_stentor() {
  local word="\${words[CURRENT]}" before="\${words[CURRENT-1]}" command="\${words[2]}" verb="\${words[3]-}"
${cases(table, shell, 'CURRENT - 1')}
}
if [[ "\${funcstack[1]}" == _stentor ]]; then _stentor "$@"; else compdef _stentor stentor; fi
`
}

const shells: Readonly<Record<string, (table: readonly CommandRow[]) => string>> = {
  bash: renderBashCompletion,
  zsh: renderZshCompletion,
}

/** `stentor completion bash|zsh`. */
export const createCompletionCommand =
  (table: readonly CommandRow[]): CliCommand =>
  async ({ words: [name = ''] }) => {
    const script = Object.hasOwn(shells, name) ? shells[name] : undefined
    if (!script) throw new UsageError(`Say completion ${Object.keys(shells).join(' or completion ')}.`)
    process.stdout.write(script(table))
    return 0
  }
