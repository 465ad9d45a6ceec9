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

/** Time limit for all DNS queries together, whatever the number of name servers. */
const DNS_TIMEOUT_MS = 10_000

/** The domains in a message and the keys that sign it. */
export interface MailSigningDomains {
  /** Domain of From, in A-labels. */
  from: string
  /** Domain of the return path, which SPF covers (RFC 7208, 2.4). */
  bounce: string
  /** Those of the From domain that sign now. */
  keys: readonly DkimDomainKey[]
}

/** A record that was looked for. */
type CheckedDnsRecord = DomainDnsRecord & { found: boolean }

/** Published records of a message's domains; `undefined` if no name server answered. */
interface PublishedDnsRecords extends MailSigningDomains {
  spf: readonly CheckedDnsRecord[] | undefined
  dkim: readonly CheckedDnsRecord[] | undefined
  /** null: no policy is published. */
  policy: DmarcPolicy | null | undefined
}

/** The answer to a question; undefined when none comes, or not in time. */
async function resolveOrTimeout<T>(question: Promise<T>, timeoutPromise: Promise<undefined>): Promise<T | undefined> {
  try {
    return await Promise.race([question, timeoutPromise])
  } catch (error) {
    if (error instanceof DnsUnavailableError) return undefined
    throw error
  }
}

async function lookUpDomains(
  dns: DnsResolver,
  envelope: MailSigningDomains,
  timeoutMs: number,
): Promise<PublishedDnsRecords> {
  const { from, bounce, keys } = envelope
  const records = buildDomainDnsRecords({ domain: from, keys, bounceDomains: [bounce], host: '' })
  const findRecords = (recordPurpose: DomainDnsRecord['purpose']) =>
    findDomainDnsRecords(
      dns,
      records.filter(({ purpose }) => purpose === recordPurpose),
    )
  const abortController = new AbortController()
  const timeoutPromise = delay(timeoutMs, undefined, { signal: abortController.signal }).catch(() => undefined)
  try {
    const [spf, dkim, policy] = await Promise.all([
      resolveOrTimeout(findRecords('SPF'), timeoutPromise),
      resolveOrTimeout(findRecords('DKIM'), timeoutPromise),
      resolveOrTimeout(findDmarcPolicy(dns, from), timeoutPromise),
    ])
    return { ...envelope, spf, dkim, policy }
  } finally {
    abortController.abort()
  }
}

const isRecordFound = ({ found: isPublished }: CheckedDnsRecord): boolean => isPublished

/**
 * Returns true if SPF covers the From domain. Relaxed alignment requires the same organisational domain, strict alignment the same name
 * (RFC 7489, 3.1.2).
 */
function isSpfAligned({ from, bounce, policy }: PublishedDnsRecords): boolean {
  return policy?.isStrictSpf ? from === bounce : organisationalDomain(from) === organisationalDomain(bounce)
}

/** One thing that Gmail and Yahoo ask of a sender's domains. */
interface DomainCheck {
  type: string
  /** Returns the text of the finding; `undefined` if there is no finding, or if it cannot be determined. */
  object: (published: PublishedDnsRecords) => string | undefined
}

const senderDomainChecks: readonly DomainCheck[] = [
  {
    type: 'dns-away',
    object({ from, bounce, spf, dkim, policy }) {
      const uncheckedRecords = [
        spf ?? `SPF of ${bounce}`,
        dkim ?? `DKIM of ${from}`,
        policy === undefined && `DMARC of ${from}`,
      ]
      const uncheckedNames = uncheckedRecords.filter((name) => typeof name === 'string')
      return uncheckedNames.length === 0
        ? undefined
        : `The name servers did not respond, so ${uncheckedNames.join(', ')} could not be checked.`
    },
  },
  {
    type: 'no-spf',
    object: ({ bounce, spf }) =>
      spf === undefined || spf.every(isRecordFound)
        ? undefined
        : `${bounce}, the domain of the return path, does not publish exactly one SPF record.`,
  },
  {
    type: 'no-dkim',
    object({ from, keys, dkim }) {
      if (keys.length === 0) return `The domain ${from} has no keys, so its messages are not signed.`
      const missingNames = dkim?.filter(({ found: isPublished }) => !isPublished).map(({ name }) => name) ?? []
      return missingNames.length === 0
        ? undefined
        : `The DKIM record of a key is not published: ${missingNames.join(', ')}.`
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
      const isSigned = dkim.some(({ key, found: isPublished }) => isPublished && key?.algorithm === 'rsa-sha256')
      if (isSigned || (spf.every(isRecordFound) && isSpfAligned(published))) return undefined
      return `Neither a DKIM signature nor SPF of ${bounce} is aligned with ${from}. Receivers that enforce DMARC refuse the message.`
    },
  },
]

/** Looks the domains of a message up and says what is missing. Never fails: where no server answers, that is a finding. */
export async function checkMailDomains(
  dns: DnsResolver,
  envelope: MailSigningDomains,
  timeoutMs: number = DNS_TIMEOUT_MS,
): Promise<ReportedFlaw[]> {
  const published = await lookUpDomains(dns, envelope, timeoutMs)
  return senderDomainChecks.flatMap(({ type, object }) => {
    const message = object(published)
    return message === undefined ? [] : [{ type, message, part: 'from', position: null }]
  })
}
