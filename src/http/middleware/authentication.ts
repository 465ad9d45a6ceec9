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

/** How long a key is cached before the database is queried again: the delay of a revocation. */
const CACHE_MS = 1000
const USE_INTERVAL_MS = 60_000
const MAX_KEYS = 10_000

/** Where keys are stored: the database. */
export interface ApiKeyStore {
  find(key: string, now: Date): Promise<ApiKeyCredentials | undefined>
  noteUse(key: number, at: Date): Promise<void>
}

interface Known {
  credentials: ApiKeyCredentials
  until: number
}

/** `extras`: what the page of the sign-in has to know. */
function unauthorized({ bearer }: FastifyContextConfig, extras: Record<string, unknown> = {}): Problem {
  const headers: Record<string, string> = bearer ? { 'www-authenticate': 'Bearer realm="stentor"' } : {}
  return new Problem(401, 'unauthorized', 'Send a valid key in the X-Key header, or sign in.', { extras, headers })
}

/** A cache of keys by their text. */
function keyCache(
  store: ApiKeyStore,
  clock: Clock,
  app: HttpApp,
): (key: string) => Promise<ApiKeyCredentials | undefined> {
  const cache = new LRUCache<string, Known>({ max: MAX_KEYS })
  return async (key) => {
    const now = clock.now()
    const known = cache.get(key)
    if (known && known.until > now) return known.credentials
    cache.delete(key)
    const credentials = await store.find(key, new Date(now))
    if (!credentials) return undefined
    cache.set(key, { credentials, until: now + CACHE_MS })
    if (!credentials.lastUsedAt || now - credentials.lastUsedAt.getTime() > USE_INTERVAL_MS) {
      store
        .noteUse(credentials.key, new Date(now))
        .catch((error) => app.log.warn({ err: error }, 'could not record the use of a key'))
    }
    return credentials
  }
}

/** The key that a request was sent with, known or not: in X-Key, and where the route takes it as a bearer token. */
export function readPresentedApiKey({ headers, routeOptions }: FastifyRequest): string | undefined {
  const header = headers['x-key']
  if (typeof header === 'string' && header !== '') return header.length <= 512 ? header : undefined
  if (!routeOptions.config?.bearer) return undefined
  return /^bearer +([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? '')?.[1]
}

/** Paths that answer under our own host names alone, whoever asks. */
const HOSTED = /^\/(auth|console|captured)(\/|$)/i
const AUTH = /^\/auth\//i

/** The path of the route, whatever way it was written; of no route as it was written. */
function pathOf({ routeOptions, url }: FastifyRequest): string {
  return routeOptions.url ?? url.split('?', 1)[0] ?? '/'
}

/** What requests are authenticated by. */
export interface AuthenticationOptions {
  keys: ApiKeyStore
  sessions: SessionStore
  site: PublicSite
  clock: Clock
  /** What the provider of sign-ins is called, where there is one. */
  provider?: string
}

function refuseKeyOf({ session, operator }: FastifyContextConfig): void {
  if (session || operator) throw new Problem(403, 'session-required', 'This is for people: sign in.')
}

/** What a route says of who may come. */
function requireKnown(app: HttpApp): void {
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.public || config?.right || config?.session || config?.operator || config?.account) return
    throw new Error(`route ${url} names neither a right nor itself public`)
  })
}

/** Whether an answer is one to a person, or to somebody who signs in. */
function isPersonal(request: FastifyRequest, site: PublicSite): boolean {
  if (AUTH.test(pathOf(request))) return true
  const isOpen = request.routeOptions.config?.public === true || readPresentedApiKey(request) !== undefined
  return !isOpen && readSiteCookie(request, site, 'session') !== undefined
}

/** Answers to people are kept by no cache; their streams end with the session, and what they change is seen at once. */
function guardAnswers(app: HttpApp, { sessions, site }: Pick<AuthenticationOptions, 'sessions' | 'site'>): void {
  const { watch } = watchStreamSessions(sessions, (error) => app.log.error({ err: error }, 'cannot watch sessions'))
  app.addHook('onSend', async (request, reply, payload) => {
    if (!isPersonal(request, site)) return payload
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
  const find = keyCache(keys, clock, app)
  const limit = createRateLimiter()
  const admission: SessionAdmission = {
    ...{ site, sessions },
    spend: (reply, person, rate) => limit(reply, { id: person, ...rate }, clock.now()),
  }
  app.decorateRequest('account', 0)
  app.decorateRequest('apiKey', 0)
  app.decorateRequest('rights', null)
  app.decorateRequest('actor', null)
  app.decorateRequest('person', null)
  requireKnown(app)
  guardAnswers(app, { sessions, site })
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const config: FastifyContextConfig = request.routeOptions.config ?? {}
    if (HOSTED.test(pathOf(request))) requireSiteHost(request, site)
    if (config.public) return
    const key = readPresentedApiKey(request)
    if (key === undefined && (await admitSessionUser(request, reply, admission))) return
    if (config.local && key === undefined && isLocalRequest(request.raw)) return
    const credentials = key === undefined ? undefined : await find(key)
    if (!credentials) throw unauthorized(config, pathOf(request) === '/me' ? { provider: provider ?? null } : {})
    limit(reply, { id: credentials.key, ...credentials }, clock.now())
    request.account = credentials.account
    request.apiKey = credentials.key
    request.rights = credentials.rights
    request.actor = { type: 'key', id: String(credentials.key), name: credentials.name }
    refuseKeyOf(config)
    const sufficient = config.right === undefined ? [] : [config.right].flat()
    if (sufficient.length > 0 && !sufficient.some((right) => credentials.rights.includes(right))) {
      throw new Problem(403, 'right-missing', `This key lacks the right "${sufficient.join('" or "')}".`)
    }
  })
}
