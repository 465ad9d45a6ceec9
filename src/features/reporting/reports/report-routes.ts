import { Type } from 'typebox'
import { type Family, families } from '../../../channels/families.ts'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { PageQuery, sendList, sent } from '../../../http/resource/list.ts'
import type { AccountId } from '../../../lib/account.ts'
import { type Period, readPeriod } from '../../../lib/time/period.ts'
import { ActionParams, refIn } from '../../actions/resource/ids.ts'
import { keyOf, NotificationParams } from '../../notifications/keys.ts'
import { readReport } from './report.ts'
import { placeOf, reportContacts } from './report-contacts.ts'
import { Report, ReportContact, ReportContactsQuery, ReportQuery } from './report-schemas.ts'
import { type Reported, reportedAction, reportedNotification } from './reported.ts'

const config = { right: 'read' } as const

interface Place {
  path: string
  tag: string
  params: typeof ActionParams | typeof NotificationParams
  /** What a path names. Throws notFound, 400. */
  find(named: { account: AccountId; params: { id: string } }, period: Period): Promise<Reported>
}

function routesAt(app: App, { db, clock }: Context, { path, tag, params, find }: Place): void {
  app.get(`${path}/:id/report`, {
    config,
    schema: {
      tags: [tag],
      summary: 'read the results: a balance that adds up, reactions, refusals, links, devices, course',
      params,
      querystring: ReportQuery,
      response: { 200: Report },
    },
    handler: async (request) => readReport(db, await find(request, readPeriod(request.query)), new Date(clock.now())),
  })
  app.get(`${path}/:id/report/contacts`, {
    config,
    schema: {
      tags: [tag],
      summary: 'list the contacts behind a number of the report',
      params,
      querystring: Type.Object({ ...ReportContactsQuery.properties, ...PageQuery.properties }),
      response: { 200: sent(Type.Array(ReportContact)) },
    },
    handler: async (request, reply) => {
      const { of } = request.query
      const reported = await find(request, readPeriod(request.query))
      return sendList(request, reply, {
        rows: (page: { after: string | undefined; limit: number | undefined }) =>
          reportContacts(db, reported, { of, ...page }),
        key: placeOf,
        readKey: (value) => (typeof value === 'string' ? value : undefined),
      })
    },
  })
}

/** The results of what was sent, on every channel. */
export function reportRoutes(app: App, context: Context): void {
  const { db } = context
  const ofFamily = (path: string, tag: string, family: Family): Place => ({
    ...{ path, tag, params: ActionParams },
    find: ({ account, params }, period) => reportedAction(db, refIn(family, account, params.id), period),
  })
  routesAt(app, context, ofFamily('/actions', 'actions', families.action))
  routesAt(app, context, ofFamily('/channel/rcs/actions', 'RCS actions', families.rcs))
  routesAt(app, context, {
    ...{ path: '/notifications', tag: 'notifications', params: NotificationParams },
    find: (named, period) => reportedNotification(db, keyOf(named), period),
  })
}
