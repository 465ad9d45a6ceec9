import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { CapturedMessageBytes } from '../../channels/captured-parts.ts'
import { loadChannel } from '../../channels/load-channel.ts'
import type { ServiceContext } from '../../context.ts'
import { type CapturedMessageRecord, listCapturedMessages, readCapturedMessage } from '../../gateways/capture/files.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { declareStreamedAnswer, sendJsonArray } from '../../http/resource/list.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { decodeMailBytes } from '../../lib/text/mail/part-text.ts'
import { renderCapturedList, renderCapturedMessage } from './captured-page.ts'
import { CapturedMessageDetail, CapturedMessageSummary } from './captured-schemas.ts'

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; frame-ancestors 'none'"
const routeConfig = { right: 'admin', local: true, account: 'installation', revealing: true } as const

type CapturedMessageViewer = Pick<FastifyRequest, 'account' | 'person'>

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', CONTENT_SECURITY_POLICY).send(page)
}

function sendMessageDetail(reply: FastifyReply, message: CapturedMessageDetail): FastifyReply {
  return reply.send(message)
}

/** A page is what browsers ask for, which name HTML. */
function wantsJson({ headers }: FastifyRequest): boolean {
  const acceptedTypes = (headers.accept ?? '').split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase())
  return acceptedTypes.includes('application/json') && !acceptedTypes.includes('text/html')
}

function toMessageSummary(captured: CapturedMessageRecord): CapturedMessageSummary {
  const { id, channel, capturedAt, from, to, subject = '', confidential = false, stamp, size } = captured
  const { encoding, segments } = captured
  const smsDetails = { ...(encoding !== undefined && { encoding }), ...(segments !== undefined && { segments }) }
  return { id, channel, date: capturedAt, from, to, subject, confidential, stamp, size, ...smsDetails }
}

const MAX_SOURCE_BYTES = 256 * 1024

/** A message with its parts. Every channel that is captured has a module. */
async function toMessageDetail(message: CapturedMessageBytes): Promise<CapturedMessageDetail> {
  const { capturedParts } = await loadChannel(message.channel)
  const parts = capturedParts(message)
  return {
    ...toMessageSummary(message),
    ...parts,
    headers: [...parts.headers],
    attachments: [...parts.attachments],
    source: decodeMailBytes(message.bytes.subarray(0, MAX_SOURCE_BYTES), undefined),
  }
}

/**
 * Messages captured instead of sent; in development only, as they are personal. With a key, or to an admin, those of the account;
 * to requests from this machine and to operators all. Mails that let somebody in are shown to operators alone.
 */
export function capturedMessageRoutes(app: HttpApp, { config }: ServiceContext): void {
  if (!config.development) return
  const isVisible = (
    { account, person }: CapturedMessageViewer,
    { account: owner, confidential }: CapturedMessageRecord,
  ): boolean => (confidential ? person?.operator === true : account === 0 || owner === account)
  app.get('/captured', {
    config: routeConfig,
    schema: {
      tags: ['captured'],
      summary: 'List the captured messages',
      operationId: 'listCapturedMessages',
      answerTypes: { 200: ['application/json', 'text/html'] },
      description:
        'Returns the newest messages that were captured instead of sent, at most 200, newest first: JSON if `Accept` names it and not HTML, otherwise a web page. Available in development only.',
      response: { 200: declareStreamedAnswer(Type.Array(CapturedMessageSummary)) },
    },
    handler: async (request, reply) => {
      const capturedMessages = await listCapturedMessages(config.dataDir)
      const visibleMessages = capturedMessages.filter((message) => isVisible(request, message))
      reply.header('vary', 'accept')
      if (!wantsJson(request)) return sendPage(reply, renderCapturedList(visibleMessages))
      return sendJsonArray(reply, Readable.from(visibleMessages.map(toMessageSummary)))
    },
  })
  app.get(
    '/captured/:id',
    {
      config: routeConfig,
      schema: {
        tags: ['captured'],
        summary: 'Get a captured message',
        operationId: 'getCapturedMessage',
        answerTypes: { 200: ['application/json', 'text/html'] },
        description:
          'Returns a captured message with its parts: JSON if `Accept` names it and not HTML, otherwise a web page. Available in development only.',
        params: Type.Object({ id: Type.String() }),
        response: { 200: declareStreamedAnswer(CapturedMessageDetail) },
      },
    },
    async (request, reply) => {
      const { params } = request
      const message = await readCapturedMessage(config.dataDir, params.id.toUpperCase())
      if (!message || !isVisible(request, message)) throw notFoundProblem('captured message', params.id)
      reply.header('vary', 'accept')
      if (!wantsJson(request)) return sendPage(reply, await renderCapturedMessage(message))
      return sendMessageDetail(reply, await toMessageDetail(message))
    },
  )
}
