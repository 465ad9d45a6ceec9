import { readFileSync } from 'node:fs'
import type { Db } from '../../database/connection/connect.ts'
import { findAccount } from '../../features/accounts/accounts.ts'
import {
  listDropPlaces,
  parseDropPlaceUrl,
  removeDropPlace,
  setDropPlace,
} from '../../features/imports/drop-places/drop-places.ts'
import type { AccountId } from '../../lib/account.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { type AuditedCommand, inAuditedTransaction } from '../audited-command.ts'
import { type CliCommand, type CommandInvocation, printTable, requireOptionValue, UsageError } from '../usage.ts'
import { withDatabase } from '../with-database.ts'
import { loadVerifiedMasterKeys } from './master-keys.ts'

function readDropLocation({ options }: CommandInvocation) {
  const { file } = options
  try {
    return parseDropPlaceUrl(
      requireOptionValue(options, 'url'),
      typeof file === 'string' ? readFileSync(file, 'utf8') : undefined,
    )
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function buildAuditEntry(operation: string, account: AccountId): AuditedCommand {
  return { operation, account, object: { type: 'drop-place', id: null, name: null } }
}

async function setDropLocation(db: Db, invocation: CommandInvocation): Promise<void> {
  const code = requireOptionValue(invocation.options, 'account')
  const account = await findAccount(db, code)
  const masterKeys = await loadVerifiedMasterKeys(db, invocation.config, new Date(systemClock.now()))
  try {
    const dropLocation = readDropLocation(invocation)
    await inAuditedTransaction(
      db,
      (tx) => setDropPlace(tx, masterKeys, account, dropLocation),
      () => ({
        ...buildAuditEntry('drop-places set', account),
        said: { kind: dropLocation.kind, settings: dropLocation.settings },
      }),
    )
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`The drop place cannot be reached: ${error instanceof Error ? error.message : error}`)
  }
  process.stdout.write(`Drop place set. Imports of ${code} with the source "ftp" fetch their files from it.\n`)
}

/** `stentor drop-places set|list|remove`: where imports pull files from. Credentials are kept sealed and never shown. */
export const dropPlacesCommand: CliCommand = (invocation) =>
  withDatabase(invocation.config, async ({ db }) => {
    const [commandWord] = invocation.words
    switch (commandWord) {
      case 'set':
        await setDropLocation(db, invocation)
        return 0
      case 'list':
        printTable(await listDropPlaces(db))
        return 0
      case 'remove': {
        const account = await findAccount(db, requireOptionValue(invocation.options, 'account'))
        const isRemoved = await inAuditedTransaction(
          db,
          (tx) => removeDropPlace(tx, account),
          () => buildAuditEntry('drop-places remove', account),
        )
        process.stdout.write(isRemoved ? 'Drop place removed.\n' : 'The account has no drop place.\n')
        return 0
      }
      default:
        throw new UsageError('Use drop-places set, drop-places list or drop-places remove.')
    }
  })
