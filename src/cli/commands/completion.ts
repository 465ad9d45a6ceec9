import { type CommandOptionRow, type CommandRow, type CommandUsageRow, listCommandOptions } from '../rows.ts'
import { type CliCommand, UsageError } from '../usage.ts'

/** The completions offered at a position: words, names of files or directories, or nothing. */
type CompletionWords = CommandOptionRow['words']

/** The pattern that identifies a usage: `keys:create`, or `start:*` for a command without second words. */
const buildUsagePattern = ({ name }: CommandRow, { verb = '*' }: CommandUsageRow): string => `${name}:${verb}`

/** The completions for the value of each option that takes one. */
function listOptionValues(table: readonly CommandRow[]): { place: string; offer: CompletionWords }[] {
  return table.flatMap((row) =>
    row.uses.flatMap((use) =>
      (use.options ?? []).flatMap(({ name, value, words }) =>
        value === undefined ? [] : [{ place: `${buildUsagePattern(row, use)}:--${name}`, offer: words }],
      ),
    ),
  )
}

/** The completions for the second word of each command. */
function listSecondWords(table: readonly CommandRow[]): { name: string; words: readonly string[] }[] {
  return table.map((row) => ({
    name: row.name,
    words:
      row.name === 'help' ? table.map(({ name }) => name) : row.uses.flatMap(({ verb, words }) => verb ?? words ?? []),
  }))
}

/** The options of each use. */
function listUsageOptions(table: readonly CommandRow[]): { place: string; words: readonly string[] }[] {
  return table.flatMap((row) =>
    row.uses.map((use) => ({
      place: buildUsagePattern(row, use),
      words: listCommandOptions({ ...row, uses: [use] }).map(({ name }) => `--${name}`),
    })),
  )
}

/** A branch of a `case`. */
const formatCaseBranch = (pattern: string, shellCommand: string): string => `    ${pattern}) ${shellCommand} ;;`

interface ShellSyntax {
  words(list: readonly string[]): string
  files: string
  directories: string
}

const renderCompletion = ({ words, files, directories }: ShellSyntax, offer: CompletionWords): string => {
  if (offer === 'file') return files
  return offer === 'directory' ? directories : words(offer ?? [])
}

/** The three questions of both shells: the value of an option, the second word, an option. */
function renderCaseStatements(table: readonly CommandRow[], shellSyntax: ShellSyntax, position: string): string {
  const { words } = shellSyntax
  return `  case "$command:$verb:$before" in
${listOptionValues(table)
  .map(({ place, offer }) => formatCaseBranch(place, `${renderCompletion(shellSyntax, offer)}; return`))
  .join('\n')}
  esac
  if (( ${position} == 1 )); then
    ${words([...table.map(({ name }) => name), '--help', '--version'])}
    return
  fi
  if (( ${position} == 2 )) && [[ "$word" != -* ]]; then
    case "$command" in
${listSecondWords(table)
  .filter((second) => second.words.length > 0)
  .map((second) => formatCaseBranch(second.name, `${words(second.words)}; return`))
  .join('\n')}
    esac
  fi
  case "$command:$verb" in
${listUsageOptions(table)
  .map((usageOptions) => formatCaseBranch(usageOptions.place, words([...usageOptions.words, '--help'])))
  .join('\n')}
    *) ${words(['--help'])} ;;
  esac`
}

/** Names that may hold blanks. Outside of a completion there is nothing that `compopt` could change. */
const renderFileNames = (kind: string): string =>
  `local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen ${kind} -- "$word"))`

/** The script for bash: it completes a program, function or alias called stentor. */
export function renderBashCompletion(table: readonly CommandRow[]): string {
  const shellSyntax: ShellSyntax = {
    words: (list) => `COMPREPLY=($(compgen -W '${list.join(' ')}' -- "$word"))`,
    files: renderFileNames('-f'),
    directories: renderFileNames('-d'),
  }
  return `# Completion of stentor for bash, printed by "stentor completion bash".
_stentor() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}" verb="\${COMP_WORDS[2]-}"
  COMPREPLY=()
${renderCaseStatements(table, shellSyntax, 'COMP_CWORD')}
}
complete -F _stentor stentor
`
}

/** The script for zsh: in a file _stentor of its fpath, or read by source. */
export function renderZshCompletion(table: readonly CommandRow[]): string {
  const shellSyntax: ShellSyntax = {
    words: (list) => `compadd -- ${list.join(' ')}`,
    files: '_files',
    directories: '_files -/',
  }
  return `#compdef stentor
# Completion of stentor for zsh, printed by "stentor completion zsh".
_stentor() {
  local word="\${words[CURRENT]}" before="\${words[CURRENT-1]}" command="\${words[2]}" verb="\${words[3]-}"
${renderCaseStatements(table, shellSyntax, 'CURRENT - 1')}
}
if [[ "\${funcstack[1]}" == _stentor ]]; then _stentor "$@"; else compdef _stentor stentor; fi
`
}

const completionRenderers: Readonly<Record<string, (table: readonly CommandRow[]) => string>> = {
  bash: renderBashCompletion,
  zsh: renderZshCompletion,
}

/** `stentor completion bash|zsh`. */
export const createCompletionCommand =
  (table: readonly CommandRow[]): CliCommand =>
  async ({ words: [name = ''] }) => {
    const renderScript = Object.hasOwn(completionRenderers, name) ? completionRenderers[name] : undefined
    if (!renderScript)
      throw new UsageError(`Use completion ${Object.keys(completionRenderers).join(' or completion ')}.`)
    process.stdout.write(renderScript(table))
    return 0
  }
