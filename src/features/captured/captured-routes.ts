import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { type Captured, listCaptured, readCaptured } from '../../gateways/capture/files.ts'
import type { App } from '../../http/app-type.ts'
import { notFound } from '../../lib/problem.ts'
import { capturedList, capturedMessage } from './captured-page.ts'

const POLICY = "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; frame-ancestors 'none'"
const guarded = { config: { right: 'admin', local: true, revealing: true }, schema: { hide: true } } as const

/**
 * Messages captured instead of sent; in development only, as they are personal. With a key those of its account, to
 * requests from this machine all.
 */
export function capturedRoutes(app: App, { config }: Context): void {
  if (!config.development) return
  const isVisible = (account: number, { account: owner }: Captured): boolean => account === 0 || owner === account
  app.get('/captured', guarded, async ({ account }, reply) => {
    const list = await listCaptured(config.dataDir)
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .send(capturedList(list.filter((message) => isVisible(account, message))))
  })
  app.get(
    '/captured/:id',
    { ...guarded, schema: { hide: true, params: Type.Object({ id: Type.String() }) } },
    async ({ params, account }, reply) => {
      const message = await readCaptured(config.dataDir, params.id.toUpperCase())
      if (!message || !isVisible(account, message)) throw notFound('captured message', params.id)
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', POLICY)
        .send(await capturedMessage(message))
    },
  )
}
