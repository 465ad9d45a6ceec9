import { domainToASCII } from 'node:url'
import type { Db } from '../database/connect.ts'
import { findAccount } from '../features/accounts/accounts.ts'
import { addDomain, listDomains, removeDomain } from '../features/accounts/domains.ts'
import { systemClock } from '../lib/clock.ts'
import { type Command, type Invocation, printTable, required, UsageError } from './usage.ts'
import { withDatabase } from './with-database.ts'

function readDomain(text: string): string {
  const domain = domainToASCII(text.toLowerCase())
  if (!/^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) throw new UsageError(`"${text}" is no domain name.`)
  return domain
}

async function add(db: Db, account: number, { words, options }: Invocation): Promise<void> {
  const domain = readDomain(words[1] ?? '')
  const verifiedAt = options['verified'] === true ? new Date(systemClock.now()) : null
  await addDomain(db, account, { domain, isDefault: options['default'] === true, verifiedAt })
  process.stdout.write(
    `Domain ${domain} added${verifiedAt ? '' : ', not verified: messages from it are sent from the default domain until it is'}.\n`,
  )
}

/** `stentor domains add|list|remove`: the domains an account sends from. */
export const domainsCommand: Command = (invocation) =>
  withDatabase(invocation.config, async ({ db }) => {
    const account = await findAccount(db, required(invocation.options, 'account'))
    const [word, domain] = invocation.words
    switch (word) {
      case 'add':
        await add(db, account, invocation)
        return 0
      case 'list':
        printTable(await listDomains(db, account))
        return 0
      case 'remove':
        await removeDomain(db, account, readDomain(domain ?? ''))
        process.stdout.write('Removed.\n')
        return 0
      default:
        throw new UsageError('Say domains add, domains list or domains remove.')
    }
  })
