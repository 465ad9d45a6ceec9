import { Counter, type Registry } from 'prom-client'
import { createNameLimiter } from '../../../lib/bounded-names.ts'

/**
 * Outcome of a request. `dropped`: the agent belongs to no profile of the account; `ignored`: nothing to do; `unknownNames`: the type is not
 * known; `refused`: not authenticated.
 */
export type RcsHookOutcome = 'stored' | 'handshake' | 'ignored' | 'dropped' | 'unknown' | 'refused'

/** Counts requests to the webhook of RCS. */
export interface RcsHookCounter {
  request(outcome: RcsHookOutcome): void
  /** An event of a type that is not known. */
  unknownEvent(name: string): void
  /** Headers of the far side that are not known. */
  unknownHeaders(headers: Readonly<Record<string, unknown>>): void
}

const MAX_LABEL_VALUES = 50
const MAX_LABEL_LENGTH = 60
const KNOWN_HEADERS: readonly string[] = ['x-goog-signature']
/** Headers of the platform; others are of whatever stands in between. */
const PLATFORM_HEADER = /^x-(goog|google|rbm|rcs)-[a-z0-9-]+$/

/** The metrics of the webhook. Labels hold words of the platform, a limited number of them, and nothing of persons. */
export function registerRcsHookMetrics(registry: Registry): RcsHookCounter {
  const requests = new Counter({
    name: 'stentor_rcs_webhook_requests_total',
    help: 'Requests to the webhook of RCS with a valid token, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const events = new Counter({
    name: 'stentor_rcs_unknown_events_total',
    help: 'Events of the webhook of RCS of a type that is not known, by name',
    labelNames: ['name'],
    registers: [registry],
  })
  const headers = new Counter({
    name: 'stentor_rcs_unknown_headers_total',
    help: 'Headers of requests to the webhook of RCS that are not known, by name',
    labelNames: ['name'],
    registers: [registry],
  })
  const [eventNames, headerNames] = [createNameLimiter(MAX_LABEL_VALUES), createNameLimiter(MAX_LABEL_VALUES)]
  return {
    request: (outcome) => requests.inc({ outcome }),
    unknownEvent: (name) => events.inc({ name: eventNames(name) }),
    unknownHeaders(requestHeaders) {
      const unknownNames = Object.keys(requestHeaders).filter(
        (name) => PLATFORM_HEADER.test(name) && !KNOWN_HEADERS.includes(name),
      )
      for (const name of unknownNames) headers.inc({ name: headerNames(name.slice(0, MAX_LABEL_LENGTH)) })
    },
  }
}
