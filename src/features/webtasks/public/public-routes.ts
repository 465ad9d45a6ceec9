import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { decodeBodyText, parseBareMediaType } from '../../../http/middleware/parsing.ts'
import type { OperationNotes } from '../../../http/openapi/document.ts'
import { bytesSchema } from '../../../http/openapi/media.ts'
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit-requests.ts'
import { parseRequestJson } from '../../../http/validation/json.ts'
import { Problem, toProblemTypeUri } from '../../../lib/errors/problem.ts'
import { RefusedAddressError } from '../../../lib/net/guarded-client.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { requireAllowedAddress } from '../../../scripting/fetch/allow-list.ts'
import { normalizeIpAddress } from '../../events/hits/address.ts'
import { parsePostedEntries } from '../../tracking/forms/form-body.ts'
import { findWorkflowEngine } from '../../workflows/engine/engine.ts'
import type { WebtaskResult } from '../executions/execution-schemas.ts'
import { executePublicWebtask, type WebtaskExecutionContext } from '../executions/executions.ts'
import type { PublicWebtaskMethod, PublicWebtaskSettings } from '../settings.ts'
import { findWebtaskByCipherId, type StoredWebtask } from '../stored.ts'
import { findTokenCipherId } from './cipher.ts'
import { createPublicWebtaskGuard, type PublicWebtaskGuard } from './public-guard.ts'
import { readWebtaskTokens, type ValidWebtaskToken } from './tokens.ts'

const BODY_LIMIT_BYTES = 64 * 1024
const RESPONSE_HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }
/** Methods with which no webtask runs. */
const UNSUPPORTED_METHODS: HTTPMethods[] = ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data']

interface PublicContext {
  context: ServiceContext
  executing: WebtaskExecutionContext
  guard: PublicWebtaskGuard
}

/** The same for everybody: it does not say what was wrong. */
const buildAnswer = (status: number, kind: string, title: string): string =>
  JSON.stringify({ type: toProblemTypeUri(kind), title, status })
const NOT_FOUND_ANSWER = buildAnswer(404, 'not-found', 'Not Found')
const FORBIDDEN_ANSWER = buildAnswer(403, 'right-missing', 'Forbidden')
const FAILURE_ANSWER = buildAnswer(500, 'internal', 'Internal Server Error')

function sendRefusal(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type('application/problem+json').send(body)
}

/** The webtask that a token runs, with what the token holds; undefined for one that is good for nothing here. */
async function openToken(
  { db, clock, masterKeys, config }: ServiceContext,
  token: string,
): Promise<{ webtask: StoredWebtask; token: ValidWebtaskToken } | undefined> {
  const cipherId = config.publicWebtasks ? findTokenCipherId(token) : undefined
  const webtask = cipherId && (await findWebtaskByCipherId(db, cipherId))
  if (!webtask?.settings.public.enabled) return undefined
  const [tokenContent] = await readWebtaskTokens({ db, clock, masterKeys }, webtask, [token])
  return tokenContent && { webtask, token: tokenContent }
}

/** Fields of a form by their names; those that come again are lists. */
async function parseForm(body: Buffer, type: string): Promise<Record<string, string | string[]>> {
  const fields = Map.groupBy(await parsePostedEntries(body, type), ([name]) => name)
  return Object.fromEntries(
    [...fields].map(([name, entries]) => {
      const texts = entries.map(([, text]) => text)
      return [name, texts.length === 1 ? texts[0]! : texts]
    }),
  )
}

/** The JSON or form of a request; null without a body. Throws 400 and 415. */
async function parseBody({ body, headers }: FastifyRequest): Promise<unknown> {
  if (!Buffer.isBuffer(body) || body.length === 0) return null
  const contentType = headers['content-type'] ?? ''
  const type = parseBareMediaType(contentType)
  if (FORM_TYPES.includes(type)) return parseForm(body, contentType)
  if (type === 'application/json' || type.endsWith('+json')) return parseRequestJson(decodeBodyText(body))
  throw new Problem(
    415,
    'unsupported-media-type',
    `Content-Type must be application/json or ${FORM_TYPES.join(' or ')}.`,
  )
}

