import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { type Captured, listCaptured, readCaptured } from '../../gateways/capture/files.ts'
import type { App } from '../../http/app-type.ts'
import { sendArray, sent } from '../../http/list.ts'
import { notFound } from '../../lib/problem.ts'
import { capturedList, capturedMessage } from './captured-page.ts'
import { CapturedMessage } from './captured-schemas.ts'

const POLICY = "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; frame-ancestors 'none'"
const guarded = { right: 'admin', local: true, account: 'installation', revealing: true } as const

type Asking = Pick<FastifyRequest, 'account' | 'person'>

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(page)
}

/** A page is what browsers ask for, which name HTML. */
function wantsJson({ headers }: FastifyRequest): boolean {
  const named = (headers.accept ?? '').split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase())
  return named.includes('application/json') && !named.includes('text/html')
}

function show({ id, channel, capturedAt, from, to, stamp, size, encoding, segments }: Captured): CapturedMessage {
  const sms = { ...(encoding !== undefined && { encoding }), ...(segments !== undefined && { segments }) }
  return { id, channel, date: capturedAt, from, to, stamp, size, ...sms }
}

/**
 * Messages captured instead of sent; in development only, as they are personal. With a key, or to an admin, those of the account;
 * to requests from this machine and to operators all. Mails that let somebody in are shown to operators alone.
 */
export function capturedRoutes(app: App, { config }: Context): void {
  if (!config.development) return
  const isVisible = ({ account, person }: Asking, { account: owner, confidential }: Captured): boolean =>
    confidential ? person?.operator === true : account === 0 || owner === account
  app.get('/captured', {
    config: guarded,
    schema: {
      tags: ['captured'],
      summary: 'list the newest messages that were captured instead of sent',
      description: 'JSON where Accept names it, and a page otherwise; at most 200. Not in production.',
      response: { 200: sent(Type.Array(CapturedMessage)) },
    },
    handler: async (request, reply) => {
      const all = await listCaptured(config.dataDir)
      const list = all.filter((message) => isVisible(request, message))
      reply.header('vary', 'accept')
      if (!wantsJson(request)) return sendPage(reply, capturedList(list))
      return sendArray(reply, Readable.from(list.map(show)))
    },
  })
  app.get(
    '/captured/:id',
    { config: guarded, schema: { hide: true, params: Type.Object({ id: Type.String() }) } },
    async (request, reply) => {
      const { params } = request
      const message = await readCaptured(config.dataDir, params.id.toUpperCase())
      if (!message || !isVisible(request, message)) throw notFound('captured message', params.id)
      return sendPage(reply, await capturedMessage(message))
    },
  )
}
