import { LRUCache } from 'lru-cache'
import { DnsUnavailableError, type MailDnsResolver } from '../../lib/net/dns.ts'
import { type OutboundPolicy, sendOutboundRequest } from '../../lib/net/guarded-client.ts'
import { isStillWaiting } from '../../lib/time/clock.ts'

/** The MTA-STS policy of a domain (RFC 8461, 3.2). */
export interface MtaStsPolicy {
  mode: 'enforce' | 'testing' | 'none'
  /** Names of hosts; `*.` stands for one label. */
  mx: readonly string[]
  maxAgeSeconds: number
}

const MAX_AGE_SECONDS = 31_557_600
const POLICY_MODES = ['enforce', 'testing', 'none'] as const

/** Returns the id in the single TXT record of `_mta-sts` (RFC 8461, 3.1); `undefined` if there is no record, or more than one. */
export function findMtaStsPolicyId(records: readonly string[]): string | undefined {
  const policyRecords = records.filter((record) => /^v=STSv1\s*;/.test(record))
  if (policyRecords.length !== 1) return undefined
  return /;\s*id\s*=\s*([A-Za-z0-9]{1,32})\s*(?:;|$)/.exec(policyRecords[0] ?? '')?.[1]
}

/** Reads the text of a policy; undefined when it is invalid. */
export function parseMtaStsPolicy(text: string): MtaStsPolicy | undefined {
  const values = new Map<string, string[]>()
  for (const line of text.split(/\r?\n/)) {
    const [, key, value] = /^([A-Za-z0-9][\w.-]{0,31}):(.*)$/s.exec(line) ?? []
    if (key !== undefined && value !== undefined) values.set(key, [...(values.get(key) ?? []), value.trim()])
  }
  const mode = POLICY_MODES.find((candidateMode) => candidateMode === values.get('mode')?.[0])
  const maxAge = values.get('max_age')?.[0] ?? ''
  const mxPatterns = (values.get('mx') ?? []).map((name) => name.toLowerCase().replace(/\.$/, ''))
  if (values.get('version')?.[0] !== 'STSv1' || mode === undefined || !/^\d{1,10}$/.test(maxAge)) return undefined
  if (mode !== 'none' && mxPatterns.length === 0) return undefined
  return { mode, mx: mxPatterns, maxAgeSeconds: Math.min(Number(maxAge), MAX_AGE_SECONDS) }
}

/** Returns true if a policy names this host (RFC 8461, 4.1). */
export function isHostAllowedByPolicy({ mx: mxPatterns }: Pick<MtaStsPolicy, 'mx'>, host: string): boolean {
  const name = host.toLowerCase()
  const parentDomain = name.slice(name.indexOf('.') + 1)
  return mxPatterns.some((pattern) => (pattern.startsWith('*.') ? parentDomain === pattern.slice(2) : pattern === name))
}

/** Fetches the text of a domain's policy. Throws when that fails. */
export type MtaStsPolicyFetcher = (domain: string) => Promise<string>

const FETCH_TIMEOUT_MS = 10_000
const MAX_POLICY_BYTES = 64 * 1024

/** Fetches from the host that RFC 8461 (3.3) names: valid certificate, no redirects, plain text. */
export function createMtaStsFetcher(reach: OutboundPolicy): MtaStsPolicyFetcher {
  return async (domain) => {
    const url = `https://mta-sts.${domain}/.well-known/mta-sts.txt`
    const answer = await sendOutboundRequest(
      { url, method: 'GET', timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_POLICY_BYTES },
      reach,
    )
    const isText = /^text\/plain\b/i.test(answer.headers['content-type'] ?? '')
    if (answer.status !== 200 || !isText) throw new Error(`${url} answers ${answer.status}`)
    return answer.body.toString()
  }
}

interface CachedPolicy {
  id: string
  policy: MtaStsPolicy
  until: number
}

const MAX_POLICIES = 10_000
/** Delay before a policy that could not be fetched is retried. */
const FETCH_RETRY_MS = 5 * 60_000

/** Finds the currently valid policy of a domain; `undefined` if it does not have one. */
export type MtaStsPolicyFinder = (domain: string, now: number) => Promise<MtaStsPolicy | undefined>

/**
 * Caches policies for their max_age, and fetches them again when the id in the DNS changes. A cached one stays valid
 * when the new one cannot be fetched (RFC 8461, 5.1).
 */
export function createMtaStsPolicyFinder(
  dns: Pick<MailDnsResolver, 'txt'>,
  fetchPolicy: MtaStsPolicyFetcher,
): MtaStsPolicyFinder {
  const cachedPolicies = new LRUCache<string, CachedPolicy>({ max: MAX_POLICIES })
  const failedAt = new LRUCache<string, number>({ max: MAX_POLICIES })

  async function renewPolicy(domain: string, id: string, now: number): Promise<void> {
    const lastFailure = failedAt.get(domain)
    if (lastFailure !== undefined && isStillWaiting(lastFailure + FETCH_RETRY_MS, { now, longestMs: FETCH_RETRY_MS }))
      return
    const policy = await fetchPolicy(domain).then(parseMtaStsPolicy, () => undefined)
    if (policy === undefined) failedAt.set(domain, now)
    else cachedPolicies.set(domain, { id, policy, until: now + policy.maxAgeSeconds * 1000 })
  }

  return async (domain, now) => {
    const records = await dns.txt(`_mta-sts.${domain}`).catch((error) => {
      if (error instanceof DnsUnavailableError) return []
      throw error
    })
    const id = findMtaStsPolicyId(records)
    const previousPolicy = cachedPolicies.get(domain)
    if (id !== undefined && (previousPolicy?.id !== id || previousPolicy.until <= now))
      await renewPolicy(domain, id, now)
    const currentPolicy = cachedPolicies.get(domain)
    return currentPolicy && currentPolicy.until > now ? currentPolicy.policy : undefined
  }
}