/** Target of a value of the form {"redirect": address}, if the redirect is allowed. */
function resolveRedirect(value: unknown, { redirects }: PublicWebtaskSettings): string | undefined {
  if (!isJsonObject(value) || Object.keys(value).join() !== 'redirect' || typeof value['redirect'] !== 'string')
    return undefined
  try {
    return requireAllowedAddress(value['redirect'], redirects).href
  } catch (error) {
    if (error instanceof RefusedAddressError) return undefined
    throw error
  }
}

function sendAnswer(reply: FastifyReply, result: WebtaskResult, settings: PublicWebtaskSettings): FastifyReply {
  if (result.type === 'error') return sendRefusal(reply, 500, FAILURE_ANSWER)
  const location = resolveRedirect(result.value, settings)
  if (location !== undefined) return reply.code(302).header('location', location).send()
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result.value))
}

async function serveWebtask(
  { context, executing, guard }: PublicContext,
  request: FastifyRequest<{ Params: { token: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const openedToken = await openToken(context, request.params.token)
  if (!openedToken) return sendRefusal(reply, 404, NOT_FOUND_ANSWER)
  const { webtask, token } = openedToken
  const { method, query, ip } = request
  const { public: settings } = webtask.settings
  if (!settings.methods.includes(method as PublicWebtaskMethod)) {
    reply.header('allow', settings.methods.join(', '))
    throw new Problem(405, 'method-not-allowed', `${method} is not supported here.`)
  }
  guard.run(webtask.id, context.clock.now())
  const publicRequest = { method, query: query as object, body: await parseBody(request), ip: normalizeIpAddress(ip) }
  try {
    return sendAnswer(reply, await executePublicWebtask(executing, webtask, { token, sent: publicRequest }), settings)
  } catch (error) {
    if (error instanceof Problem && error.status === 403) return sendRefusal(reply, 403, FORBIDDEN_ANSWER)
    throw error
  }
}

/** Webtasks that say so run here without a key, when the installation allows it. */
export function webtaskPublicRoutes(app: HttpApp, context: ServiceContext): void {
  const servingContext: PublicContext = {
    context,
    executing: findWorkflowEngine(context),
    guard: createPublicWebtaskGuard(),
  }
  const buildRouteOptions = (summary: string, notes: OperationNotes = {}) => ({
    config: { public: true, audit: AUDIT_EXEMPTIONS.recipient },
    bodyLimit: BODY_LIMIT_BYTES,
    schema: {
      tags: ['webtasks'],
      summary,
      description:
        'Runs the webtask to which the token belongs and returns the value of its script as JSON, or redirects if the value is `{"redirect": url}` with an allowed host. The body is JSON or a form of at most 64 KB. Returns the same 404 for every token that is not valid, 405 for a method that the webtask does not allow, and 500 without details if the script fails.',
      refusals: { 403: 'right-missing', 405: 'method-not-allowed', 409: 'webtask-gone' },
      answerTypes: { 200: ['application/json'], 302: [] },
      ...notes,
      params: Type.Object({ token: Type.String() }),
    },
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(RESPONSE_HEADERS)
      servingContext.guard.enter(request.ip, context.clock.now())
    },
  })
  app.register(async (scope: HttpApp) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body)
    const handleRequest = (request: FastifyRequest<{ Params: { token: string } }>, reply: FastifyReply) =>
      serveWebtask(servingContext, request, reply)
    scope.get('/w/:token', {
      ...buildRouteOptions('Run a webtask by its token', { operationId: 'runWebtaskByToken' }),
      exposeHeadRoute: false,
      handler: handleRequest,
    })
    scope.post('/w/:token', {
      ...buildRouteOptions('Run a webtask by its token, with a body', {
        operationId: 'runWebtaskByTokenWithBody',
        bodyTypes: {
          'application/json': Type.Unknown({ description: 'Input that the script reads as `public.body`, any JSON.' }),
          '*/*': bytesSchema,
        },
      }),
      handler: handleRequest,
    })
    // Without a route of their own these would ask for a key.
    const { schema, ...others } = buildRouteOptions('')
    scope.route({
      ...others,
      method: UNSUPPORTED_METHODS,
      url: '/w/:token',
      schema: { params: schema.params, hide: true },
      handler: handleRequest,
    })
  })
}
