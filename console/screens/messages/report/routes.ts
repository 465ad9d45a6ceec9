import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../../layout/root.tsx'

const getParentRoute = () => root

/** Days of a report of what is sent on demand. */
export const PERIODS = [1, 7, 30, 90] as const
export type Days = (typeof PERIODS)[number]

const report = createRoute({
  getParentRoute,
  path: '/messages/$channel/$id/report',
  validateSearch: ({ days }: Record<string, unknown>): { days?: Days } =>
    PERIODS.includes(Number(days) as Days) ? { days: Number(days) as Days } : {},
  component: lazyRouteComponent(() => import('./Report.tsx'), 'Report'),
})

const people = createRoute({
  getParentRoute,
  path: '/messages/$channel/$id/report/contacts',
  validateSearch: ({ of, days }: Record<string, unknown>): { of: string; days?: Days } => ({
    of: typeof of === 'string' ? of : 'sent',
    ...(PERIODS.includes(Number(days) as Days) && { days: Number(days) as Days }),
  }),
  component: lazyRouteComponent(() => import('./ReportContacts.tsx'), 'ReportContacts'),
})

export const reportRoutes = [report, people] as const
