import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type ProcessRole, processRoles, type ServiceConfig } from '../../config.ts'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { isLoopbackHost } from '../../lib/net/loopback.ts'
import { createLogger } from '../../log.ts'
import { startService } from '../../service/service.ts'
import { findErrorExplanation } from '../explain.ts'
import { requireValidSettings } from '../setting-faults.ts'
import { type CliCommand, UsageError } from '../usage.ts'
import { RESTORE_MARKER_FILE } from './backup-files.ts'

/** The longest time that the process may take to exit once everything is stopped. */
const EXIT_TIMEOUT_MS = 500

function parseRoles(rawRoles: unknown): ProcessRole[] {
  if (rawRoles === undefined || rawRoles === 'all') return [...processRoles]
  return String(rawRoles)
    .split(',')
    .map((word) => {
      const role = processRoles.find((candidate) => candidate === word.trim())
      if (!role) throw new UsageError(`"${word}" is not a role. The roles are all, ${processRoles.join(', ')}.`)
      return role
    })
}

/** npm repeats a Ctrl-C that the terminal has sent to every process: a signal this soon is the same request. */
const REPEATED_SIGNAL_MS = 1000

/** Resolves with the first signal that asks the process to end; one that comes later ends it at once, also while it starts. */
function waitForStopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let firstSignalAt: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (firstSignalAt !== undefined && performance.now() - firstSignalAt > REPEATED_SIGNAL_MS) process.exit(1)
      firstSignalAt ??= performance.now()
      resolve(signal)
    })
  }
  return promise
}

/** Under a public address captured mail could be read by anyone who reaches the service. */
function warnOfDevelopmentMode({ development, publicUrl }: ServiceConfig, log: Logger): void {
  if (!development || publicUrl === '' || isLoopbackHost(new URL(publicUrl).hostname)) return
  log.warn(
    { publicUrl },
    'public address in development mode, which shows captured messages at /captured: set STENTOR_MODE to production',
  )
}

/** Warns of parts that other processes need and cannot reach: this process would work, but only alone. */
function warnOfUnsharedParts(
  activeRoles: readonly ProcessRole[],
  { databaseUrl, publicUrl }: ServiceConfig,
  log: Logger,
): void {
  if (activeRoles.length === processRoles.length) return
  if (databaseUrl === undefined)
    log.warn(
      'this process runs only some roles, on a database that no other process can reach: set STENTOR_DATABASE_URL',
    )
  if (publicUrl === '' && !activeRoles.includes('tracking'))
    log.warn('links lead to this process, which does not serve them: set STENTOR_PUBLIC_URL')
}

/** `stentor start`: runs until it is asked to stop; a second signal ends it at once. */
export const startCommand: CliCommand = async ({ options, config }) => {
  const log = createLogger(config)
  // Node would print the error with all that the database says of it.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, findErrorExplanation(error, config) ?? 'process exits')
    process.exit(1)
  })
  if (existsSync(join(config.dataDir, RESTORE_MARKER_FILE)))
    throw new OperatorError(`A restore into ${config.dataDir} did not finish. Delete that directory and restore again.`)
  const stopRequest = waitForStopSignal()
  warnOfDevelopmentMode(config, log)
  const activeRoles = parseRoles(options['role'])
  warnOfUnsharedParts(activeRoles, config, log)
  await requireValidSettings(config, activeRoles)
  const announce = (step: string) => void process.stdout.write(`${step}\n`)
  announce('Starting …')
  const startAbort = new AbortController()
  void stopRequest.then(() => startAbort.abort())
  // Work of a part that did not stop in time must not keep the process running.
  const scheduleExit = () => void setTimeout(() => process.exit(), EXIT_TIMEOUT_MS).unref()
  const service = await startService(config, log, activeRoles, { signal: startAbort.signal, announce }).catch(
    (error) => {
      scheduleExit()
      // A start that waits for its database ends when it is asked to stop.
      if (!startAbort.signal.aborted) throw error
      return undefined
    },
  )
  if (!service) return 0
  process.stdout.write(`The console is at ${service.console}\n`)
  process.stdout.write(`Stentor is at ${service.url}; the API reference is at ${service.url}/docs\n`)
  process.stdout.write(`The manual is at ${service.url}/manual/\n`)
  if (service.made)
    process.stdout.write(`Account ${service.made.account}, API key (shown only once): ${service.made.key}\n`)
  if (service.setUp)
    process.stdout.write(`Create the first user here (the link works once and expires in a day): ${service.setUp}\n`)
  const signal = await stopRequest
  log.info({ signal }, 'stopping')
  const isInTime = await service.stop()
  scheduleExit()
  return isInTime ? 0 : 1
}
