import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'
import { APPROVAL_STATES, type ApprovalSearch, parseAuditSearch } from './address.ts'

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

const approvalRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/approvals/$id',
  component: lazyRouteComponent(() => import('./ApprovalPage.tsx'), 'ApprovalPage'),
})

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/audit',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(() => import('./AuditPage.tsx'), 'AuditPage'),
})

export const reviewPageRoutes = [approvalsRoute, approvalRoute, auditRoute] as const
