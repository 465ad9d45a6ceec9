import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import type { OperationNotes } from '../../http/openapi/document.ts'
import { AUDIT_EXEMPTIONS } from '../../http/resource/audit-requests.ts'
import { type LinkTokenKind, type MessageLinkToken, parseLinkToken } from '../../lib/crypto/tokens.ts'
import { createWindowCounter } from '../../lib/time/window-counter.ts'
import { openDisplayEndpoints } from './display-endpoints.ts'
import { parsePostedEntries, parsePostedForm } from './forms/form-body.ts'
import { type FormPageContext, renderInitialForm, submitForm } from './forms/form-page.ts'
import { openAddressDetailCache } from './hits/address-details.ts'
import { type HitRecorder, type HitRequester, openHitRecorder } from './hits/hit-recorder.ts'
import { openRobotLists } from './hits/robot-lists.ts'
import { negotiatePageLanguage } from './pages/languages.ts'
import { renderMirror } from './pages/mirror.ts'
import { type RecipientPage, renderStatusPage } from './pages/pages.ts'
import { renderUnsubscribePage, submitUnsubscription, type UnsubscribePageContext } from './pages/unsubscribe-page.ts'
import { createPushEndpoint } from './push-endpoint.ts'
import { resolveShortCode } from './short-codes.ts'
import { findLinkTarget } from './targets.ts'
import { isUnavailableError, withDatabaseTimeout } from './unavailable.ts'
import { type ContentVersionCache, openContentVersionCache } from './version-cache.ts'

const RESPONSE_HEADERS = {
  'cache-control': 'no-store, private',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

/** A transparent GIF of one pixel. */
const PIXEL_GIF = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

const BODY_LIMIT = 64 * 1024
/** Ten full text areas of characters that take nine bytes each when posted. */
const FORM_BODY_LIMIT = 6 * 1024 * 1024

/** Dependencies of the public endpoints. */
/** Tokens of one address that may be invalid before it has to wait. */
const MAX_BAD_TOKENS = 100
const BAD_TOKEN_WINDOW_MS = 60_000

interface TrackingContext extends UnsubscribePageContext, FormPageContext {
  context: ServiceContext
  versions: ContentVersionCache
  recorder: HitRecorder
  /** Answers an invalid token: the same page whatever the reason. */
  refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply
}

/** The public endpoints for recipients: links, pixels, mirror pages, unsubscription, forms, display, apps; without a key. */
export function trackingRoutes(app: HttpApp, context: ServiceContext, registry: Registry): void {
  app.register(async (scope: HttpApp) => {
    const tracking = await openTracking(scope, context, registry)
    registerCommonHooks(scope)
    registerHitRoutes(scope, tracking)
    registerPixelRoute(scope, tracking)
    registerHoneypotRoute(scope, tracking)
    registerMirrorRoutes(scope, tracking)
    registerUnsubscribeRoutes(scope, tracking)
    registerFormRoutes(scope, tracking)
    registerDisplayRoutes(scope, tracking)
    registerPushRoutes(scope, tracking)
  })
}

async function openTracking(scope: HttpApp, context: ServiceContext, registry: Registry): Promise<TrackingContext> {
  const { db, clock, config, log } = context
  const robots = await openRobotLists(config.robotsDir, log)
  const versions = openContentVersionCache(db)
  const addressDetails = openAddressDetailCache(db, clock)
  const recorder = openHitRecorder(context, { versions, addressDetails, robots }, registry)
  const badTokens = createWindowCounter(MAX_BAD_TOKENS, BAD_TOKEN_WINDOW_MS)
  scope.addHook('onListen', async () => recorder.start())
  scope.addHook('onClose', async () => {
    robots.close()
    await recorder.close()
  })
  return {
    context,
    db,
    masterKeys: context.masterKeys,
    versions,
    addressDetails,
    recorder,
    refuse(request, reply) {
      const language = negotiatePageLanguage(request.headers['accept-language'])
      const waitMs = badTokens(request.ip, clock.now())
      if (waitMs === 0) return sendPage(reply, renderStatusPage('notFound', language))
      return sendPage(
        reply.header('retry-after', String(Math.ceil(waitMs / 1000))),
        renderStatusPage('tooMany', language),
      )
    },
  }
}

/** Common headers, raw bodies, and a page when the database is unavailable. */
function registerCommonHooks(scope: HttpApp): void {
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.headers(RESPONSE_HEADERS)
    done()
  })
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    async (_request: unknown, body: Buffer) => body,
  )
  scope.setErrorHandler((error, request, reply) => {
    if (!isUnavailableError(error)) throw error
    request.log.warn({ err: error }, 'public page not served: database unavailable')
    const language = negotiatePageLanguage(request.headers['accept-language'])
    return sendPage(reply.header('retry-after', '5'), renderStatusPage('unavailable', language))
  })
}

