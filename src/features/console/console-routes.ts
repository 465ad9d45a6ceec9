import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { escapeHtml } from '../rendering/templates/liquid.ts'
import { CONSOLE_BUILDS_DIR, type ConsoleBuild, chooseContentEncoding, loadConsoleBuild } from './build.ts'
import { consolePagePolicy, MESSAGE_FRAME_PAGE, messageFramePolicy } from './policies.ts'

const open = { config: { public: true }, schema: { hide: true } } as const
const HTML = 'text/html; charset=utf-8'
const A_YEAR = 'public, max-age=31536000, immutable'
const COMMAND = 'npm run console'

/** Of every page: nothing of the browser is used but the clipboard and passkeys. */
const PAGE_HEADERS = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

/** Whether a request names HTML among what it takes: `*` of programs is not enough. */
export function acceptsHtml({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(headers.accept ?? '')
}

interface PageFacts {
  host: string
  provider: string
}

/** Where pictures of the account's media come from. */
function mediaHost(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).origin
}

function notBuilt(): Problem {
  return new Problem(
    503,
    'console-not-built',
    `The console is not built here: run "${COMMAND}", then start the service again.`,
  )
}

/** The file of a build, in the best encoding that the client takes. */
async function sendAsset(build: ConsoleBuild, name: string, request: FastifyRequest, reply: FastifyReply) {
  const asset = build.asset(name)
  if (!asset) throw new Problem(404, 'not-found', 'This build of the console has no such file.')
  const encoding = chooseContentEncoding(request.headers['accept-encoding'], asset.encodings)
  reply.headers({ 'cache-control': A_YEAR, vary: 'Accept-Encoding', 'cross-origin-resource-policy': 'same-origin' })
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.type(asset.type).send(await build.read(name, encoding))
}

/** The page, with a nonce of this request, and the name of the provider that people may sign in at. */
function sendPage({ page }: ConsoleBuild, { host, provider }: PageFacts, reply: FastifyReply) {
  const nonce = randomBytes(18).toString('base64')
  return reply
    .type(HTML)
    .headers({
      ...PAGE_HEADERS,
      'cache-control': 'no-store',
      'content-security-policy': consolePagePolicy(nonce, host),
    })
    .send(page.replaceAll('{{nonce}}', nonce).replace('{{provider}}', () => escapeHtml(provider)))
}

/** The pages that show messages: framed by the console alone. */
function frameRoutes(app: HttpApp, host: () => string): void {
  for (const [path, pictures] of [
    ['/console/frame', false],
    ['/console/frame-pictures', true],
  ] as const)
    app.get(path, open, (_request, reply) =>
      reply
        .type(HTML)
        .headers({
          'cache-control': 'public, max-age=3600',
          'referrer-policy': 'no-referrer',
          'content-security-policy': messageFramePolicy(host(), pictures),
        })
        .send(MESSAGE_FRAME_PAGE),
    )
}

/** The console: its page, its files, and the pages that show messages. Where it is not built, 503 says what to do. */
export function consoleRoutes(app: HttpApp, { config, log, consoleBuilds = CONSOLE_BUILDS_DIR }: ServiceContext): void {
  if (!config.console) return
  let build: ConsoleBuild | undefined
  app.addHook('onReady', async () => {
    build = await loadConsoleBuild(consoleBuilds)
    if (!build) log.warn({ command: COMMAND }, 'the console is not built: /console/ answers 503')
  })
  const built = (): ConsoleBuild => {
    if (!build) throw notBuilt()
    return build
  }
  const host = (): string => mediaHost(config.publicUrl)
  frameRoutes(app, host)
  app.get<{ Params: { '*': string } }>('/console/assets/*', open, (request, reply) =>
    sendAsset(built(), request.params['*'], request, reply),
  )
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('vary', 'Accept')
    if (!acceptsHtml(request)) throw new Problem(404, 'not-found', 'Unknown path; the console is for browsers.')
    return sendPage(built(), { host: host(), provider: config.oidc?.name ?? '' }, reply)
  }
  app.get('/console', open, page)
  app.get('/console/*', open, page)
}
