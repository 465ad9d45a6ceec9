import {
  BrokenRedirectError,
  NoAnswerError,
  type OutboundAnswer,
  type OutboundPolicy,
  RefusedAddressError,
  sendOutboundRequest,
} from '../../lib/net/guarded-client.ts'
import type { ReportedFlaw } from '../rendering/flaw-schemas.ts'
import { MAX_REPORTED_FLAWS } from '../rendering/flaws.ts'
import type { ContentLink } from './written-links.ts'

/** Time for one address, and concurrent requests: all of them take under a minute. */
const TIMEOUT_MS = 5000
const CONCURRENCY = 10
const MAX_REDIRECTS = 5
const USER_AGENT = 'Mozilla/5.0 (compatible; Stentor link check)'

/** Whether an answer shows that an address is dead; a refusal such as 403 may be for programs only. */
function isDead({ status }: OutboundAnswer): boolean {
  return status === 404 || status === 410 || (status >= 500 && status !== 501)
}

/** Why an address cannot be reached by anybody; undefined when that is not certain. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof BrokenRedirectError) return 'it leads on to what is no address'
  if ('code' in error && error.code === 'ENOTFOUND') return 'its host does not exist'
  if ('code' in error && error.code === 'ECONNREFUSED') return 'its host refuses the connection'
  return reasonOf(error.cause)
}

/** Why an address is dead; undefined when it is not, or must not be called. */
async function faultOf(url: string, reach: OutboundPolicy): Promise<string | undefined> {
  const request = { url, timeoutMs: TIMEOUT_MS, maxBytes: 0, redirects: MAX_REDIRECTS }
  try {
    const answer = await sendOutboundRequest(
      { ...request, method: 'HEAD', headers: { 'user-agent': USER_AGENT } },
      reach,
    )
    return isDead(answer) ? `it answers ${answer.status}` : undefined
  } catch (error) {
    if (error instanceof RefusedAddressError) return undefined
    if (error instanceof NoAnswerError) return reasonOf(error)
    throw error
  }
}

/**
 * Requests the targets of links that are the same for every message, each once, and reports the dead ones
 * (rendering.md section 3, `dead-link`) at their first position. At most the first hundred are requested.
 */
export async function findDeadLinks(links: readonly ContentLink[], reach: OutboundPolicy): Promise<ReportedFlaw[]> {
  const firsts = new Map<string, ContentLink>()
  for (const link of links) if (link.isFixed && !firsts.has(link.address)) firsts.set(link.address, link)
  const targets = [...firsts.values()].slice(0, MAX_REPORTED_FLAWS)
  const findings: ReportedFlaw[] = []
  for (let start = 0; start < targets.length; start += CONCURRENCY) {
    const some = targets.slice(start, start + CONCURRENCY)
    const faults = await Promise.all(some.map(({ address }) => faultOf(address, reach)))
    for (const [n, { address, part, position }] of some.entries()) {
      if (faults[n] === undefined) continue
      const message = `The link to ${address.slice(0, 200)} leads nowhere: ${faults[n]}.`
      findings.push({ type: 'dead-link', message, part, position: position() })
    }
  }
  return findings
}
