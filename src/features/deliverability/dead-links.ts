import {
  type Answer,
  BrokenRedirect,
  callOutside,
  NoAnswer,
  type Reach,
  RefusedAddress,
} from '../../lib/guarded-client.ts'
import type { FlawShown } from '../rendering/flaw-schemas.ts'
import { FLAW_LIMIT } from '../rendering/flaws.ts'
import type { WrittenLink } from './written-links.ts'

/** How long one address is waited for, and how many are asked at once: all of them take under a minute. */
const PATIENCE_MS = 5000
const AT_ONCE = 10
const MOST_REDIRECTS = 5
const AGENT = 'Mozilla/5.0 (compatible; Stentor link check)'

/** What a server says of an address that leads nowhere; one that only refuses a program, as 403 does, may lead people on. */
function isDead({ status }: Answer): boolean {
  return status === 404 || status === 410 || (status >= 500 && status !== 501)
}

/** Why nobody will answer there; undefined when that cannot be told from here. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof BrokenRedirect) return 'it leads on to what is no address'
  if ('code' in error && error.code === 'ENOTFOUND') return 'its host does not exist'
  if ('code' in error && error.code === 'ECONNREFUSED') return 'its host refuses the connection'
  return reasonOf(error.cause)
}

/** Why an address is dead; undefined when it is not, or must not be called. */
async function faultOf(url: string, reach: Reach): Promise<string | undefined> {
  const request = { url, timeoutMs: PATIENCE_MS, maxBytes: 0, redirects: MOST_REDIRECTS }
  try {
    const answer = await callOutside({ ...request, method: 'HEAD', headers: { 'user-agent': AGENT } }, reach)
    return isDead(answer) ? `it answers ${answer.status}` : undefined
  } catch (error) {
    if (error instanceof RefusedAddress) return undefined
    if (error instanceof NoAnswer) return reasonOf(error)
    throw error
  }
}

/**
 * Asks for the targets of links that are the same for every message, each once, and tells of those that lead nowhere
 * (rendering.md section 3, `dead-link`), where they stand first. At most the first hundred are asked.
 */
export async function findDeadLinks(links: readonly WrittenLink[], reach: Reach): Promise<FlawShown[]> {
  const firsts = new Map<string, WrittenLink>()
  for (const link of links) if (link.isFixed && !firsts.has(link.address)) firsts.set(link.address, link)
  const targets = [...firsts.values()].slice(0, FLAW_LIMIT)
  const findings: FlawShown[] = []
  for (let start = 0; start < targets.length; start += AT_ONCE) {
    const some = targets.slice(start, start + AT_ONCE)
    const faults = await Promise.all(some.map(({ address }) => faultOf(address, reach)))
    for (const [n, { address, part, position }] of some.entries()) {
      if (faults[n] === undefined) continue
      const message = `The link to ${address.slice(0, 200)} leads nowhere: ${faults[n]}.`
      findings.push({ type: 'dead-link', message, part, position: position() })
    }
  }
  return findings
}
