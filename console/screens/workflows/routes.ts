import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../layout/root.tsx'
import { WORKFLOW_TABS, type WorkflowTab } from './address.ts'

const getRootRoute = () => rootRoute

/** Part of a workflow that is shown. */
export interface WorkflowSearch {
  /** None: the graph. */
  tab?: WorkflowTab | undefined
  node?: string | undefined
  run?: string | undefined
  version?: number | undefined
}

export interface WorkflowsSearch {
  q?: string | undefined
  state?: 'active' | 'inactive' | undefined
}

const workflowsRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/workflows',
  validateSearch: ({ q, state }: Record<string, unknown>): WorkflowsSearch => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...((state === 'active' || state === 'inactive') && { state }),
  }),
  component: lazyRouteComponent(() => import('./WorkflowsPage.tsx'), 'WorkflowsPage'),
})

const workflowRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/workflows/$id',
  validateSearch: ({ tab, node, run, version }: Record<string, unknown>): WorkflowSearch => ({
    ...(WORKFLOW_TABS.includes(tab as WorkflowTab) && { tab: tab as WorkflowTab }),
    ...(node !== undefined && { node: String(node) }),
    ...(typeof run === 'string' && { run }),
    ...(typeof version === 'number' && { version }),
  }),
  component: lazyRouteComponent(() => import('./WorkflowPage.tsx'), 'WorkflowPage'),
})

export const workflowPageRoutes = [workflowsRoute, workflowRoute] as const
