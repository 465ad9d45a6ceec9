import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'
import { isCalendarDate } from '../../text/days.ts'

const APPROVAL_STATES = ['waiting', 'approved', 'refused', 'stale'] as const

export interface ApprovalSearch {
  state?: (typeof APPROVAL_STATES)[number]
  /** Object to request approval for: `action:000AB1`; `any` if the user chooses it. */
  ask?: string
}

const OBJECT_PATTERN = /^(any|(action|rcs|notification|workflow):[\w-]{1,40})$/

const approvalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/approvals',
  validateSearch: ({ state, ask }: Record<string, unknown>): ApprovalSearch => {
    const knownState = APPROVAL_STATES.find((candidate) => candidate === state)
    return {
      ...(knownState !== undefined && { state: knownState }),
      ...(typeof ask === 'string' && OBJECT_PATTERN.test(ask) && { ask }),
    }
  },
  component: lazyRouteComponent(() => import('./ApprovalsPage.tsx'), 'ApprovalsPage'),
})

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

function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  return Object.fromEntries(
    AUDIT_FILTERS.filter((name) => FILTER_TESTS[name](search[name])).map((name) => [name, search[name]]),
  )
}

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/audit',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(() => import('./AuditPage.tsx'), 'AuditPage'),
})

export const reviewPageRoutes = [approvalsRoute, auditRoute] as const
