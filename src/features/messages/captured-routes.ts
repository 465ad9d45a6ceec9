import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { listCaptured, readCaptured } from '../../gateways/capture-files.ts'
import type { App } from '../../http/app-type.ts'
import { notFound } from '../../lib/problem.ts'
import { capturedList, capturedMessage } from './captured-page.ts'

const POLICY = "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; frame-ancestors 'none'"
const open = { config: { public: true }, schema: { hide: true } }

/** What was captured instead of sent; in development only, as it shows what contacts were told. */
export function capturedRoutes(app: App, { config }: Context): void {
  if (!config.development) return
  app.get('/captured', open, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .send(capturedList(await listCaptured(config.dataDir))),
  )
  app.get(
    '/captured/:id',
    { ...open, schema: { hide: true, params: Type.Object({ id: Type.String() }) } },
    async ({ params }, reply) => {
      const message = await readCaptured(config.dataDir, params.id.toUpperCase())
      if (!message) throw notFound('captured message', params.id)
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', POLICY)
        .send(capturedMessage(message))
    },
  )
}
