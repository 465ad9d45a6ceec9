import { isCalendarDate } from '../../text/days.ts'

export const APPROVAL_STATES = ['waiting', 'approved', 'refused', 'stale'] as const

export interface ApprovalSearch {
  state?: (typeof APPROVAL_STATES)[number]
  /** Object to request approval for: `action:000AB1`; `any` if the user chooses it. */
  ask?: string
}

/** Filters of the audit, in the address. */
export interface AuditSearch {
  who?: string
  operation?: string
  object?: string
  /** Days of the account's zone, both included. */
  start?: string
  end?: string
}

const isShortText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const matchPattern = (pattern: RegExp) => (value: unknown) => isShortText(value) && pattern.test(value)

/** Values that the API accepts: any other text in the address is ignored. */
const FILTER_TESTS: Record<keyof AuditSearch, (value: unknown) => boolean> = {
  who: matchPattern(/^((person|key)(:[0-9A-Za-z-]{1,64})?|system|command)$/),
  operation: matchPattern(/^.{1,300}$/),
  object: matchPattern(/^[a-z][a-z-]{0,40}(:.{1,200})?$/),
  start: isCalendarDate,
  end: isCalendarDate,
}

export const AUDIT_FILTERS = Object.keys(FILTER_TESTS) as (keyof AuditSearch)[]

/** The filters of an address that the API accepts. */
export function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  return Object.fromEntries(
    AUDIT_FILTERS.filter((name) => FILTER_TESTS[name](search[name])).map((name) => [name, search[name]]),
  )
}
