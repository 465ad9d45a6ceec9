import type { Db } from '../../database/connection/connect.ts'
import { createKey, findAccount, listKeys, randomKey, revokeKey } from '../../features/accounts/accounts.ts'
import { type Right, rights } from '../../lib/account.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { readInstant } from '../../lib/time/period.ts'
import { inToldTransaction } from '../told.ts'
import { type Command, type Invocation, printTable, required, UsageError, wholeNumber } from '../usage.ts'
import { withDatabase } from '../with-database.ts'

function readRights(given: unknown): Right[] {
  if (given === undefined) return [...rights]
  return String(given)
    .split(',')
    .map((word) => {
      const right = rights.find((candidate) => candidate === word.trim())
      if (!right) throw new UsageError(`"${word}" is not a right; they are ${rights.join(', ')}.`)
      return right
    })
}

function readExpiry(given: unknown): Date | null {
  if (given === undefined) return null
  const instant = readInstant(given)
  if (instant === undefined)
    throw new UsageError('--expires must be a date such as 2027-01-31, in the years 0001 to 9999.')
  return new Date(instant)
}

async function create(db: Db, { options }: Invocation): Promise<void> {
  const account = await findAccount(db, required(options, 'account'))
  const name = typeof options['name'] === 'string' ? options['name'] : 'key'
  const key = randomKey()
  const given = { name, rights: readRights(options['rights']), expiresAt: readExpiry(options['expires']) }
  const id = await inToldTransaction(
    db,
    (tx) => createKey(tx, account, key, given),
    (made) => ({ operation: 'keys create', account, object: { type: 'key', id: String(made), name }, said: given }),
  )
  process.stdout.write(`Key ${id}, shown this once:\n${key}\n`)
}

async function revoke(db: Db, id: number): Promise<void> {
  await inToldTransaction(
    db,
    (tx) => revokeKey(tx, id, new Date(systemClock.now())),
    ({ account, name }) => ({ operation: 'keys revoke', account, object: { type: 'key', id: String(id), name } }),
  )
}

/** `stentor keys create|list|revoke`. The key's text is printed once and cannot be had again. */
export const keysCommand: Command = (invocation) =>
  withDatabase(invocation.config, async ({ db }) => {
    const [word, id] = invocation.words
    switch (word) {
      case 'create':
        await create(db, invocation)
        return 0
      case 'list':
        printTable(await listKeys(db, await findAccount(db, required(invocation.options, 'account'))))
        return 0
      case 'revoke':
        await revoke(db, wholeNumber(id ?? '', 'The id of the key'))
        process.stdout.write('Revoked.\n')
        return 0
      default:
        throw new UsageError('Say keys create, keys list or keys revoke.')
    }
  })
