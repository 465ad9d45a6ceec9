import { assertCommandLine, parseCommandLine } from './cli/command-line.ts'
import { explainError } from './cli/explain.ts'
import { renderCommandHelp, renderHelpOverview, requireCommandRow } from './cli/help.ts'
import { commandTable } from './cli/table.ts'
import type { CommandInvocation } from './cli/usage.ts'
import { readConfig, type ServiceConfig } from './config.ts'
import { OperatorError } from './lib/errors/operator-error.ts'
import { restartWithMemoryLimits } from './service/memory.ts'
import { PROGRAM_VERSION } from './version.ts'

/** The input of a command. Settings are read when the command uses them: help needs none. */
function buildInvocation({ words, options }: Pick<CommandInvocation, 'words' | 'options'>): CommandInvocation {
  let config: ServiceConfig | undefined
  return {
    words,
    options,
    get config() {
      config ??= readConfig(process.env)
      return config
    },
  }
}

async function runProgram(argv: string[]): Promise<number> {
  const line = parseCommandLine(argv, commandTable)
  const { name, options } = line.said
  if (options['version']) {
    process.stdout.write(`${PROGRAM_VERSION}\n`)
    return 0
  }
  const row = name === undefined ? undefined : requireCommandRow(commandTable, name)
  if (options['help']) {
    process.stdout.write(row ? renderCommandHelp(row) : renderHelpOverview(commandTable))
    return 0
  }
  assertCommandLine(row, line)
  if (!row) {
    process.stdout.write(renderHelpOverview(commandTable))
    return 2
  }
  if (name === 'start') restartWithMemoryLimits()
  const runCommand = await row.load(commandTable)
  return runCommand(buildInvocation(line.said))
}

// What is written is for the account of the service alone.
process.umask(0o077)
try {
  process.exitCode = await runProgram(process.argv.slice(2))
} catch (error) {
  const message = explainError(error, process.env)
  const lines = error instanceof OperatorError ? message.split('\n') : [message]
  process.stderr.write(lines.map((line) => `stentor: ${line}\n`).join(''))
  process.exitCode = 1
}
