import type { FastifyRequest } from 'fastify'
import { Problem } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { maskFieldValue } from '../../lib/text/masking.ts'
import { formatCount } from '../../lib/text/nouns.ts'
import { createWindowCounter } from '../../lib/time/window-counter.ts'

/** Contacts that a person who sees masked values may look up in a minute by an address, a number or what is made of them. */
const MAX_LOOKUPS_PER_MINUTE = 30
const MINUTE_MS = 60_000

/** Members that name a contact by what is made of its addresses. */
const ADDRESS_MEMBERS = new Set(['unicity', 'hash'])
/** Members with a text that is searched for, which may be an address. */
const SEARCH_MEMBERS = new Set(['q', 'query'])

/** Counts the contacts that a value of JSON looks up; `fields`: ids and names of those with addresses. Footprints name theirs by its id. */
function countLookups(value: unknown, fields: ReadonlySet<string>): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countLookups(item, fields), 0)
  if (!isJsonObject(value) || value['type'] === 'footprint') return 0
  if (ADDRESS_MEMBERS.has(String(value['type']))) return 1
  const isLookup = (member: string, memberValue: unknown): boolean => {
    if (ADDRESS_MEMBERS.has(member) || fields.has(member))
      return typeof memberValue === 'string' || Array.isArray(memberValue)
    return SEARCH_MEMBERS.has(member) && typeof memberValue === 'string' && maskFieldValue(memberValue) !== memberValue
  }
  const members = Object.entries(value)
  return members.reduce(
    (sum, [name, memberValue]) => sum + (isLookup(name, memberValue) ? 1 : countLookups(memberValue, fields)),
    0,
  )
}

/** The parameters of a query that its operation reads. */
function pickQueryParameters({ query, routeOptions }: FastifyRequest): unknown {
  const { properties = {} } = (routeOptions.schema?.querystring ?? {}) as { properties?: object }
  return isJsonObject(query) ? Object.fromEntries(Object.entries(query).filter(([name]) => name in properties)) : {}
}

/**
 * Limits how fast a person who sees masked values can find out by trying whose an address or a number is. Gives what counts the
 * lookups of a request, and throws 429 with Retry-After; `now` in milliseconds. Each process has its own count.
 */
export function createLookupLimiter(): (request: FastifyRequest, now: number) => void {
  const count = createWindowCounter(MAX_LOOKUPS_PER_MINUTE, MINUTE_MS)
  return (request, now) => {
    const { body, masking, person } = request
    if (masking === null || person === null) return
    const lookupCount = countLookups(pickQueryParameters(request), masking.fields) + countLookups(body, masking.fields)
    for (let nthLookup = 0; nthLookup < lookupCount; nthLookup++) {
      const waitMs = count(person.id, now)
      if (waitMs <= 0) continue
      const waitSeconds = Math.ceil(waitMs / 1000)
      const detail = `You can look up at most ${MAX_LOOKUPS_PER_MINUTE} contacts per minute by address, number or hash. Try again in ${formatCount(waitSeconds, 'second')}.`
      throw new Problem(429, 'rate-limit', detail, { headers: { 'retry-after': String(waitSeconds) } })
    }
  }
}
