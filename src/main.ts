import { checkLine, splitLine } from './cli/command-line.ts'
import { explain } from './cli/explain.ts'
import { helpOf, overview, rowOf } from './cli/help.ts'
import { commandTable } from './cli/table.ts'
import type { Invocation } from './cli/usage.ts'
import { type Config, readConfig } from './config.ts'
import { OperatorError } from './lib/errors/operator-error.ts'
import { limitMemory } from './service/memory.ts'
import { VERSION } from './version.ts'

/** What a command is given. Settings are read when it asks for them: help needs none. */
function invocationOf({ words, options }: Pick<Invocation, 'words' | 'options'>): Invocation {
  let config: Config | undefined
  return {
    words,
    options,
    get config() {
      config ??= readConfig(process.env)
      return config
    },
  }
}

async function main(argv: string[]): Promise<number> {
  const line = splitLine(argv, commandTable)
  const { name, options } = line.said
  if (options['version']) {
    process.stdout.write(`${VERSION}\n`)
    return 0
  }
  const row = name === undefined ? undefined : rowOf(commandTable, name)
  if (options['help']) {
    process.stdout.write(row ? helpOf(row) : overview(commandTable))
    return 0
  }
  checkLine(row, line)
  if (!row) {
    process.stdout.write(overview(commandTable))
    return 2
  }
  if (name === 'start') limitMemory()
  const command = await row.load(commandTable)
  return command(invocationOf(line.said))
}

// What is written is for the account of the service alone.
process.umask(0o077)
try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const message = explain(error, process.env)
  const lines = error instanceof OperatorError ? message.split('\n') : [message]
  process.stderr.write(lines.map((line) => `stentor: ${line}\n`).join(''))
  process.exitCode = 1
}
