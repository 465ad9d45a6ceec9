import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { readToken, type Token, type TokenKind } from '../../lib/tokens.ts'
import { openAddressDetails } from './address-details.ts'
import { isAway, soon } from './away.ts'
import { countBadTokens } from './bad-tokens.ts'
import { openDisplayDoor } from './display-door.ts'
import { readEntries, readForm } from './form-body.ts'
import { type Answering, answerForm, askForm } from './form-page.ts'
import { acceptedLanguage } from './languages.ts'
import { makeMirror } from './mirror.ts'
import { noticePage, type Page } from './pages.ts'
import { openRecording, type Recording, type Seen } from './recording.ts'
import { openRobotLists } from './robot-lists.ts'
import { resolveShortCode } from './short-codes.ts'
import { findTarget } from './targets.ts'
import { askToUnsubscribe, confirmUnsubscription, type Unsubscribing } from './unsubscribe-page.ts'
import { openVersionCache, type VersionCache } from './version-cache.ts'

const HEADERS = {
  'cache-control': 'no-store, private',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

/** One transparent point, 43 bytes. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

const BODY_LIMIT = 64 * 1024
/** Ten text areas full of letters that take nine characters each when they are posted. */
const FORM_LIMIT = 6 * 1024 * 1024

/** What the public endpoints share. */
interface Tracking extends Unsubscribing, Answering {
  context: Context
  versions: VersionCache
  recording: Recording
  /** Answers a token that is none: the same page whatever is wrong with it. */
  refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply
}

/** The public side of what was sent: links, pixels, mirror pages and unsubscriptions; no key is asked for. */
export function trackingRoutes(app: App, context: Context, registry: Registry): void {
  app.register(async (scope: App) => {
    const tracking = await openTracking(scope, context, registry)
    registerCommon(scope)
    registerHits(scope, tracking)
    registerMirror(scope, tracking)
    registerUnsubscribe(scope, tracking)
    registerForms(scope, tracking)
    registerDisplay(scope, tracking)
  })
}

async function openTracking(scope: App, context: Context, registry: Registry): Promise<Tracking> {
  const { db, clock, config, log } = context
  const robots = await openRobotLists(config.robotsDir, log)
  const versions = openVersionCache(db)
  const addressDetails = openAddressDetails(db, clock)
  const recording = openRecording(context, { versions, addressDetails, robots }, registry)
  const isTooMany = countBadTokens()
  scope.addHook('onListen', async () => recording.start())
  scope.addHook('onClose', async () => {
    robots.close()
    await recording.close()
  })
  return {
    context,
    db,
    versions,
    addressDetails,
    recording,
    refuse(request, reply) {
      const language = acceptedLanguage(request.headers['accept-language'])
      if (!isTooMany(request.ip, clock.now())) return sendPage(reply, noticePage('notFound', language))
      return sendPage(reply.header('retry-after', '60'), noticePage('tooMany', language))
    },
  }
}

/** What all of them answer alike: headers, forms as bodies, and a page when the database is away. */
function registerCommon(scope: App): void {
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.headers(HEADERS)
    done()
  })
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    async (_request: unknown, body: Buffer) => body,
  )
  scope.setErrorHandler((error, request, reply) => {
    if (!isAway(error)) throw error
    request.log.warn({ err: error }, 'a page has to wait for the database')
    const language = acceptedLanguage(request.headers['accept-language'])
    return sendPage(reply.header('retry-after', '5'), noticePage('unavailable', language))
  })
}

const TokenParams = Type.Object({ token: Type.String() })
const CodeParams = Type.Object({ code: Type.String() })
const TargetParams = Type.Object({ token: Type.String(), target: Type.Optional(Type.String()) })

/** The options of a public route. */
function publicly(summary: string) {
  return { config: { public: true }, schema: { tags: ['recipients'], summary } }
}

/** The options of a public route whose path holds a token. */
function withToken<Params>(summary: string, params: Params) {
  const { config, schema } = publicly(summary)
  return { config, schema: { ...schema, params } }
}

