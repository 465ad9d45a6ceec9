import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { assertCommandLine, parseCommandLine } from '../../src/cli/command-line.ts'
import { renderBashCompletion, renderZshCompletion } from '../../src/cli/commands/completion.ts'
import { renderCommandHelp, renderHelpOverview, requireCommandRow } from '../../src/cli/help.ts'
import { type CommandRow, formatCommandUsage, formatOptionUsage, listCommandOptions } from '../../src/cli/rows.ts'
import { commandGatewayKinds, commandTable } from '../../src/cli/table.ts'
import { UsageError } from '../../src/cli/usage.ts'
import { gatewayDefinitions } from '../../src/gateways/gateway-definitions.ts'
import { runProgram } from '../support/processes/process.ts'

const run = promisify(execFile)

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined

/** What a line of words is refused for; undefined: it is not. */
function refusalOf(...words: string[]): string | undefined {
  try {
    const line = parseCommandLine(words, commandTable)
    const { name } = line.said
    assertCommandLine(name === undefined ? undefined : requireCommandRow(commandTable, name), line)
    return undefined
  } catch (error) {
    assert.ok(error instanceof UsageError)
    return error.message
  }
}

/** The text on one line, as it may be wrapped anywhere. */
const flat = (text: string): string => text.replace(/\s+/g, ' ')

suite('command-line help', () => {
  test('names every command on lines of at most 80 characters', () => {
    const text = renderHelpOverview(commandTable)
    for (const { name, help } of commandTable) assert.ok(flat(text).includes(`${name} ${help}`), name)
    for (const line of text.split('\n')) assert.ok(line.length <= 80, line)
  })

  test('of a command shows each usage, each option with its default, and valid examples', () => {
    for (const row of commandTable) {
      const text = flat(renderCommandHelp(row))
      for (const use of row.uses)
        assert.ok(text.includes(`stentor ${formatCommandUsage(row, use)}`), formatCommandUsage(row, use))
      for (const option of listCommandOptions(row)) {
        assert.ok(text.includes(`${formatOptionUsage(option)} ${option.help}`), option.name)
        if (option.fallback !== undefined) assert.ok(text.includes(`(default: ${option.fallback})`), option.name)
      }
      assert.ok(row.examples.length > 0, row.name)
      for (const [line] of row.examples) {
        const words = wordsOf(line.replace(/ >.*/, ''))
        assert.equal(words[0], row.name)
        assert.equal(refusalOf(...words), undefined, line)
      }
    }
  })

  test('can be requested in three ways, without failing', async () => {
    const [plain, long, short, word] = await Promise.all([
      runProgram([]),
      runProgram(['keys', 'create', '--help'], { STENTOR_NONSENSE: '1' }),
      runProgram(['-h']),
      runProgram(['help', 'keys'], { STENTOR_NONSENSE: '1' }),
    ])
    assert.deepEqual([plain.status, long.status, short.status, word.status], [2, 0, 0, 0])
    assert.equal(plain.out, short.out)
    assert.equal(long.out, renderCommandHelp(requireCommandRow(commandTable, 'keys')))
    assert.equal(word.out, long.out)
    assert.equal(word.errors, '')
  })
})

/** Splits a line as a shell does, as far as our examples need it. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
}

/** A command in a document: on a line of its own, perhaps after variables, in backquotes, in a container, or by its path. */
const SHOWN = /(?:^(?:[A-Z_]+=\S+ )*|`|<\(|exec stentor |\/bin\/)stentor (-?[a-z][^#\n`|)>]*|--[a-z]+)/gm

/** Which file has the code of a command. */
const sourceOf = ({ name }: CommandRow): string => readFileSync(globSync(`src/cli/**/${name}.ts`)[0]!, 'utf8')

