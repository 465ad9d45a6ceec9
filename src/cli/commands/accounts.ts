import type { Db } from '../../database/connection/connect.ts'
import {
  createAccount,
  findAccount,
  listAccounts,
  parseAccountCode,
  setAccountRateLimit,
} from '../../features/accounts/accounts.ts'
import { renewContactKeys } from '../../features/contacts/fields/fields.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { addAccountDefaults } from '../../service/bootstrap.ts'
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

function readAccountCode(words: string[]): string {
  const code = words[1] ?? ''
  if (!parseAccountCode(code))
    throw new UsageError(`"${code}" is not an account code. It must have 4 + 3 letters or digits, such as ACME001.`)
  return code.toUpperCase()
}

async function createAccountByCode(db: Db, { words, options }: CommandInvocation): Promise<void> {
  const code = readAccountCode(words)
  const accountIdentity = parseAccountCode(code)!
  const name = typeof options['name'] === 'string' ? options['name'] : code
  await inAuditedTransaction(
    db,
    (tx) =>
      createAccount(tx, accountIdentity, name, (accountSettings, account) =>
        addAccountDefaults(accountSettings, account, new Date(systemClock.now())),
      ),
    (account) => ({ operation: 'accounts create', account, object: { type: 'account', id: code, name } }),
  )
  process.stdout.write(`Account ${code} created. To create a key for it: stentor keys create --account ${code}\n`)
}

async function setRequestLimits(db: Db, { words, options }: CommandInvocation): Promise<void> {
  const code = readAccountCode(words)
  const account = await findAccount(db, code)
  const ratePerSecond = parseWholeNumber(requireOptionValue(options, 'rate'), '--rate')
  const rateBurst = parseWholeNumber(requireOptionValue(options, 'burst'), '--burst')
  const auditObject = { type: 'account', id: code, name: null }
  await inAuditedTransaction(
    db,
    (tx) => setAccountRateLimit(tx, account, ratePerSecond, rateBurst),
    () => ({
      operation: 'accounts limit',
      account,
      object: auditObject,
      said: { rate: ratePerSecond, burst: rateBurst },
    }),
  )
  process.stdout.write('Limit set. It applies within a second.\n')
}

async function rekeyAccount(db: Db, { words }: CommandInvocation): Promise<void> {
  const code = readAccountCode(words)
  const account = await findAccount(db, code)
  const auditObject = { type: 'account', id: code, name: null }
  await inAuditedTransaction(
    db,
    (tx) => renewContactKeys(tx, account),
    () => ({ operation: 'accounts rekey', account, object: auditObject }),
  )
  process.stdout.write('The contact keys are up to date.\n')
}

/** `stentor accounts create|list|limit|rekey`. A rate of 0 means no limit. */
export const accountsCommand: CliCommand = (invocation) =>
  withDatabase(invocation.config, async ({ db }) => {
    switch (invocation.words[0]) {
      case 'create':
        await createAccountByCode(db, invocation)
        return 0
      case 'list':
        printTable(await listAccounts(db))
        return 0
      case 'limit':
        await setRequestLimits(db, invocation)
        return 0
      case 'rekey':
        await rekeyAccount(db, invocation)
        return 0
      default:
        throw new UsageError('Use accounts create, accounts list, accounts limit or accounts rekey.')
    }
  })
