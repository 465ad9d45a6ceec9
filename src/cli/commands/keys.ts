import type { Db } from '../../database/connection/connect.ts'
import {
  createApiKey,
  findAccount,
  generateApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../features/accounts/accounts.ts'
import { type AccessRight, accessRights } from '../../lib/account.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { parseInstant } from '../../lib/time/period.ts'
import { inAuditedTransaction } from '../audited-command.ts'
import {
  type CliCommand,
  type CommandInvocation,
  parseWholeNumber,
  printTable,
  requireOptionValue,
  UsageError,
} from '../usage.ts'
import { withDatabase } from '../with-database.ts'

function parseRights(rawRights: unknown): AccessRight[] {
  if (rawRights === undefined) return [...accessRights]
  return String(rawRights)
    .split(',')
    .map((word) => {
      const right = accessRights.find((candidate) => candidate === word.trim())
      if (!right) throw new UsageError(`"${word}" is not a right. The rights are ${accessRights.join(', ')}.`)
      return right
    })
}

function parseExpiry(rawDate: unknown): Date | null {
  if (rawDate === undefined) return null
  const instant = parseInstant(rawDate)
  if (instant === undefined)
    throw new UsageError('--expires must be a date such as 2027-01-31, from year 0001 to 9999.')
  return new Date(instant)
}

async function createKey(db: Db, { options }: CommandInvocation): Promise<void> {
  const account = await findAccount(db, requireOptionValue(options, 'account'))
  const name = typeof options['name'] === 'string' ? options['name'] : 'key'
  const key = generateApiKey()
  const keyDetails = { name, rights: parseRights(options['rights']), expiresAt: parseExpiry(options['expires']) }
  const id = await inAuditedTransaction(
    db,
    (tx) => createApiKey(tx, account, key, keyDetails),
    (keyId) => ({
      operation: 'keys create',
      account,
      object: { type: 'key', id: String(keyId), name },
      said: keyDetails,
    }),
  )
  process.stdout.write(`Key ${id} (shown only once):\n${key}\n`)
}

async function revokeKey(db: Db, id: number): Promise<void> {
  await inAuditedTransaction(
    db,
    (tx) => revokeApiKey(tx, id, new Date(systemClock.now())),
    ({ account, name }) => ({ operation: 'keys revoke', account, object: { type: 'key', id: String(id), name } }),
  )
}

/** `stentor keys create|list|revoke`. The key's text is printed once and cannot be had again. */
export const keysCommand: CliCommand = (invocation) =>
  withDatabase(invocation.config, async ({ db }) => {
    const [commandWord, id] = invocation.words
    switch (commandWord) {
      case 'create':
        await createKey(db, invocation)
        return 0
      case 'list':
        printTable(await listApiKeys(db, await findAccount(db, requireOptionValue(invocation.options, 'account'))))
        return 0
      case 'revoke':
        await revokeKey(db, parseWholeNumber(id ?? '', 'The ID of the key'))
        process.stdout.write('Key revoked.\n')
        return 0
      default:
        throw new UsageError('Use keys create, keys list or keys revoke.')
    }
  })
