import type { Db } from '../../database/connection/connect.ts'
import { findAccount } from '../../features/accounts/accounts.ts'
import { RETIRED_DKIM_KEY_DAYS, rotateDomainKeys } from '../../features/accounts/domain-keys.ts'
import {
  buildDomainDnsRecords,
  formatZoneFileLine,
  type PublishedDomain,
} from '../../features/accounts/domain-records.ts'
import { readPublishedDomain, verifySendingDomain } from '../../features/accounts/domain-verification.ts'
import { addSendingDomain, listAccountDomains, removeSendingDomain } from '../../features/accounts/domains.ts'
import { createMailDnsResolver, DnsUnavailableError } from '../../lib/net/dns.ts'
import { parseDomainName } from '../../lib/net/domain-name.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { parseInstant } from '../../lib/time/period.ts'
import { DAY_MS } from '../../lib/time/spans.ts'
import { endDomainWarmUp, startDomainWarmUp } from '../../sending/shaping/warm-up.ts'
import { inAuditedTransaction } from '../audited-command.ts'
import { type CliCommand, type CommandInvocation, printTable, requireOptionValue, UsageError } from '../usage.ts'
import { withDatabase } from '../with-database.ts'
import { loadVerifiedMasterKeys } from './master-keys.ts'

/** A command and the account it is about. */
interface DomainTask {
  db: Db
  account: number
  invocation: CommandInvocation
}

function requireDomainName(text = ''): string {
  const domain = parseDomainName(text)
  if (domain === undefined) throw new UsageError(`"${text}" is not a domain name.`)
  return domain
}

/** One line of output. */
const printLine = (line: string): boolean => process.stdout.write(`${line}\n`)

/** Until when the record of a retired key must stay. */
function formatRetirementDay(retiredAt: Date): string {
  return new Date(retiredAt.getTime() + RETIRED_DKIM_KEY_DAYS * DAY_MS).toISOString().slice(0, 10)
}

function printDnsRecords(published: PublishedDomain): void {
  for (const record of buildDomainDnsRecords(published)) {
    const { purpose, key } = record
    const isRetired = key?.state === 'retired' && key.retiredAt !== null
    printLine(
      `; ${purpose}${isRetired ? `, of a key that no longer signs: remove after ${formatRetirementDay(key.retiredAt!)}` : ''}`,
    )
    printLine(formatZoneFileLine(record))
  }
}

/** Runs the change that a command makes to a domain, and records it in the audit. */
function runAudited<T>(
  { db, account, invocation }: DomainTask,
  { domain, said: auditDetails = {} }: { domain: string; said?: object },
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const auditObject = { type: 'domain', id: domain, name: domain }
  return inAuditedTransaction(db, work, () => ({
    operation: `domains ${invocation.words[0]}`,
    account,
    object: auditObject,
    said: auditDetails,
  }))
}

/** The domain's records, and what to do with them. */
async function printDomain({ db, account, invocation }: DomainTask, domain: string): Promise<number> {
  const { publicUrl } = invocation.config
  const published = await readPublishedDomain(db, account, domain, publicUrl)
  printDnsRecords(published)
  printLine(
    `; Once these records are published: stentor domains verify ${domain} --account ${requireOptionValue(invocation.options, 'account')}`,
  )
  printLine('; If email is sent through a relay, add the relay to the SPF record.')
  return 0
}

async function addDomain(task: DomainTask): Promise<number> {
  const { db, account, invocation } = task
  const { words, options, config } = invocation
  const domain = requireDomainName(words[1])
  const now = new Date(systemClock.now())
  const verifiedAt = options['verified'] === true ? now : null
  const isDefault = options['default'] === true
  const masterKeys = await loadVerifiedMasterKeys(db, config, now)
  const auditDetails = { default: isDefault, verified: verifiedAt !== null }
  await runAudited(task, { domain, said: auditDetails }, (tx) =>
    addSendingDomain({ db: tx, masterKeys }, account, { domain, isDefault, verifiedAt, now }),
  )
  const statusSuffix = verifiedAt
    ? ''
    : ', but not verified yet: until then, its messages are sent from the default domain'
  printLine(`; Domain ${domain} added${statusSuffix}.`)
  return printDomain(task, domain)
}

