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
import { inAuditedTransaction } from '../told.ts'
import { type CliCommand, type CommandInvocation, printTable, requireOptionValue, UsageError } from '../usage.ts'
import { withDatabase } from '../with-database.ts'
import { loadVerifiedMasterKeys } from './master-keys.ts'

/** A command and the account it is about. */
interface DomainTask {
  db: Db
  account: number
  invocation: CommandInvocation
}

function readDomain(text = ''): string {
  const domain = parseDomainName(text)
  if (domain === undefined) throw new UsageError(`"${text}" is no domain name.`)
  return domain
}

/** One line of output. */
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

/** Until when the record of a retired key must stay. */
function lastDay(retiredAt: Date): string {
  return new Date(retiredAt.getTime() + RETIRED_DKIM_KEY_DAYS * DAY_MS).toISOString().slice(0, 10)
}

function printRecords(published: PublishedDomain): void {
  for (const record of buildDomainDnsRecords(published)) {
    const { purpose, key } = record
    const isOver = key?.state === 'retired' && key.retiredAt !== null
    say(`; ${purpose}${isOver ? `, of a key that signs no more: to be removed after ${lastDay(key.retiredAt!)}` : ''}`)
    say(formatZoneFileLine(record))
  }
}

/** Runs what a command does to a domain, and tells it. */
function inTold<T>(
  { db, account, invocation }: DomainTask,
  { domain, said = {} }: { domain: string; said?: object },
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const object = { type: 'domain', id: domain, name: domain }
  return inAuditedTransaction(db, work, () => ({ operation: `domains ${invocation.words[0]}`, account, object, said }))
}

/** The domain's records, and what to do with them. */
async function show({ db, account, invocation }: DomainTask, domain: string): Promise<number> {
  const { publicUrl } = invocation.config
  const published = await readPublishedDomain(db, account, domain, publicUrl)
  printRecords(published)
  say(
    `; Once they are published: stentor domains verify ${domain} --account ${requireOptionValue(invocation.options, 'account')}`,
  )
  say('; Mail that leaves through a relay needs the relay in the SPF record.')
  return 0
}

async function add(task: DomainTask): Promise<number> {
  const { db, account, invocation } = task
  const { words, options, config } = invocation
  const domain = readDomain(words[1])
  const now = new Date(systemClock.now())
  const verifiedAt = options['verified'] === true ? now : null
  const isDefault = options['default'] === true
  const masterKeys = await loadVerifiedMasterKeys(db, config, now)
  const said = { default: isDefault, verified: verifiedAt !== null }
  await inTold(task, { domain, said }, (tx) =>
    addSendingDomain({ db: tx, masterKeys }, account, { domain, isDefault, verifiedAt, now }),
  )
  const ending = verifiedAt ? '' : ', not verified: messages from it are sent from the default domain until it is'
  say(`; Domain ${domain} added${ending}.`)
  return show(task, domain)
}

async function rotate(task: DomainTask): Promise<number> {
  const { db, account, invocation } = task
  const domain = readDomain(invocation.words[1])
  const now = new Date(systemClock.now())
  const masterKeys = await loadVerifiedMasterKeys(db, invocation.config, now)
  await inTold(task, { domain }, (tx) => rotateDomainKeys(tx, masterKeys, { account, domain, now }))
  say(`; New keys of ${domain} made. Those before sign until the records of these are found.`)
  return show(task, domain)
}

async function verify(task: DomainTask): Promise<number> {
  const { account, invocation } = task
  const { words, config } = invocation
  const domain = readDomain(words[1])
  const dns = createMailDnsResolver(config.dnsServers)
  const now = new Date(systemClock.now())
  const { publicUrl } = config
  const { verified, records, tracking } = await inTold(task, { domain }, (tx) =>
    verifySendingDomain({ db: tx, dns, publicUrl }, account, domain, now),
  ).catch((error) => {
    if (!(error instanceof DnsUnavailableError)) throw error
    throw new UsageError(`${error.message}. Nothing was changed.`)
  })
  printTable(
    [...records, ...tracking].map(({ purpose, type, name, found }) => ({
      purpose,
      type,
      name,
      found: found ? 'yes' : 'NO',
    })),
  )
  say(verified ? `${domain} is verified.` : `${domain} is not verified: it needs the records of DKIM.`)
  return verified ? 0 : 1
}

/** The day a warm-up starts (UTC): the one given, else today. */
function readDay(given: unknown): string {
  if (typeof given !== 'string') return new Date(systemClock.now()).toISOString().slice(0, 10)
  if (!/^\d{4}-\d\d-\d\d$/.test(given) || parseInstant(given) === undefined)
    throw new UsageError(`"${given}" is no day such as 2027-03-01.`)
  return given
}

async function warmUp(task: DomainTask): Promise<number> {
  const { account, invocation } = task
  const { words, options } = invocation
  const domain = readDomain(words[1])
  if (options['off'] === true) {
    await inTold(task, { domain, said: { off: true } }, (tx) => endDomainWarmUp(tx, account, domain))
    say(`${domain} is warm: it sends as much as there is.`)
    return 0
  }
  const from = readDay(options['from'])
  await inTold(task, { domain, said: { from } }, (tx) => startDomainWarmUp(tx, account, domain, from))
  say(`${domain} warms up from ${from} (UTC) on; nothing leaves from it before. Messages beyond a day's number wait.`)
  return 0
}

const commands: Readonly<Record<string, (task: DomainTask) => Promise<number>>> = {
  add,
  keys: rotate,
  verify,
  'warm-up': warmUp,
  records: (task) => show(task, readDomain(task.invocation.words[1])),
  async list({ db, account }) {
    printTable(await listAccountDomains(db, account))
    return 0
  },
  async remove(task) {
    const domain = readDomain(task.invocation.words[1])
    await inTold(task, { domain }, (tx) => removeSendingDomain(tx, task.account, domain))
    say('Removed.')
    return 0
  },
}

/** `stentor domains add|keys|records|verify|warm-up|list|remove`: the domains an account sends from, and what signs their mail. */
export const domainsCommand: CliCommand = (invocation) => {
  const [word = ''] = invocation.words
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (!command) throw new UsageError(`Say domains ${Object.keys(commands).join(', ')}.`)
  return withDatabase(invocation.config, async ({ db }) =>
    command({ db, account: await findAccount(db, requireOptionValue(invocation.options, 'account')), invocation }),
  )
}