const TokenParams = Type.Object({ token: Type.String() })
const CodeParams = Type.Object({ code: Type.String() })
const TargetParams = Type.Object({
  token: Type.String(),
  target: Type.Optional(Type.String({ description: 'Destination of the link, as base64url.' })),
})

const htmlPage = ['text/html']
/** The pages that say why a token is of no use. */
const statusPages = { 404: htmlPage, 410: htmlPage, 429: htmlPage, 503: htmlPage }
const redirectAnswers = { ...statusPages, 302: [] }
const pixelAnswers = { ...statusPages, 200: ['image/gif'] }
const pageAnswers = { ...statusPages, 200: htmlPage }
const formAnswers = { ...pageAnswers, 400: htmlPage, 409: htmlPage, 413: [...htmlPage, 'application/problem+json'] }
const unsubscribeTypes = {
  'application/x-www-form-urlencoded': Type.Object({
    'List-Unsubscribe': Type.Optional(Type.Literal('One-Click', { description: 'Unsubscription by a mail reader.' })),
    confirm: Type.Optional(Type.Literal('1', { description: 'Confirmation on the page.' })),
  }),
}
const formTypes = {
  'application/x-www-form-urlencoded': Type.Record(
    Type.String(),
    Type.Union([Type.String(), Type.Array(Type.String())]),
    { description: 'Answers by the names of the fields on the page.' },
  ),
}

/** Options of a public route. */
function publicOptions(summary: string, notes: OperationNotes) {
  const schema = { tags: ['recipients'], summary, ...notes }
  return { config: { public: true, audit: AUDIT_EXEMPTIONS.recipient }, schema }
}

/** Options of a public route with path parameters. */
function publicParamOptions<Params>(operationId: string, summary: string, params: Params, notes: OperationNotes) {
  const { config, schema } = publicOptions(summary, { operationId, ...notes })
  return { config, schema: { ...schema, params } }
}

function registerHitRoutes(scope: HttpApp, tracking: TrackingContext): void {
  const { context, versions, recorder, refuse: refuseToken } = tracking
  const answerRedirect = async (
    request: FastifyRequest<{ Params: { token: string; target?: string } }>,
    reply: FastifyReply,
  ) => {
    const { target } = request.params
    const embedded = target === undefined ? undefined : Buffer.from(target, 'base64url').toString()
    const token = parseRequestToken(tracking, request, 'redirection', embedded)
    const linkTarget = token && (await findLinkTarget(versions, token, embedded))
    if (!token || !linkTarget) return refuseToken(request, reply)
    await recorder.record(token, { type: 'redirection', url: linkTarget.url }, toRequester(request))
    return reply.code(302).header('location', linkTarget.location).send()
  }
  scope.get(
    '/t/r/:token',
    publicParamOptions('followLink', 'Follow a tracked link', TokenParams, {
      description: 'Records a click and redirects to the destination of the link.',
      answerTypes: redirectAnswers,
    }),
    answerRedirect,
  )
  scope.get(
    '/t/r/:token/:target',
    publicParamOptions('followLinkWithTarget', 'Follow a tracked link with an embedded destination', TargetParams, {
      description:
        'Records a click and redirects to the destination in the path, which the token protects from changes.',
      answerTypes: redirectAnswers,
    }),
    answerRedirect,
  )
  scope.get(
    '/s/:code',
    publicParamOptions('followShortLink', 'Follow a short link', CodeParams, {
      description:
        'Records a click and redirects to the destination of the link. A code of a page redirects to the page.',
      answerTypes: redirectAnswers,
    }),
    async (request, reply) => {
      const shortCode = await resolveShortCode(context.db, context.tokens, request.params.code)
      if (shortCode && 'page' in shortCode) return reply.code(302).header('location', shortCode.page).send()
      const linkTarget = shortCode && (await findLinkTarget(versions, shortCode.token, shortCode.target))
      if (!shortCode || !linkTarget) return refuseToken(request, reply)
      await recorder.record(shortCode.token, { type: 'redirection', url: linkTarget.url }, toRequester(request))
      return reply.code(302).header('location', linkTarget.location).send()
    },
  )
}

