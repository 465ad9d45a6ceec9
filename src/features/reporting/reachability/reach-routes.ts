import type { FastifyRequest } from 'fastify'
import { type Family, families, familyOf } from '../../../channels/families.ts'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import { draftOf } from '../../actions/content/draft-content.ts'
import { loadAction, type StoredAction } from '../../actions/resource/action-repository.ts'
import { ActionParams, refIn } from '../../actions/resource/ids.ts'
import { decide, isCampaign } from '../../actions/resource/states.ts'
import { ContactParams, pathContact } from '../../contacts/records/contact-request.ts'
import { loadSurroundings, sourceOf } from '../../notifications/content/drafts.ts'
import { versionNamed } from '../../notifications/content/renders.ts'
import { keyOf, NotificationParams } from '../../notifications/keys.ts'
import { loadNotification } from '../../notifications/stored.ts'
import type { Selection } from '../../segments/members/audience.ts'
import { readAudience } from './audience.ts'
import { Audience, AudienceBody, Reachability, ReachQuery } from './reach-schemas.ts'
import { reachability } from './reachability.ts'

const config = { right: 'read' } as const

const audience = (tag: string, params: typeof ActionParams | typeof NotificationParams) => ({
  tags: [tag],
  summary: 'who would get it now: counts, overlaps, whom it cannot be sent to, what marketing pressure would stop',
  params,
  body: nullable(AudienceBody),
  response: { 200: Audience },
})

/** An action that may have no content yet: who gets it does not depend on that. */
function withSome(action: StoredAction): StoredAction {
  if (familyOf(action.type) !== families.rcs || action.content.content) return action
  return { ...action, content: { ...action.content, content: { type: 'text', text: '' } } }
}

/** The segments of a request, else those that are stored. */
function selectionOf(body: AudienceBody | null, stored: Selection): Selection {
  const given = body?.segments
  if (!given) return stored
  return { selected: [...new Set(given.selected ?? [])], excluded: [...new Set(given.excluded ?? [])] }
}

function actionRoute(
  app: App,
  context: Context,
  { path, tag, family }: { path: string; tag: string; family: Family },
): void {
  app.post(`${path}/:id/audience`, {
    config,
    schema: audience(tag, ActionParams),
    handler: async ({ account, params, body }) => {
      const action = await loadAction(context.db, refIn(family, account, params.id))
      decide('render', action)
      const { source } = await draftOf(context, withSome(action), null)
      const selection = selectionOf(body, action.segments)
      return readAudience(context, { account, source, selection, isCampaign: isCampaign(action.type) })
    },
  })
}

function notificationRoute(app: App, context: Context): void {
  app.post('/notifications/:id/audience', {
    config,
    schema: audience('notifications', NotificationParams),
    handler: async (request) => {
      const { account, body } = request
      const row = await loadNotification(context.db, keyOf(request))
      const source = sourceOf(await loadSurroundings(context, account), row, versionNamed(row, null))
      return readAudience(context, { account, source, selection: selectionOf(body, row.segments), isCampaign: false })
    },
  })
}

/** Who would get what is sent, and whether one contact may be written to. */
export function reachRoutes(app: App, context: Context): void {
  actionRoute(app, context, { path: '/actions', tag: 'actions', family: families.action })
  actionRoute(app, context, { path: '/channel/rcs/actions', tag: 'RCS actions', family: families.rcs })
  notificationRoute(app, context)
  app.get('/targets/:id/reachability', {
    config,
    schema: {
      tags: ['targets'],
      summary: 'whether a contact may be written to now, by channel, and why not',
      params: ContactParams,
      querystring: ReachQuery,
      response: { 200: Reachability },
    },
    handler: (request: FastifyRequest<{ Params: { id: string }; Querystring: ReachQuery }>) =>
      reachability(context, { account: request.account, contact: pathContact(request.params) }, request.query),
  })
}
