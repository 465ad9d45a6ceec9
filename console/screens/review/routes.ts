import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../frame/root.tsx'

const STATES = ['waiting', 'approved', 'refused', 'stale'] as const

export interface ApprovalSearch {
  state?: (typeof STATES)[number]
}

const approvals = createRoute({
  getParentRoute: () => root,
  path: '/approvals',
  validateSearch: ({ state }: Record<string, unknown>): ApprovalSearch => {
    const known = STATES.find((one) => one === state)
    return known === undefined ? {} : { state: known }
  },
  component: lazyRouteComponent(() => import('./Approvals.tsx'), 'Approvals'),
})

/** What the audit is narrowed to, in the address. */
export interface AuditSearch {
  who?: string
  operation?: string
  object?: string
  /** Dates, both included. */
  start?: string
  end?: string
}

export const AUDIT_FILTERS = ['who', 'operation', 'object', 'start', 'end'] as const

function readAudit(search: Record<string, unknown>): AuditSearch {
  const given = AUDIT_FILTERS.filter((name) => search[name] !== undefined && search[name] !== '')
  return Object.fromEntries(given.map((name) => [name, String(search[name])]))
}

const audit = createRoute({
  getParentRoute: () => root,
  path: '/settings/audit',
  validateSearch: readAudit,
  component: lazyRouteComponent(() => import('./Audit.tsx'), 'Audit'),
})

export const reviewRoutes = [approvals, audit] as const