function registerPixelRoute(scope: HttpApp, tracking: TrackingContext): void {
  const { recorder, refuse: refuseToken } = tracking
  scope.get(
    '/t/o/:token',
    publicParamOptions('getPixel', 'Get the tracking pixel of an email', TokenParams, {
      description: 'Records an open and returns a transparent image of one pixel.',
      answerTypes: pixelAnswers,
    }),
    async (request, reply) => {
      const token = parseRequestToken(tracking, request, 'open')
      if (!token) return refuseToken(request, reply)
      await recorder.record(token, { type: 'open', url: null }, toRequester(request))
      return reply.type('image/gif').send(PIXEL_GIF)
    },
  )
}

function registerHoneypotRoute(scope: HttpApp, tracking: TrackingContext): void {
  const { context, recorder, refuse: refuseToken } = tracking
  scope.get(
    '/t/h/:token',
    publicParamOptions('followRobotLink', 'Follow the hidden link for robots', TokenParams, {
      description:
        'Records that a robot reads the message, and redirects to the public address of the service. The link is ' +
        'invisible to people.',
      answerTypes: redirectAnswers,
    }),
    async (request, reply) => {
      const token = parseRequestToken(tracking, request, 'honeypot')
      if (!token) return refuseToken(request, reply)
      await recorder.recordHoneypot(token, toRequester(request))
      return reply.code(302).header('location', `${context.config.publicUrl}/`).send()
    },
  )
}

function registerMirrorRoutes(scope: HttpApp, tracking: TrackingContext): void {
  const { context, versions, recorder, refuse: refuseToken } = tracking
  scope.get(
    '/t/m/:token',
    publicParamOptions('getMirrorPage', 'Show the web version of an email', TokenParams, {
      description:
        'Returns the email as it was sent, and records a view of the mirror page. Returns 410 if it is no longer stored.',
      answerTypes: pageAnswers,
    }),
    async (request, reply) => {
      const token = parseRequestToken(tracking, request, 'mirror')
      if (!token) return refuseToken(request, reply)
      const page = await withDatabaseTimeout(renderMirror(context, token))
      if (!page) {
        const version = await versions.find(token.account, token.version)
        return sendPage(reply, renderStatusPage('gone', version?.language ?? 'en', version?.accountName))
      }
      await recorder.record(token, { type: 'mirror', url: null }, toRequester(request))
      return sendPage(reply, page)
    },
  )
  scope.get(
    '/t/preview',
    publicOptions('Show the page behind links of a preview', {
      description: 'Explains that links of a preview are disabled. Records nothing.',
      operationId: 'followPreviewLink',
      answerTypes: pageAnswers,
    }),
    (request, reply) =>
      sendPage(reply, renderStatusPage('preview', negotiatePageLanguage(request.headers['accept-language']))),
  )
}

function registerUnsubscribeRoutes(scope: HttpApp, tracking: TrackingContext): void {
  const { refuse: refuseToken } = tracking
  scope.get(
    '/t/u/:token',
    publicParamOptions('getUnsubscribePage', 'Show the unsubscribe page', TokenParams, {
      description: 'Returns the page that asks the recipient to confirm. Unsubscribes nobody and records nothing.',
      answerTypes: formAnswers,
    }),
    async (request, reply) => {
      const token = parseRequestToken(tracking, request, 'unsubscribe')
      const page = token && (await renderUnsubscribePage(tracking, token))
      return page ? sendPage(reply, page) : refuseToken(request, reply)
    },
  )
  scope.post(
    '/t/u/:token',
    publicParamOptions('unsubscribe', 'Unsubscribe a recipient', TokenParams, {
      description:
        'Unsubscribes the contact and records the unsubscription: by the confirmed page, or in one click by ' +
        '`List-Unsubscribe=One-Click` (RFC 8058). A repeat changes nothing. Links ' +
        'of test messages and copies unsubscribe nobody.',
      bodyTypes: unsubscribeTypes,
      answerTypes: formAnswers,
    }),
    async (request, reply) => {
      const token = parseRequestToken(tracking, request, 'unsubscribe')
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const form = await parsePostedForm(body, request.headers['content-type'] ?? '')
      const page = token && (await submitUnsubscription(tracking, token, form, toRequester(request)))
      if (!page) return refuseToken(request, reply)
      return page === 'empty' ? reply.code(200).send() : sendPage(reply, page)
    },
  )
}

