import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { chooseContentEncoding } from '../../lib/net/content-encoding.ts'
import { escapeHtml } from '../rendering/templates/liquid.ts'
import { CONSOLE_BUILDS_DIR, type ConsoleBuild, loadConsoleBuild } from './build.ts'
import { consolePagePolicy, MESSAGE_FRAME_PAGE, messageFramePolicy } from './policies.ts'

const publicRoute = { config: { public: true }, schema: { hide: true } } as const
const HTML_CONTENT_TYPE = 'text/html; charset=utf-8'
const IMMUTABLE_CACHE_CONTROL = 'public, max-age=31536000, immutable'
const BUILD_COMMAND = 'npm run console'

/** Headers of every page: the clipboard and passkeys are the only browser features in use. */
const PAGE_HEADERS = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
}

/** The media ranges of a request, each with whether it is accepted; without a header, everything is. */
function readAcceptedRanges({ headers }: Pick<FastifyRequest, 'headers'>): Map<string, boolean> {
  const ranges = (headers.accept ?? '*/*').toLowerCase().split(',')
  return new Map(
    ranges.map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
      return [type, !parameters.some((parameter) => parameter.startsWith('q=') && Number(parameter.slice(2)) === 0)]
    }),
  )
}

/** True if a request accepts HTML by name, as browsers do. */
export function prefersHtml(request: Pick<FastifyRequest, 'headers'>): boolean {
  return readAcceptedRanges(request).get('text/html') ?? false
}

/** True if a request accepts HTML, by name or by a `*`. */
function acceptsHtml(request: Pick<FastifyRequest, 'headers'>): boolean {
  const ranges = readAcceptedRanges(request)
  return ranges.get('text/html') ?? ranges.get('text/*') ?? ranges.get('*/*') ?? false
}

interface PageValues {
  host: string
  provider: string
}

/** The host that serves pictures of the account's media. */
function resolveMediaHost(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).origin
}

function notBuiltProblem(): Problem {
  return new Problem(
    503,
    'console-not-built',
    `The console is not built. Run "${BUILD_COMMAND}", then restart the service.`,
  )
}

/** The file of a build, in the best encoding that the client takes. */
async function sendAsset(build: ConsoleBuild, name: string, request: FastifyRequest, reply: FastifyReply) {
  const asset = build.asset(name)
  if (!asset) throw new Problem(404, 'not-found', 'This build of the console has no such file.')
  const encoding = chooseContentEncoding(request.headers['accept-encoding'], asset.encodings)
  reply.headers({
    'cache-control': IMMUTABLE_CACHE_CONTROL,
    vary: 'Accept-Encoding',
    'cross-origin-resource-policy': 'same-origin',
  })
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.type(asset.type).send(await build.read(name, encoding))
}

/** The page, with a nonce of this request, and the name of the provider that people may sign in at. */
function sendPage({ page }: ConsoleBuild, { host, provider }: PageValues, reply: FastifyReply) {
  const nonce = randomBytes(18).toString('base64')
  return reply
    .type(HTML_CONTENT_TYPE)
    .headers({
      ...PAGE_HEADERS,
      'cache-control': 'no-store',
      'content-security-policy': consolePagePolicy(nonce, host),
    })
    .send(page.replaceAll('{{nonce}}', nonce).replace('{{provider}}', () => escapeHtml(provider)))
}

/** The pages that show messages: framed by the console alone. */
function registerFrameRoutes(app: HttpApp, host: () => string): void {
  for (const [path, allowsPictures] of [
    ['/console/frame', false],
    ['/console/frame-pictures', true],
  ] as const)
    app.get(path, publicRoute, (_request, reply) =>
      reply
        .type(HTML_CONTENT_TYPE)
        .headers({
          'cache-control': 'public, max-age=3600',
          'referrer-policy': 'no-referrer',
          'content-security-policy': messageFramePolicy(host(), allowsPictures),
        })
        .send(MESSAGE_FRAME_PAGE),
    )
}

/** The console: its page, its files, and the pages that show messages. Where it is not built, 503 says what to do. */
export function consoleRoutes(app: HttpApp, { config, log, consoleBuilds = CONSOLE_BUILDS_DIR }: ServiceContext): void {
  if (!config.console) return
  let loadedBuild: ConsoleBuild | undefined
  app.addHook('onReady', async () => {
    loadedBuild = await loadConsoleBuild(consoleBuilds)
    if (!loadedBuild) log.warn({ command: BUILD_COMMAND }, 'console not built: /console/ returns 503')
  })
  const requireBuild = (): ConsoleBuild => {
    if (!loadedBuild) throw notBuiltProblem()
    return loadedBuild
  }
  const pageMediaHost = (): string => resolveMediaHost(config.publicUrl)
  registerFrameRoutes(app, pageMediaHost)
  app.get<{ Params: { '*': string } }>('/console/assets/*', publicRoute, (request, reply) =>
    sendAsset(requireBuild(), request.params['*'], request, reply),
  )
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('vary', 'Accept')
    if (!acceptsHtml(request))
      throw new Problem(404, 'not-found', 'The console is a page: it is only served as text/html.')
    return sendPage(requireBuild(), { host: pageMediaHost(), provider: config.oidc?.name ?? '' }, reply)
  }
  app.get('/console', publicRoute, page)
  app.get('/console/*', publicRoute, page)
}
