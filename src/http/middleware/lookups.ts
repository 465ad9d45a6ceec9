import type { FastifyRequest } from 'fastify'
import { Problem } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import { maskFieldValue } from '../../lib/text/masking.ts'
import { createWindowCounter } from '../../lib/time/window-counter.ts'

/** Contacts that a person who sees masked values may look up in a minute by an address, a number or what is made of them. */
const MOST_LOOKUPS = 30
const MINUTE_MS = 60_000

/** Members that name a contact by what is made of its addresses. */
const NAMES = new Set(['unicity', 'hash'])
/** Members with a text that is searched for, which may be an address. */
const TEXTS = new Set(['q', 'query'])

/** Counts the contacts that a value of JSON looks up; `fields`: ids and names of those with addresses. Footprints name theirs by its id. */
function lookupsIn(value: unknown, fields: ReadonlySet<string>): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + lookupsIn(item, fields), 0)
  if (!isJsonObject(value) || value['type'] === 'footprint') return 0
  if (NAMES.has(String(value['type']))) return 1
  const isLookup = (member: string, one: unknown): boolean => {
    if (NAMES.has(member) || fields.has(member)) return typeof one === 'string' || Array.isArray(one)
    return TEXTS.has(member) && typeof one === 'string' && maskFieldValue(one) !== one
  }
  const members = Object.entries(value)
  return members.reduce((sum, [name, one]) => sum + (isLookup(name, one) ? 1 : lookupsIn(one, fields)), 0)
}

/** The parameters of a query that its operation reads. */
function parametersOf({ query, routeOptions }: FastifyRequest): unknown {
  const { properties = {} } = (routeOptions.schema?.querystring ?? {}) as { properties?: object }
  return isJsonObject(query) ? Object.fromEntries(Object.entries(query).filter(([name]) => name in properties)) : {}
}

/**
 * Limits how fast a person who sees masked values can find out by trying whose an address or a number is. Gives what counts the
 * lookups of a request, and throws 429 with Retry-After; `now` in milliseconds. Each process has its own count.
 */
export function createLookupLimiter(): (request: FastifyRequest, now: number) => void {
  const count = createWindowCounter(MOST_LOOKUPS, MINUTE_MS)
  return (request, now) => {
    const { body, masking, person } = request
    if (masking === null || person === null) return
    const lookups = lookupsIn(parametersOf(request), masking.fields) + lookupsIn(body, masking.fields)
    for (let nth = 0; nth < lookups; nth++) {
      const wait = count(person.id, now)
      if (wait <= 0) continue
      const seconds = Math.ceil(wait / 1000)
      const detail = `You may look up ${MOST_LOOKUPS} contacts a minute by address, number or hash; try again in ${seconds} s.`
      throw new Problem(429, 'rate-limit', detail, { headers: { 'retry-after': String(seconds) } })
    }
  }
}
