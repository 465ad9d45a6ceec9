import { type BlockList, isIP } from 'node:net'
import type { EarlyHitClass, HitClassification } from '../record/new-event.ts'
import type { RobotPatterns } from '../robots/robots.ts'
import { normalizeIpAddress } from './address.ts'

/** Traits of the client that a request reveals. */
export interface HitEvidence {
  /** The kind of link, as in `hits/open`. */
  type: 'open' | 'redirection' | 'mirror' | 'form' | 'unsubscribe'
  method: string
  address: string | null
  userAgent: string | null
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The hidden field of a form was filled in. */
  honeypotFilled?: boolean
}

/** The class by the request alone, null for human; and what it becomes when it comes too soon after the activation. */
export interface HitVerdict {
  classification: HitClassification | null
  early: EarlyHitClass | null
}

/** Apple's relay, and others that fetch for every reader, show this and nothing more. */
const BARE_AGENT = 'Mozilla/5.0'
const PREFETCH_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz']
const PREFETCH_PATTERN = /prefetch|preview|prerender/i

/** Google's image proxy fetches once at delivery, and again when a person looks. */
const earlyProxyHit: EarlyHitClass = { withinMs: 5000, classification: 'gsr' }
/** No person follows a link this soon. */
const earlyHit: EarlyHitClass = { withinMs: 1000, classification: 'genericrobot' }

function isAddressInRanges(ranges: BlockList, address: string | null): boolean {
  const plainAddress = normalizeIpAddress(address)
  return plainAddress !== null && ranges.check(plainAddress, isIP(plainAddress) === 4 ? 'ipv4' : 'ipv6')
}

function isPrefetchRequest(headers: HitEvidence['headers']): boolean {
  return PREFETCH_HEADERS.some((name) => PREFETCH_PATTERN.test(String(headers[name] ?? '')))
}

interface ClassificationRule {
  classification: HitClassification
  applies: (hit: HitEvidence, robots: RobotPatterns) => boolean
}

/** The evidence that one request is enough for; the first that applies decides. */
const classificationRules: readonly ClassificationRule[] = [
  {
    classification: 'mpp',
    applies: (hit, robots) => hit.type === 'open' && isAddressInRanges(robots.mailPrivacyRanges, hit.address),
  },
  { classification: 'mpp', applies: (hit) => hit.type === 'open' && hit.userAgent?.trim() === BARE_AGENT },
  {
    classification: 'gsr',
    applies: (hit, robots) =>
      isAddressInRanges(robots.googleRanges, hit.address) && !robots.imageProxies.test(hit.userAgent ?? ''),
  },
  { classification: 'genericrobot', applies: (hit) => hit.method.toUpperCase() === 'HEAD' },
  { classification: 'genericrobot', applies: (hit) => (hit.userAgent ?? '').trim() === '' },
  { classification: 'genericrobot', applies: (hit, robots) => robots.agents.test(hit.userAgent ?? '') },
  { classification: 'genericrobot', applies: (hit, robots) => isAddressInRanges(robots.machineRanges, hit.address) },
  { classification: 'genericrobot', applies: (hit) => isPrefetchRequest(hit.headers) },
  { classification: 'genericrobot', applies: (hit) => hit.honeypotFilled === true },
]

/**
 * Judges a hit by its own request. What needs the activation's time or other hits is left to `appendEvents` (too soon,
 * a honeypot followed before) and to `settleHits` (bursts). A confirmed unsubscribe is never a robot's.
 */
export function classifyHit(robots: RobotPatterns, hit: HitEvidence): HitVerdict {
  if (hit.type === 'unsubscribe') return { classification: null, early: null }
  const matchingRule = classificationRules.find(({ applies }) => applies(hit, robots))
  if (matchingRule) return { classification: matchingRule.classification, early: null }
  const isProxied = robots.imageProxies.test(hit.userAgent ?? '')
  return { classification: null, early: isProxied ? earlyProxyHit : earlyHit }
}