function registerFormRoutes(scope: HttpApp, tracking: TrackingContext): void {
  const { refuse: refuseToken } = tracking
  scope.get(
    '/t/f/:token',
    publicParamOptions('getFormPage', 'Show the page of a form', TokenParams, {
      description: 'Returns the page with the questions of the form. Records nothing.',
      answerTypes: formAnswers,
    }),
    async (request, reply) => {
      const token = parseRequestToken(tracking, request, 'form')
      const page = token && (await renderInitialForm(tracking, token))
      return page ? sendPage(reply, page) : refuseToken(request, reply)
    },
  )
  const notes = {
    description:
      'Checks and stores the answers, and records a form response. Invalid answers return the page again with 422 and ' +
      'the fields to correct.',
    bodyTypes: formTypes,
    answerTypes: { ...formAnswers, 302: [], 422: htmlPage },
  }
  const schemaOptions = publicParamOptions('answerForm', 'Submit a form', TokenParams, notes)
  const options = { ...schemaOptions, bodyLimit: FORM_BODY_LIMIT }
  scope.post('/t/f/:token', options, async (request, reply) => {
    const token = parseRequestToken(tracking, request, 'form')
    if (!token) return refuseToken(request, reply)
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const entries = await parsePostedEntries(body, request.headers['content-type'] ?? '')
    const page = await submitForm(tracking, token, entries, toRequester(request))
    return page ? sendPage(reply, page) : refuseToken(request, reply)
  })
}

const DisplayQuery = Type.Object({
  r: Type.Optional(
    Type.Unknown({
      description: 'Nonce of the page view: an impression and a click with the same nonce belong together.',
    }),
  ),
  consent: Type.Optional(Type.Unknown({ description: '`1`: the visitor consents to a cookie for recognition.' })),
})

function registerDisplayRoutes(scope: HttpApp, tracking: TrackingContext): void {
  const endpoints = openDisplayEndpoints({ ...tracking, requesterOf: toRequester, pixel: PIXEL_GIF })
  const options = (summary: string, notes: OperationNotes) => ({
    config: { public: true, audit: AUDIT_EXEMPTIONS.recipient },
    schema: { tags: ['display'], summary, ...notes, params: TokenParams, querystring: DisplayQuery },
  })
  const pictureNotes = {
    description: 'Records an impression and returns a transparent image of one pixel.',
    operationId: 'getDisplayPicture',
    answerTypes: pixelAnswers,
  }
  scope.get('/d/:token.gif', options('Get the tracking pixel of a display content', pictureNotes), endpoints.impression)
  const linkNotes = {
    description: 'Records a click and redirects to the destination of the display content.',
    operationId: 'followDisplayLink',
    answerTypes: redirectAnswers,
  }
  scope.get('/d/:token', options('Follow the link of a display content', linkNotes), endpoints.redirection)
}

const PushParams = Type.Object({
  agency: Type.String(),
  customer: Type.String(),
  message: Type.String(),
  token: Type.String(),
})

function registerPushRoutes(scope: HttpApp, tracking: TrackingContext): void {
  const summary = 'Report a reaction to a notification'
  const description =
    'Applications call it when a notification is shown, opened or dismissed, or when the device opts out. The reaction is ' +
    'stored before the response. A repeat changes nothing; notifications of previews record nothing.'
  const notes = { operationId: 'reportPushHit', answerTypes: { ...statusPages, 204: [] } }
  const schema = { tags: ['recipients'], summary, description, ...notes, params: PushParams }
  const handler = createPushEndpoint({ ...tracking, requesterOf: toRequester })
  scope.get(
    '/hit/:agency/:customer/:message/link/:token',
    { config: { public: true, audit: AUDIT_EXEMPTIONS.recipient }, schema },
    handler,
  )
}

function parseRequestToken(
  { context }: TrackingContext,
  { params }: FastifyRequest<{ Params: { token: string } }>,
  kind: LinkTokenKind,
  target?: string,
): MessageLinkToken | undefined {
  return parseLinkToken(context.tokens, params.token, kind, target)
}

function toRequester({ method, ip, headers }: FastifyRequest): HitRequester {
  return { method, address: ip || null, userAgent: headers['user-agent'] ?? null, headers }
}

function sendPage(reply: FastifyReply, { status, html, policy }: RecipientPage): FastifyReply {
  return reply.code(status).header('content-security-policy', policy).type('text/html; charset=utf-8').send(html)
}
