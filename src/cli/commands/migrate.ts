import type { CliCommand } from '../usage.ts'
import { withDatabase } from '../with-database.ts'

/** `stentor migrate`: brings the database to the version of this program, and ends. */
export const migrateCommand: CliCommand = ({ config }) =>
  withDatabase(config, async () => {
    process.stdout.write('The database is up to date.\n')
    return 0
  })
