import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openDatabase } from '../../database/connection/open.ts'
import { createLogger } from '../../log.ts'
import type { CliCommand } from '../usage.ts'

/**
 * `stentor psql [-- ARGUMENTS]`: runs the machine's psql on the database of the configuration, the embedded one included,
 * which is started for it when it does not run. Without a psql, or with --address, it prints the address.
 */
export const psqlCommand: CliCommand = async ({ words, options, config }) => {
  const log = createLogger({ ...config, logLevel: 'warn' })
  const database = await openDatabase({ ...config, databasePool: 4 }, log, { beside: true })
  try {
    if (options['address']) {
      process.stdout.write(`${database.url}\n`)
      return 0
    }
    const url = new URL(database.url)
    // The password is passed in the environment: every account on the machine can read command lines.
    const childEnvironment = { ...process.env, PGPASSWORD: decodeURIComponent(url.password) }
    url.password = ''
    // Ctrl-C cancels a statement: psql handles it.
    process.on('SIGINT', () => undefined)
    const psqlProcess = spawn('psql', [url.href, ...words], { stdio: 'inherit', env: childEnvironment })
    const [exitStatus] = await once(psqlProcess, 'exit')
    return Number(exitStatus ?? 1)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    process.stdout.write(
      `psql is not installed on this machine. While the service runs, the URL of the database is\n${database.url}\n`,
    )
    return 0
  } finally {
    await database.close()
  }
}
