import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../../layout/root.tsx'

const getRootRoute = () => rootRoute

/** Days of a report of what is sent on demand. */
export const REPORT_PERIODS_DAYS = [1, 7, 30, 90] as const
export type ReportPeriodDays = (typeof REPORT_PERIODS_DAYS)[number]

const reportRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/messages/$channel/$id/report',
  validateSearch: ({ days }: Record<string, unknown>): { days?: ReportPeriodDays } =>
    REPORT_PERIODS_DAYS.includes(Number(days) as ReportPeriodDays) ? { days: Number(days) as ReportPeriodDays } : {},
  component: lazyRouteComponent(() => import('./ReportPage.tsx'), 'ReportPage'),
})

const reportContactsRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/messages/$channel/$id/report/contacts',
  validateSearch: ({ of, days }: Record<string, unknown>): { of: string; days?: ReportPeriodDays } => ({
    of: typeof of === 'string' ? of : 'sent',
    ...(REPORT_PERIODS_DAYS.includes(Number(days) as ReportPeriodDays) && { days: Number(days) as ReportPeriodDays }),
  }),
  component: lazyRouteComponent(() => import('./ReportContactsPage.tsx'), 'ReportContactsPage'),
})

export const reportPageRoutes = [reportRoute, reportContactsRoute] as const
