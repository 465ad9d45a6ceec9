import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { actionRenderRefusals } from '../execution/item-schemas.ts'
import { ActionParams, parseActionRef } from '../resource/ids.ts'
import { renderMessageLinks } from './render-links.ts'
import { RenderLinksRequest, RenderLinksResult } from './render-links-schemas.ts'

/** Links of a message one by one, for clients that place them themselves. */
export function renderLinksRoutes(app: HttpApp, context: ServiceContext): void {
  app.post('/actions/:id/render/links', {
    config: { right: 'read', revealing: true },
    schema: {
      tags: ['actions'],
      summary: 'Create the links of a message',
      description:
        'Deprecated: use tracked links in the content. Returns the URLs for one contact, in the order of the request. Links record visits if `stamp.id` is that of a message of this action sent to the contact; otherwise they work without recording anything. A URL that is no link of the content is 409.',
      operationId: 'renderActionLinks',
      refusals: { ...actionRenderRefusals, 403: 'approval-required' },
      deprecated: true,
      params: ActionParams,
      body: RenderLinksRequest,
      response: { 200: RenderLinksResult },
    },
    handler: ({ params, account, body }) => renderMessageLinks(context, parseActionRef(account, params.id), body),
  })
}