async function rotateKeys(task: DomainTask): Promise<number> {
  const { db, account, invocation } = task
  const domain = requireDomainName(invocation.words[1])
  const now = new Date(systemClock.now())
  const masterKeys = await loadVerifiedMasterKeys(db, invocation.config, now)
  await runAudited(task, { domain }, (tx) => rotateDomainKeys(tx, masterKeys, { account, domain, now }))
  printLine(`; New keys created for ${domain}. The previous keys sign until the records of the new ones are found.`)
  return printDomain(task, domain)
}

async function verifyDomain(task: DomainTask): Promise<number> {
  const { account, invocation } = task
  const { words, config } = invocation
  const domain = requireDomainName(words[1])
  const dnsResolver = createMailDnsResolver(config.dnsServers)
  const now = new Date(systemClock.now())
  const { publicUrl } = config
  const { verified, records, tracking } = await runAudited(task, { domain }, (tx) =>
    verifySendingDomain({ db: tx, dns: dnsResolver, publicUrl }, account, domain, now),
  ).catch((error) => {
    if (!(error instanceof DnsUnavailableError)) throw error
    throw new UsageError(`${error.message}. Nothing was changed.`)
  })
  printTable(
    [...records, ...tracking].map(({ purpose, type, name, found: isPublished }) => ({
      purpose,
      type,
      name,
      found: isPublished ? 'yes' : 'NO',
    })),
  )
  printLine(verified ? `${domain} is verified.` : `${domain} is not verified: the DKIM records are required.`)
  return verified ? 0 : 1
}

/** The day a warm-up starts (UTC): the one given, else today. */
function parseStartDay(rawDay: unknown): string {
  if (typeof rawDay !== 'string') return new Date(systemClock.now()).toISOString().slice(0, 10)
  if (!/^\d{4}-\d\d-\d\d$/.test(rawDay) || parseInstant(rawDay) === undefined)
    throw new UsageError(`"${rawDay}" is not a date such as 2027-03-01.`)
  return rawDay
}

async function setWarmUp(task: DomainTask): Promise<number> {
  const { account, invocation } = task
  const { words, options } = invocation
  const domain = requireDomainName(words[1])
  if (options['off'] === true) {
    await runAudited(task, { domain, said: { off: true } }, (tx) => endDomainWarmUp(tx, account, domain))
    printLine(`The warm-up of ${domain} has ended. Its volume is no longer limited.`)
    return 0
  }
  const startDay = parseStartDay(options['from'])
  await runAudited(task, { domain, said: { from: startDay } }, (tx) => startDomainWarmUp(tx, account, domain, startDay))
  printLine(
    `The warm-up of ${domain} begins on ${startDay} (UTC). No messages are sent from it before. Messages over the daily limit wait.`,
  )
  return 0
}

const domainCommands: Readonly<Record<string, (task: DomainTask) => Promise<number>>> = {
  add: addDomain,
  keys: rotateKeys,
  verify: verifyDomain,
  'warm-up': setWarmUp,
  records: (task) => printDomain(task, requireDomainName(task.invocation.words[1])),
  async list({ db, account }) {
    printTable(await listAccountDomains(db, account))
    return 0
  },
  async remove(task) {
    const domain = requireDomainName(task.invocation.words[1])
    await runAudited(task, { domain }, (tx) => removeSendingDomain(tx, task.account, domain))
    printLine('Domain removed.')
    return 0
  },
}

/** `stentor domains add|keys|records|verify|warm-up|list|remove`: the domains an account sends from, and what signs their mail. */
export const domainsCommand: CliCommand = (invocation) => {
  const [commandWord = ''] = invocation.words
  const runCommand = Object.hasOwn(domainCommands, commandWord) ? domainCommands[commandWord] : undefined
  if (!runCommand) throw new UsageError(`Use domains ${Object.keys(domainCommands).join(', ')}.`)
  return withDatabase(invocation.config, async ({ db }) =>
    runCommand({ db, account: await findAccount(db, requireOptionValue(invocation.options, 'account')), invocation }),
  )
}
