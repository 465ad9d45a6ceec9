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
      summary: 'give the addresses of links of a message',
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
