import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { listFailures } from '../../../jobs/failures.ts'
import { untrustedProxy } from '../../../sending/senders/machines.ts'
import { listFailed } from './failures.ts'
import { lastCampaigns } from './last-campaigns.ts'
import { Overview } from './overview-schemas.ts'
import type { OverviewPorts } from './ports.ts'
import { listPlanned, listRunning } from './running.ts'

/** What is going on in an account. */
export function overviewRoutes(app: App, { db, clock }: Context, ports: OverviewPorts): void {
  app.get('/overview', {
    config: { right: 'read' },
    schema: {
      tags: ['overview'],
      summary: 'read what runs, waits and failed',
      response: { 200: Overview },
    },
    handler: async ({ account, person }) => {
      const now = clock.now()
      const [running, planned, approvals, failed, campaigns, proxy, tasks] = await Promise.all([
        listRunning(db, account),
        listPlanned(db, account),
        ports.approvals(db, account),
        listFailed(db, account, now),
        lastCampaigns(db, account),
        person?.operator ? untrustedProxy(db, now) : undefined,
        person?.operator ? listFailures(db, now) : [],
      ])
      const date = new Date(now).toISOString()
      const failingTasks = tasks.map(({ since, ...task }) => ({ ...task, since: since.toISOString() }))
      return { running, planned, approvals, failed, campaigns, untrustedProxy: proxy ?? null, failingTasks, date }
    },
  })
}