suite('the command table', () => {
  test('has exactly the options that the code of each command reads', () => {
    for (const row of commandTable) {
      const text = sourceOf(row)
      const read = [
        ...text.matchAll(
          /options\['([\w-]+)'\]|requireOptionValue\((?:invocation\.)?options, '([\w-]+)'\)|\breadBoundary\('(\w+)'/g,
        ),
        ...text.matchAll(/const \{ (\w+)(?:: \w+)?(?: = '\w+')? \} = options/g),
      ].map(([, one, two, three]) => one ?? two ?? three ?? '')
      assert.deepEqual(
        [...new Set(read)].sort(),
        listCommandOptions(row)
          .map(({ name }) => name)
          .sort(),
        row.name,
      )
    }
  })

  test('has every kind of gateway', () => {
    const kinds = gatewayDefinitions.map(({ kind }) => kind).filter((kind) => kind !== 'capture')
    assert.deepEqual([...commandGatewayKinds].sort(), kinds.sort())
  })

  test('accepts every command shown in the documentation', () => {
    const shown = globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.{md,yaml,service}'])
      .filter((file) => file !== 'CHANGELOG.md')
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(SHOWN)].map(([, line = '']) => ({ file, line })))
    for (const guide of ['README.md', 'docs/reference/command-line.md', 'docs/reference/gateways.md'])
      assert.ok(shown.filter(({ file }) => file === guide).length > 3, guide)
    // What is in brackets may be left out.
    for (const { file, line } of shown)
      assert.equal(refusalOf(...wordsOf(line.replaceAll(/[[\]]/g, '').trim())), undefined, `${file}: ${line}`)
  })
})

suite('a wrong command line', () => {
  test('is answered with the nearest valid one', () => {
    assert.match(refusalOf('strat') ?? '', /^There is no command "strat"\. Did you mean "start"\?/)
    assert.match(
      refusalOf('keys', 'creat') ?? '',
      /Did you mean "keys create"\? The commands are create, list, revoke\.$/,
    )
    assert.equal(
      refusalOf('keys', 'list', '--acount', 'ACME001'),
      'stentor keys list has no option --acount. Did you mean --account?',
    )
    assert.match(refusalOf('keys', 'list', '--rights', 'read') ?? '', /^stentor keys list has no option --rights\./)
    assert.match(refusalOf('migrate', '--hlep') ?? '', /Did you mean --help\?$/)
    assert.match(refusalOf('doctor', '-x') ?? '', /^stentor doctor has no option -x\./)
  })

  test('names the option that needs a value or takes none', () => {
    assert.match(refusalOf('keys', 'list', '--account') ?? '', /^--account requires a value: --account CODE/)
    assert.match(refusalOf('backup', '--to', '--without-secrets') ?? '', /^--to requires a value: --to DIRECTORY/)
    assert.equal(refusalOf('backup', '--to=-odd'), undefined)
    assert.equal(refusalOf('doctor', '--providers=yes'), '--providers takes no value.')
  })

  test('is reported in one line with exit status 1', async () => {
    const { status, out, errors } = await runProgram(['people', 'invte', 'ann@shop.example'])
    assert.deepEqual([status, out], [1, ''])
    assert.match(errors, /^stentor: There is no command "people invte"\. Did you mean "people invite"\?[^\n]*\n$/)
  })

  test('arguments after -- are left to psql', () => {
    const { said } = parseCommandLine(['psql', '--', '-c', 'select 1', '--help'], commandTable)
    assert.deepEqual(said.words, ['-c', 'select 1', '--help'])
    assert.equal(said.options['help'], undefined)
  })
})

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stentor-words-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** Lines with what a shell offers for their last word. */
const offers: readonly (readonly [string[], string[]])[] = [
  [
    ['stentor', 'do'],
    ['doctor', 'domains'],
  ],
  [
    ['stentor', 'keys', ''],
    ['create', 'list', 'revoke'],
  ],
  [['stentor', 'keys', 'create', '--r'], ['--rights']],
  [
    ['stentor', 'keys', 'list', '--'],
    ['--account', '--help'],
  ],
  [['stentor', 'keys', 'list', '--account', ''], []],
  [
    ['stentor', 'start', '--'],
    ['--role', '--help'],
  ],
  [['stentor', 'start', '--role', 'in'], ['inbound']],
  [
    ['stentor', 'people', 'invite', 'ann@shop.example', '--role', ''],
    ['viewer', 'author', 'sender', 'admin'],
  ],
  [
    ['stentor', 'gateways', 'add', '--kind', 'smtp'],
    ['smtp', 'smtp-direct'],
  ],
  [
    ['stentor', 'completion', ''],
    ['bash', 'zsh'],
  ],
  [['stentor', 'help', 'mig'], ['migrate']],
]

