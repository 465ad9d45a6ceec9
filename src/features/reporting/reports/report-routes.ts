import { Type } from 'typebox'
import { type ActionFamily, actionFamilies } from '../../../channels/action-families.ts'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { declareStreamedAnswer, ListPageQuery, sendList } from '../../../http/resource/list.ts'
import type { AccountId } from '../../../lib/account.ts'
import { parseTimePeriod, type TimePeriod } from '../../../lib/time/period.ts'
import { ActionParams, parseFamilyActionRef } from '../../actions/resource/ids.ts'
import { NotificationParams, parseNotificationKey } from '../../notifications/keys.ts'
import { composeReport } from './report.ts'
import { listReportContacts, reportContactCursor } from './report-contacts.ts'
import { ReportContactResource, ReportContactsQuery, ReportQuery, ReportResource } from './report-schemas.ts'
import { loadReportedAction, loadReportedNotification, type ReportSubject } from './reported.ts'

const readConfig = { right: 'read' } as const

/** The subjects of the reports by the tags of their operations. */
const subjectNames: Record<string, string> = {
  actions: 'an action',
  'RCS actions': 'an RCS action',
  notifications: 'a notification',
}

interface ReportRoute {
  path: string
  tag: string
  params: typeof ActionParams | typeof NotificationParams
  refusals?: Record<number, string>
  /** Finds the subject of a path. Throws notFound, 400. */
  find(reportKey: { account: AccountId; params: { id: string } }, period: TimePeriod): Promise<ReportSubject>
}

function registerReportRoutes(
  app: HttpApp,
  { db, clock }: ServiceContext,
  { path, tag, params, refusals = {}, find }: ReportRoute,
): void {
  app.get(`${path}/:id/report`, {
    config: readConfig,
    schema: {
      tags: [tag],
      summary: `Get the report of ${subjectNames[tag]}`,
      description:
        'Returns the results at one point in time: the outcome of every message, reactions, bounces, links, devices and ' +
        'their course over time. The outcomes add up to the audience, also while the sending runs. Tests are not counted.',
      refusals,
      params,
      querystring: ReportQuery,
      response: { 200: ReportResource },
    },
    handler: async (request) =>
      composeReport(db, await find(request, parseTimePeriod(request.query)), new Date(clock.now())),
  })
  app.get(`${path}/:id/report/contacts`, {
    config: readConfig,
    schema: {
      tags: [tag],
      summary: `List the contacts behind the report of ${subjectNames[tag]}`,
      description:
        'Returns the messages, contacts or events that one number of the report counts, as many as the number says. For ' +
        'opens, clicks and links it returns distinct contacts.',
      refusals,
      params,
      querystring: Type.Object({ ...ReportContactsQuery.properties, ...ListPageQuery.properties }),
      response: { 200: declareStreamedAnswer(Type.Array(ReportContactResource)) },
    },
    handler: async (request, reply) => {
      const { of: listName } = request.query
      const reportSubject = await find(request, parseTimePeriod(request.query))
      return sendList(request, reply, {
        rows: (page: { after: string | undefined; limit: number | undefined }) =>
          listReportContacts(db, reportSubject, { of: listName, ...page }),
        key: reportContactCursor,
        readKey: (value) => (typeof value === 'string' ? value : undefined),
      })
    },
  })
}

/** The results of what was sent, on every channel. */
export function reportApiRoutes(app: HttpApp, context: ServiceContext): void {
  const { db } = context
  const createFamilyRoute = (path: string, tag: string, family: ActionFamily): ReportRoute => ({
    path,
    tag,
    params: ActionParams,
    find: ({ account, params }, period) =>
      loadReportedAction(db, parseFamilyActionRef(family, account, params.id), period),
  })
  registerReportRoutes(app, context, createFamilyRoute('/actions', 'actions', actionFamilies.action))
  registerReportRoutes(app, context, createFamilyRoute('/channel/rcs/actions', 'RCS actions', actionFamilies.rcs))
  registerReportRoutes(app, context, {
    path: '/notifications',
    tag: 'notifications',
    params: NotificationParams,
    refusals: { 410: 'gone' },
    find: (reportKey, period) => loadReportedNotification(db, parseNotificationKey(reportKey), period),
  })
}
