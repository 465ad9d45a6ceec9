import { systemClock } from '../../lib/time/clock.ts'
import { inAuditedTransaction } from '../audited-command.ts'
import { type CliCommand, UsageError } from '../usage.ts'
import { withDatabase } from '../with-database.ts'
import { acceptMasterKeys } from './master-keys.ts'

/** `stentor master-key accept`: for an installation whose master key is lost. */
export const masterKeyCommand: CliCommand = async ({ words, config }) => {
  if (words[0] !== 'accept') throw new UsageError('Say master-key accept.')
  return withDatabase(config, async ({ db }) => {
    await inAuditedTransaction(
      db,
      (tx) => acceptMasterKeys(tx, config, new Date(systemClock.now())),
      () => ({ operation: 'master-key accept', account: null, object: { type: 'master-key', id: null, name: null } }),
    )
    process.stdout.write(
      'The configured master key counts from now on. Links sent before are void, and what was sealed with another key\n' +
        'must be given again: gateways (gateways add), keys of domains (domains keys), drop places, secrets of webhooks,\n' +
        'credentials and webhook addresses of RCS profiles. People sign in with recovery codes in place of apps that show codes.\n',
    )
    return 0
  })
}
