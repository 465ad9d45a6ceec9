import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'
import { isCalendarDate } from '../../text/days.ts'

const STATES = ['waiting', 'approved', 'refused', 'stale'] as const

export interface ApprovalSearch {
  state?: (typeof STATES)[number]
  /** What approval is asked for: `action:000AB1`; `any` where the person chooses. */
  ask?: string
}

const ASKED = /^(any|(action|rcs|notification|workflow):[\w-]{1,40})$/

const approvals = createRoute({
  getParentRoute: () => rootRoute,
  path: '/approvals',
  validateSearch: ({ state, ask }: Record<string, unknown>): ApprovalSearch => {
    const known = STATES.find((one) => one === state)
    return {
      ...(known !== undefined && { state: known }),
      ...(typeof ask === 'string' && ASKED.test(ask) && { ask }),
    }
  },
  component: lazyRouteComponent(() => import('./ApprovalsPage.tsx'), 'ApprovalsPage'),
})

/** What the audit is narrowed to, in the address. */
export interface AuditSearch {
  who?: string
  operation?: string
  object?: string
  /** Days of the account's zone, both included. */
  start?: string
  end?: string
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const matches = (pattern: RegExp) => (value: unknown) => isText(value) && pattern.test(value)

/** What the interface takes: another text in the address narrows nothing. */
const READABLE: Record<keyof AuditSearch, (value: unknown) => boolean> = {
  who: matches(/^((person|key)(:[0-9A-Za-z-]{1,64})?|system|command)$/),
  operation: matches(/^.{1,300}$/),
  object: matches(/^[a-z][a-z-]{0,40}(:.{1,200})?$/),
  start: isCalendarDate,
  end: isCalendarDate,
}

export const AUDIT_FILTERS = Object.keys(READABLE) as (keyof AuditSearch)[]

function readAudit(search: Record<string, unknown>): AuditSearch {
  return Object.fromEntries(
    AUDIT_FILTERS.filter((name) => READABLE[name](search[name])).map((name) => [name, search[name]]),
  )
}

const audit = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/audit',
  validateSearch: readAudit,
  component: lazyRouteComponent(() => import('./AuditPage.tsx'), 'AuditPage'),
})

export const reviewPageRoutes = [approvals, audit] as const
