import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { type Captured, listCaptured, readCaptured } from '../../gateways/capture/files.ts'
import type { App } from '../../http/app-type.ts'
import { notFound } from '../../lib/problem.ts'
import { capturedList, capturedMessage } from './captured-page.ts'

const POLICY = "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; frame-ancestors 'none'"
const config = { right: 'admin', local: true, account: 'installation' } as const
const guarded = { config, schema: { hide: true } } as const

type Asking = Pick<FastifyRequest, 'account' | 'person'>

/**
 * Messages captured instead of sent; in development only, as they are personal. With a key, or to an admin, those of the account;
 * to requests from this machine and to operators all. Mails that let somebody in are shown to operators alone.
 */
export function capturedRoutes(app: App, { config }: Context): void {
  if (!config.development) return
  const isVisible = ({ account, person }: Asking, { account: owner, confidential }: Captured): boolean =>
    confidential ? person?.operator === true : account === 0 || owner === account
  app.get('/captured', guarded, async (request, reply) => {
    const list = await listCaptured(config.dataDir)
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', POLICY)
      .send(capturedList(list.filter((message) => isVisible(request, message))))
  })
  app.get(
    '/captured/:id',
    { ...guarded, schema: { hide: true, params: Type.Object({ id: Type.String() }) } },
    async (request, reply) => {
      const { params } = request
      const message = await readCaptured(config.dataDir, params.id.toUpperCase())
      if (!message || !isVisible(request, message)) throw notFound('captured message', params.id)
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', POLICY)
        .send(await capturedMessage(message))
    },
  )
}
