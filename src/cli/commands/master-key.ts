import { systemClock } from '../../lib/time/clock.ts'
import { inAuditedTransaction } from '../audited-command.ts'
import { type CliCommand, UsageError } from '../usage.ts'
import { withDatabase } from '../with-database.ts'
import { acceptMasterKeys } from './master-keys.ts'

/** `stentor master-key accept`: for an installation whose master key is lost. */
export const masterKeyCommand: CliCommand = async ({ words, config }) => {
  if (words[0] !== 'accept') throw new UsageError('Use master-key accept.')
  return withDatabase(config, async ({ db }) => {
    await inAuditedTransaction(
      db,
      (tx) => acceptMasterKeys(tx, config, new Date(systemClock.now())),
      () => ({ operation: 'master-key accept', account: null, object: { type: 'master-key', id: null, name: null } }),
    )
    process.stdout.write(
      'The configured master key is now in use. Links in messages already sent no longer work. Enter again what was\n' +
        'encrypted with another key: gateways (gateways add), DKIM keys (domains keys), drop places, webhook secrets,\n' +
        'and the credentials and webhook URLs of RCS profiles. Users sign in with recovery codes instead of authenticator apps.\n',
    )
    return 0
  })
}
