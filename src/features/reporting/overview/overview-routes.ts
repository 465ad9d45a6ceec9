import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { listTaskFailures } from '../../../jobs/failures.ts'
import { findUntrustedProxy } from '../../../sending/senders/machines.ts'
import { listOverviewFailures } from './failures.ts'
import { listLastCampaigns } from './last-campaigns.ts'
import { OverviewResource } from './overview-schemas.ts'
import type { OverviewPorts } from './ports.ts'
import { listOverviewPlanned, listOverviewRunning } from './running.ts'

/** Routes for the current activity of an account. */
export function overviewRoutes(app: HttpApp, { db, clock }: ServiceContext, ports: OverviewPorts): void {
  app.get('/overview', {
    config: { right: 'read' },
    schema: {
      tags: ['overview'],
      summary: 'Get the overview of the account',
      description:
        'Returns work in progress, planned sends, pending approvals, recent failures and the last campaigns ' +
        'of the account. Operators also receive faults of the installation.',
      response: { 200: OverviewResource },
    },
    handler: async ({ account, person }) => {
      const now = clock.now()
      const [runningEntries, plannedEntries, approvals, failedEntries, campaigns, proxyState, failingTaskEntries] =
        await Promise.all([
          listOverviewRunning(db, account),
          listOverviewPlanned(db, account),
          ports.approvals(db, account),
          listOverviewFailures(db, account, now),
          listLastCampaigns(db, account),
          person?.operator ? findUntrustedProxy(db, now) : undefined,
          person?.operator ? listTaskFailures(db, now) : [],
        ])
      const date = new Date(now).toISOString()
      const failingTasks = failingTaskEntries.map(({ since, ...task }) => ({ ...task, since: since.toISOString() }))
      return {
        running: runningEntries,
        planned: plannedEntries,
        approvals,
        failed: failedEntries,
        campaigns,
        untrustedProxy: proxyState ?? null,
        failingTasks,
        date,
      }
    },
  })
}
