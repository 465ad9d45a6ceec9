import { setTimeout as delay } from 'node:timers/promises'
import {
  type DmarcPolicy,
  dmarcPolicyNames,
  findDmarcPolicy,
  organisationalDomain,
} from '../../../features/accounts/dmarc.ts'
import type { DkimDomainKey } from '../../../features/accounts/domain-keys.ts'
import {
  buildDomainDnsRecords,
  type DomainDnsRecord,
  findDomainDnsRecords,
} from '../../../features/accounts/domain-records.ts'
import type { ReportedFlaw } from '../../../features/rendering/flaw-schemas.ts'
import { type DnsResolver, DnsUnavailableError } from '../../../lib/net/dns.ts'

/** How long all questions may take together, whatever the number of name servers. */
const TIMEOUT_MS = 10_000

/** Which domains a message names, and who signs it. */
export interface MailSigningDomains {
  /** Of From, in A-labels. */
  from: string
  /** Of the return path: what SPF covers (RFC 7208, 2.4). */
  bounce: string
  /** Those of the From domain that sign now. */
  keys: readonly DkimDomainKey[]
}

/** A record that was looked for. */
type Found = DomainDnsRecord & { found: boolean }

/** What is published of a message's domains; undefined where no name server said. */
interface Published extends MailSigningDomains {
  spf: readonly Found[] | undefined
  dkim: readonly Found[] | undefined
  /** null: there is none. */
  policy: DmarcPolicy | null | undefined
}

/** The answer to a question; undefined when none comes, or not in time. */
async function answerTo<T>(question: Promise<T>, late: Promise<undefined>): Promise<T | undefined> {
  try {
    return await Promise.race([question, late])
  } catch (error) {
    if (error instanceof DnsUnavailableError) return undefined
    throw error
  }
}

async function lookUp(dns: DnsResolver, envelope: MailSigningDomains, timeoutMs: number): Promise<Published> {
  const { from, bounce, keys } = envelope
  const records = buildDomainDnsRecords({ domain: from, keys, bounceDomains: [bounce], host: '' })
  const of = (wanted: DomainDnsRecord['purpose']) =>
    findDomainDnsRecords(
      dns,
      records.filter(({ purpose }) => purpose === wanted),
    )
  const done = new AbortController()
  const late = delay(timeoutMs, undefined, { signal: done.signal }).catch(() => undefined)
  try {
    const [spf, dkim, policy] = await Promise.all([
      answerTo(of('SPF'), late),
      answerTo(of('DKIM'), late),
      answerTo(findDmarcPolicy(dns, from), late),
    ])
    return { ...envelope, spf, dkim, policy }
  } finally {
    done.abort()
  }
}

const isFound = ({ found }: Found): boolean => found

/** Whether SPF covers the From domain: relaxed alignment asks for one organisation, strict for one name (3.1.2). */
function isSpfAligned({ from, bounce, policy }: Published): boolean {
  return policy?.isStrictSpf ? from === bounce : organisationalDomain(from) === organisationalDomain(bounce)
}

/** One thing that Gmail and Yahoo ask of a sender's domains. */
interface DomainCheck {
  type: string
  /** The words of the finding; undefined when there is none, or when it cannot be known. */
  object: (published: Published) => string | undefined
}

const domainChecks: readonly DomainCheck[] = [
  {
    type: 'dns-away',
    object({ from, bounce, spf, dkim, policy }) {
      const unknown = [spf ?? `SPF of ${bounce}`, dkim ?? `DKIM of ${from}`, policy === undefined && `DMARC of ${from}`]
      const names = unknown.filter((name) => typeof name === 'string')
      return names.length === 0 ? undefined : `No name server answers: ${names.join(', ')} could not be checked.`
    },
  },
  {
    type: 'no-spf',
    object: ({ bounce, spf }) =>
      spf === undefined || spf.every(isFound)
        ? undefined
        : `${bounce}, the domain of the return path, does not publish exactly one SPF record.`,
  },
  {
    type: 'no-dkim',
    object({ from, keys, dkim }) {
      if (keys.length === 0) return `The domain ${from} has no keys: its messages are not signed.`
      const missing = dkim?.filter(({ found }) => !found).map(({ name }) => name) ?? []
      return missing.length === 0 ? undefined : `The DKIM record of a key is not published: ${missing.join(', ')}.`
    },
  },
  {
    type: 'no-dmarc',
    object: ({ from, policy }) =>
      policy === null
        ? `No valid DMARC policy, or more than one, is published at ${dmarcPolicyNames(from).join(' or ')}.`
        : undefined,
  },
  {
    type: 'not-aligned',
    object(published) {
      const { from, bounce, spf, dkim, policy } = published
      if (spf === undefined || dkim === undefined || policy === undefined) return undefined
      // Gmail verifies signatures of RSA; the domain of a signature is always that of From.
      const isSigned = dkim.some(({ key, found }) => found && key?.algorithm === 'rsa-sha256')
      if (isSigned || (spf.every(isFound) && isSpfAligned(published))) return undefined
      return `Neither a signature nor SPF of ${bounce} speaks for ${from}: receivers that ask for DMARC refuse the message.`
    },
  },
]

/** Looks the domains of a message up and says what is missing. Never fails: where no server answers, that is a finding. */
export async function checkMailDomains(
  dns: DnsResolver,
  envelope: MailSigningDomains,
  timeoutMs: number = TIMEOUT_MS,
): Promise<ReportedFlaw[]> {
  const published = await lookUp(dns, envelope, timeoutMs)
  return domainChecks.flatMap(({ type, object }) => {
    const message = object(published)
    return message === undefined ? [] : [{ type, message, part: 'from', position: null }]
  })
}