suite('shell completion', () => {
  test('bash offers commands, second words, options and values', {
    skip: !has('bash') && 'bash is not installed',
  }, async () => {
    const script = join(folder, 'completion.bash')
    await writeFile(script, renderBashCompletion(commandTable))
    for (const [words, expected] of offers) {
      const line = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stentor; printf '%s\\n' "\${COMPREPLY[@]-}"`
      const { stdout, stderr } = await run('bash', ['--norc', '-uc', line, script, ...words])
      assert.equal(stderr, '')
      assert.deepEqual(stdout.split('\n').filter(Boolean), expected, words.join(' '))
    }
  })

  test('bash offers files for options that take a file', {
    skip: !has('bash') && 'bash is not installed',
  }, async () => {
    const script = join(folder, 'completion.bash')
    await writeFile(script, renderBashCompletion(commandTable))
    await writeFile(join(folder, 'gateway.json'), '{}')
    const line = `source "$0"; COMP_WORDS=(stentor gateways add --file ga); COMP_CWORD=4; _stentor; echo "\${COMPREPLY[@]}"`
    const { stdout } = await run('bash', ['--norc', '-c', line, script], { cwd: folder })
    assert.equal(stdout, 'gateway.json\n')
  })

  test('zsh offers the same words as bash', {
    skip: !has('zsh') && 'zsh is not installed: npm run test:setup',
  }, async () => {
    const script = join(folder, '_stentor')
    await writeFile(script, renderZshCompletion(commandTable))
    for (const [given, expected] of offers) {
      // What zsh itself would do with the words: keep those that begin as the last one does.
      const line = `compdef() { : }; compadd() { shift; print -l -- "$@" }
        source "$0"; words=("$@"); CURRENT=$#; _stentor`
      const { stdout, stderr } = await run('zsh', ['-fc', line, script, ...given])
      assert.equal(stderr, '')
      const begun = given.at(-1) ?? ''
      assert.deepEqual(
        stdout.split('\n').filter((word) => word !== '' && word.startsWith(begun)),
        expected,
        given.join(' '),
      )
    }
  })

  test('prints the script, and names the supported shells for another shell', async () => {
    const [script, other] = await Promise.all([runProgram(['completion', 'bash']), runProgram(['completion', 'fish'])])
    assert.equal(script.out, renderBashCompletion(commandTable))
    assert.deepEqual([other.status, other.errors], [1, 'stentor: Use completion bash or completion zsh.\n'])
  })
})

suite('the manual page', () => {
  test('is read by groff without a warning and has every usage', {
    skip: !has('groff') && 'groff is not installed: npm run test:setup',
  }, async () => {
    const { stdout, stderr } = await run('groff', ['-man', '-Tutf8', '-ww', '-P-cbou', 'docs/stentor.1'])
    assert.equal(stderr, '')
    // A line may end behind any hyphen.
    const joined = (text: string): string => flat(text).replaceAll('- ', '-')
    for (const row of commandTable)
      for (const use of row.uses)
        assert.ok(joined(stdout).includes(joined(formatCommandUsage(row, use))), formatCommandUsage(row, use))
    assert.match(stdout, /STENTOR_DATABASE_URL/)
  })
})
