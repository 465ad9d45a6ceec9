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
const REQUEST_TIMEOUT_MS = 5000
const CONCURRENCY = 10
const MAX_REDIRECTS = 5
const USER_AGENT = 'Mozilla/5.0 (compatible; Stentor link check)'

/** True if an answer shows that an address is dead. A refusal such as 403 may apply to programs only. */
function isDeadAnswer({ status }: OutboundAnswer): boolean {
  return status === 404 || status === 410 || (status >= 500 && status !== 501)
}

/** Why an address cannot be reached by anybody; undefined when that is not certain. */
function describeUnreachable(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof BrokenRedirectError) return 'it redirects to an invalid address'
  if ('code' in error && error.code === 'ENOTFOUND') return 'its host does not exist'
  if ('code' in error && error.code === 'ECONNREFUSED') return 'its host refuses the connection'
  return describeUnreachable(error.cause)
}

/** Why an address is dead; undefined when it is not, or must not be called. */
async function findLinkFault(url: string, reach: OutboundPolicy): Promise<string | undefined> {
  const requestOptions = { url, timeoutMs: REQUEST_TIMEOUT_MS, maxBytes: 0, redirects: MAX_REDIRECTS }
  try {
    const response = await sendOutboundRequest(
      { ...requestOptions, method: 'HEAD', headers: { 'user-agent': USER_AGENT } },
      reach,
    )
    return isDeadAnswer(response) ? `it returns ${response.status}` : undefined
  } catch (error) {
    if (error instanceof RefusedAddressError) return undefined
    if (error instanceof NoAnswerError) return describeUnreachable(error)
    throw error
  }
}

/**
 * Requests the targets of links that are the same for every message, each once, and reports the dead ones (flaw `dead-link`) at their
 * first position. At most the first hundred are requested.
 */
export async function findDeadLinks(links: readonly ContentLink[], reach: OutboundPolicy): Promise<ReportedFlaw[]> {
  const firstLinks = new Map<string, ContentLink>()
  for (const contentLink of links)
    if (contentLink.isFixed && !firstLinks.has(contentLink.address)) firstLinks.set(contentLink.address, contentLink)
  const uniqueTargets = [...firstLinks.values()].slice(0, MAX_REPORTED_FLAWS)
  const findings: ReportedFlaw[] = []
  for (let batchStart = 0; batchStart < uniqueTargets.length; batchStart += CONCURRENCY) {
    const batch = uniqueTargets.slice(batchStart, batchStart + CONCURRENCY)
    const faults = await Promise.all(batch.map(({ address }) => findLinkFault(address, reach)))
    for (const [index, { address, part, position }] of batch.entries()) {
      if (faults[index] === undefined) continue
      const message = `The link to ${address.slice(0, 200)} does not work: ${faults[index]}.`
      findings.push({ type: 'dead-link', message, part, position: position() })
    }
  }
  return findings
}
