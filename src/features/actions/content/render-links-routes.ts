import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { ActionParams, refOf } from '../resource/ids.ts'
import { renderLinks } from './render-links.ts'
import { LinksRequest, LinksResult } from './render-links-schemas.ts'

/** Links of a message one by one, for clients that place them themselves. */
export function renderLinksRoutes(app: App, context: Context): void {
  app.post('/actions/:id/render/links', {
    config: { right: 'read', revealing: true },
    schema: {
      tags: ['actions'],
      summary: 'give the addresses of links of a message',
      deprecated: true,
      params: ActionParams,
      body: LinksRequest,
      response: { 200: LinksResult },
    },
    handler: ({ params, account, body }) => renderLinks(context, refOf(account, params.id), body),
  })
}
