import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../../layout/root.tsx'
import { REPORT_PERIODS_DAYS, type ReportPeriodDays } from './address.ts'

const getRootRoute = () => rootRoute

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