function registerHits(scope: App, tracking: Tracking): void {
  const { context, versions, recording, refuse } = tracking
  const redirect = async (
    request: FastifyRequest<{ Params: { token: string; target?: string } }>,
    reply: FastifyReply,
  ) => {
    const { target } = request.params
    const travelled = target === undefined ? undefined : Buffer.from(target, 'base64url').toString()
    const token = tokenOf(tracking, request, 'redirection', travelled)
    const found = token && (await findTarget(versions, token, travelled))
    if (!token || !found) return refuse(request, reply)
    await recording.record(token, { type: 'redirection', url: found.url }, seenIn(request))
    return reply.code(302).header('location', found.location).send()
  }
  scope.get('/t/r/:token', withToken('follow a tracked link', TokenParams), redirect)
  scope.get('/t/r/:token/:target', withToken('follow a tracked link that holds its target', TargetParams), redirect)
  scope.get('/s/:code', withToken('follow a short link', CodeParams), async (request, reply) => {
    const short = await resolveShortCode(context.db, context.tokens, request.params.code)
    if (short && 'page' in short) return reply.code(302).header('location', short.page).send()
    const found = short && (await findTarget(versions, short.token, short.target))
    if (!short || !found) return refuse(request, reply)
    await recording.record(short.token, { type: 'redirection', url: found.url }, seenIn(request))
    return reply.code(302).header('location', found.location).send()
  })
  scope.get('/t/o/:token', withToken('read the pixel of a message', TokenParams), async (request, reply) => {
    const token = tokenOf(tracking, request, 'open')
    if (!token) return refuse(request, reply)
    await recording.record(token, { type: 'open', url: null }, seenIn(request))
    return reply.type('image/gif').send(PIXEL)
  })
  scope.get('/t/h/:token', withToken('follow the link that only robots see', TokenParams), async (request, reply) => {
    const token = tokenOf(tracking, request, 'honeypot')
    if (!token) return refuse(request, reply)
    await recording.springHoneypot(token, seenIn(request))
    return reply.code(302).header('location', `${context.config.publicUrl}/`).send()
  })
}

function registerMirror(scope: App, tracking: Tracking): void {
  const { context, versions, recording, refuse } = tracking
  scope.get('/t/m/:token', withToken('read a message as it was sent', TokenParams), async (request, reply) => {
    const token = tokenOf(tracking, request, 'mirror')
    if (!token) return refuse(request, reply)
    const page = await soon(makeMirror(context, token))
    if (!page) {
      const version = await versions.find(token.account, token.version)
      return sendPage(reply, noticePage('gone', version?.language ?? 'en', version?.accountName))
    }
    await recording.record(token, { type: 'mirror', url: null }, seenIn(request))
    return sendPage(reply, page)
  })
  scope.get('/t/preview', publicly('where links of a preview lead'), (request, reply) =>
    sendPage(reply, noticePage('preview', acceptedLanguage(request.headers['accept-language']))),
  )
}

function registerUnsubscribe(scope: App, tracking: Tracking): void {
  const { refuse } = tracking
  scope.get('/t/u/:token', withToken('ask whether to unsubscribe', TokenParams), async (request, reply) => {
    const token = tokenOf(tracking, request, 'unsubscribe')
    const page = token && (await askToUnsubscribe(tracking, token))
    return page ? sendPage(reply, page) : refuse(request, reply)
  })
  scope.post('/t/u/:token', withToken('unsubscribe', TokenParams), async (request, reply) => {
    const token = tokenOf(tracking, request, 'unsubscribe')
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const form = await readForm(body, request.headers['content-type'] ?? '')
    const page = token && (await confirmUnsubscription(tracking, token, form, seenIn(request)))
    if (!page) return refuse(request, reply)
    return page === 'empty' ? reply.code(200).send() : sendPage(reply, page)
  })
}

function registerForms(scope: App, tracking: Tracking): void {
  const { refuse } = tracking
  scope.get('/t/f/:token', withToken('read a form', TokenParams), async (request, reply) => {
    const token = tokenOf(tracking, request, 'form')
    const page = token && (await askForm(tracking, token))
    return page ? sendPage(reply, page) : refuse(request, reply)
  })
  const answering = { ...withToken('answer a form', TokenParams), bodyLimit: FORM_LIMIT }
  scope.post('/t/f/:token', answering, async (request, reply) => {
    const token = tokenOf(tracking, request, 'form')
    if (!token) return refuse(request, reply)
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const entries = await readEntries(body, request.headers['content-type'] ?? '')
    const page = await answerForm(tracking, token, entries, seenIn(request))
    return page ? sendPage(reply, page) : refuse(request, reply)
  })
}

const DisplayQuery = Type.Object({
  r: Type.Optional(
    Type.Unknown({ description: 'a nonce of the page: picture and link that have the same belong together' }),
  ),
  consent: Type.Optional(Type.Unknown({ description: '1: the visitor agrees to be known again by a cookie' })),
})

function registerDisplay(scope: App, tracking: Tracking): void {
  const door = openDisplayDoor({ ...tracking, seenIn, pixel: PIXEL })
  const options = (summary: string) => ({
    config: { public: true },
    schema: { tags: ['display'], summary, params: TokenParams, querystring: DisplayQuery },
  })
  scope.get('/d/:token.gif', options('read the picture of a display content'), door.impression)
  scope.get('/d/:token', options('follow the link of a display content'), door.redirection)
}

function tokenOf(
  { context }: Tracking,
  { params }: FastifyRequest<{ Params: { token: string } }>,
  kind: TokenKind,
  target?: string,
): Token | undefined {
  return readToken(context.tokens, params.token, kind, target)
}

function seenIn({ method, ip, headers }: FastifyRequest): Seen {
  return { method, address: ip || null, userAgent: headers['user-agent'] ?? null, headers }
}

function sendPage(reply: FastifyReply, { status, html, policy }: Page): FastifyReply {
  return reply.code(status).header('content-security-policy', policy).type('text/html; charset=utf-8').send(html)
}
