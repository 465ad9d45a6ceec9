import type { FastifyRequest } from 'fastify'
import { type ActionFamily, actionFamilies, getActionFamily } from '../../../channels/action-families.ts'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { snapshotActionContent } from '../../actions/content/draft-content.ts'
import { loadAction, type StoredAction } from '../../actions/resource/action-repository.ts'
import { ActionParams, parseFamilyActionRef } from '../../actions/resource/ids.ts'
import { decideActionTransition, isCampaignType } from '../../actions/resource/states.ts'
import { ContactParams, parseContactPath } from '../../contacts/records/contact-request.ts'
import { buildPushSource, loadPushSourceContext } from '../../notifications/content/drafts.ts'
import { requirePushVersion } from '../../notifications/content/renders.ts'
import { NotificationParams, parseNotificationKey } from '../../notifications/keys.ts'
import { notificationChangeRefusals } from '../../notifications/notification-schemas.ts'
import { loadNotification } from '../../notifications/stored.ts'
import type { SegmentAudience } from '../../segments/members/segment-audience.ts'
import { readAudienceReach } from './audience.ts'
import { AudienceBody, AudienceReachability, ReachabilityQuery, ReachabilityResource } from './reach-schemas.ts'
import { readContactReachability } from './reachability.ts'

const readConfig = { right: 'read' } as const

/** The subjects of the operations by their tags. */
const subjectNames: Record<string, string> = {
  actions: 'an action',
  'RCS actions': 'an RCS action',
  notifications: 'a notification',
}

const audienceOptions = (tag: string, params: typeof ActionParams | typeof NotificationParams) => ({
  tags: [tag],
  summary: `Preview the audience of ${subjectNames[tag]}`,
  description:
    'Counts the contacts that would receive the message now, and those that would not, with the reasons. Nothing is sent ' +
    'or stored. Large audiences are judged by a sample. Returns 503 if the audience takes longer than 20 seconds to find.',
  params,
  body: nullableSchema(AudienceBody),
  response: { 200: AudienceReachability },
})

/** An action that may have no content yet: who gets it does not depend on that. */
function fillMissingContent(action: StoredAction): StoredAction {
  if (getActionFamily(action.type) !== actionFamilies.rcs || action.content.content) return action
  return { ...action, content: { ...action.content, content: { type: 'text', text: '' } } }
}

/** The segments of a request, else those that are stored. */
function resolveSelection(body: AudienceBody | null, storedAudience: SegmentAudience): SegmentAudience {
  const requestedSegments = body?.segments
  if (!requestedSegments) return storedAudience
  return {
    selected: [...new Set(requestedSegments.selected ?? [])],
    excluded: [...new Set(requestedSegments.excluded ?? [])],
  }
}

function registerActionRoute(
  app: HttpApp,
  context: ServiceContext,
  { path, tag, family }: { path: string; tag: string; family: ActionFamily },
): void {
  app.post(`${path}/:id/audience`, {
    config: readConfig,
    schema: { ...audienceOptions(tag, ActionParams), refusals: { 403: 'approval-required' } },
    handler: async ({ account, params, body }) => {
      const action = await loadAction(context.db, parseFamilyActionRef(family, account, params.id))
      decideActionTransition('render', action)
      const { source } = await snapshotActionContent(context, fillMissingContent(action), null)
      const selection = resolveSelection(body, action.segments)
      return readAudienceReach(context, { account, source, selection, isCampaign: isCampaignType(action.type) })
    },
  })
}

function registerNotificationRoute(app: HttpApp, context: ServiceContext): void {
  app.post('/notifications/:id/audience', {
    config: readConfig,
    schema: { ...audienceOptions('notifications', NotificationParams), refusals: notificationChangeRefusals },
    handler: async (request) => {
      const { account, body } = request
      const row = await loadNotification(context.db, parseNotificationKey(request))
      const source = buildPushSource(await loadPushSourceContext(context, account), row, requirePushVersion(row, null))
      return readAudienceReach(context, {
        account,
        source,
        selection: resolveSelection(body, row.segments),
        isCampaign: false,
      })
    },
  })
}

/** Routes for the audience of a message, and for the reachability of one contact. */
export function reachabilityRoutes(app: HttpApp, context: ServiceContext): void {
  registerActionRoute(app, context, { path: '/actions', tag: 'actions', family: actionFamilies.action })
  registerActionRoute(app, context, { path: '/channel/rcs/actions', tag: 'RCS actions', family: actionFamilies.rcs })
  registerNotificationRoute(app, context)
  app.get('/targets/:id/reachability', {
    config: readConfig,
    schema: {
      tags: ['targets'],
      summary: 'Get the reachability of a contact',
      description:
        'Checks for each channel if a message may be sent to the contact now, with the same rules as ' +
        'sending. Nothing is sent or recorded.',
      params: ContactParams,
      querystring: ReachabilityQuery,
      response: { 200: ReachabilityResource },
    },
    handler: (request: FastifyRequest<{ Params: { id: string }; Querystring: ReachabilityQuery }>) =>
      readContactReachability(
        context,
        { account: request.account, contact: parseContactPath(request.params) },
        request.query,
      ),
  })
}
