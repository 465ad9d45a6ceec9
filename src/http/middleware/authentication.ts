import { Readable } from 'node:stream'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { ApiKeyCredentials } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import type { PublicSite } from '../../lib/net/site.ts'
import type { SessionStore } from '../../lib/sessions.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { HttpApp } from '../app-type.ts'
import { isLocalRequest } from './local.ts'
import { admitSessionUser, type SessionAdmission } from './persons.ts'
import { createRateLimiter } from './rate-limit.ts'
import { watchStreamSessions } from './session-watch.ts'
import { readSiteCookie, requireSiteHost } from './site.ts'

/** The time for which a key is cached before the database is queried again: the delay of a revocation. */
const KEY_CACHE_MS = 1000
const KEY_USE_INTERVAL_MS = 60_000
const MAX_CACHED_KEYS = 10_000

/** The store of API keys: the database. */
export interface ApiKeyStore {
  find(key: string, now: Date): Promise<ApiKeyCredentials | undefined>
  noteUse(key: number, at: Date): Promise<void>
}

interface CachedKey {
  credentials: ApiKeyCredentials
  until: number
}

/** `extras`: what the page of the sign-in has to know. */
function createUnauthorizedProblem({ bearer }: FastifyContextConfig, extras: Record<string, unknown> = {}): Problem {
  const headers: Record<string, string> = bearer ? { 'www-authenticate': 'Bearer realm="stentor"' } : {}
  return new Problem(401, 'unauthorized', 'Send a valid key in the X-Key header, or sign in.', { extras, headers })
}

/** A cache of keys by their text. */
function createKeyCache(
  store: ApiKeyStore,
  clock: Clock,
  app: HttpApp,
): (key: string) => Promise<ApiKeyCredentials | undefined> {
  const cachedKeys = new LRUCache<string, CachedKey>({ max: MAX_CACHED_KEYS })
  return async (key) => {
    const now = clock.now()
    const cachedKey = cachedKeys.get(key)
    if (cachedKey && cachedKey.until > now) return cachedKey.credentials
    cachedKeys.delete(key)
    const credentials = await store.find(key, new Date(now))
    if (!credentials) return undefined
    cachedKeys.set(key, { credentials, until: now + KEY_CACHE_MS })
    if (!credentials.lastUsedAt || now - credentials.lastUsedAt.getTime() > KEY_USE_INTERVAL_MS) {
      store
        .noteUse(credentials.key, new Date(now))
        .catch((error) => app.log.warn({ err: error }, 'use of a key not recorded'))
    }
    return credentials
  }
}

/** The key that a request was sent with, known or not: in X-Key, and where the route takes it as a bearer token. */
export function readPresentedApiKey({ headers, routeOptions }: FastifyRequest): string | undefined {
  const keyHeader = headers['x-key']
  if (typeof keyHeader === 'string' && keyHeader !== '') return keyHeader.length <= 512 ? keyHeader : undefined
  if (!routeOptions.config?.bearer) return undefined
  return /^bearer +([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? '')?.[1]
}

/** Paths that answer under our own host names alone, whoever asks. */
const SITE_ONLY_PATH = /^\/(auth|console|captured)(\/|$)/i
const AUTH_PATH = /^\/auth\//i

/** The path of the route, whatever way it was written; of no route as it was written. */
function getRoutePath({ routeOptions, url }: FastifyRequest): string {
  return routeOptions.url ?? url.split('?', 1)[0] ?? '/'
}

/** The dependencies for authenticating requests. */
export interface AuthenticationOptions {
  keys: ApiKeyStore
  sessions: SessionStore
  site: PublicSite
  clock: Clock
  /** The name of the sign-in provider, if there is one. */
  provider?: string
}

function assertKeyAllowed({ session, operator }: FastifyContextConfig): void {
  if (session || operator)
    throw new Problem(403, 'session-required', 'This operation requires a signed-in user. Sign in.')
}

/** Requires each route to declare who may use it. */
function requireAccessRules(app: HttpApp): void {
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.public || config?.right || config?.session || config?.operator || config?.account) return
    throw new Error(`route ${url} names neither a right nor itself public`)
  })
}

/** Returns true if an answer is for a signed-in person or for someone who is signing in. */
function isPersonalAnswer(request: FastifyRequest, site: PublicSite): boolean {
  if (AUTH_PATH.test(getRoutePath(request))) return true
  const isPublicOrKeyed = request.routeOptions.config?.public === true || readPresentedApiKey(request) !== undefined
  return !isPublicOrKeyed && readSiteCookie(request, site, 'session') !== undefined
}

/** Answers to people are kept by no cache; their streams end with the session, and what they change is seen at once. */
function protectPersonalAnswers(
  app: HttpApp,
  { sessions, site }: Pick<AuthenticationOptions, 'sessions' | 'site'>,
): void {
  const { watch } = watchStreamSessions(sessions, (error) => app.log.error({ err: error }, 'cannot watch sessions'))
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isPersonalAnswer(request, site)) return payload
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD') sessions.forget()
    reply.header('cache-control', 'private, no-store')
    reply.header('vary', [reply.getHeader('vary'), 'Cookie, X-Account'].flat().filter(Boolean).join(', '))
    if (payload instanceof Readable) watch(request, reply)
    return payload
  })
}

/** Finds the account of each request by its X-Key, or by the session of a person; checks the route's right, and limits the rate. */
export function registerAuthentication(
  app: HttpApp,
  { keys, sessions, site, clock, provider }: AuthenticationOptions,
): void {
  const findKey = createKeyCache(keys, clock, app)
  const limitRate = createRateLimiter()
  const admission: SessionAdmission = {
    site,
    sessions,
    spend: (reply, person, rate) => limitRate(reply, { id: person, ...rate }, clock.now()),
  }
  app.decorateRequest('account', 0)
  app.decorateRequest('apiKey', 0)
  app.decorateRequest('rights', null)
  app.decorateRequest('actor', null)
  app.decorateRequest('person', null)
  requireAccessRules(app)
  protectPersonalAnswers(app, { sessions, site })
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const config: FastifyContextConfig = request.routeOptions.config ?? {}
    if (SITE_ONLY_PATH.test(getRoutePath(request))) requireSiteHost(request, site)
    if (config.public) return
    const key = readPresentedApiKey(request)
    if (key === undefined && (await admitSessionUser(request, reply, admission))) return
    if (config.local && key === undefined && isLocalRequest(request.raw)) return
    const credentials = key === undefined ? undefined : await findKey(key)
    if (!credentials)
      throw createUnauthorizedProblem(config, getRoutePath(request) === '/me' ? { provider: provider ?? null } : {})
    limitRate(reply, { id: credentials.key, ...credentials }, clock.now())
    request.account = credentials.account
    request.apiKey = credentials.key
    request.rights = credentials.rights
    request.actor = { type: 'key', id: String(credentials.key), name: credentials.name }
    assertKeyAllowed(config)
    const sufficient = config.right === undefined ? [] : [config.right].flat()
    if (sufficient.length > 0 && !sufficient.some((right) => credentials.rights.includes(right))) {
      throw new Problem(403, 'right-missing', `This key lacks the right "${sufficient.join('" or "')}".`)
    }
  })
}
