import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Credentials } from '../lib/account.ts'
import type { Clock } from '../lib/clock.ts'
import { Problem } from '../lib/problem.ts'
import type { App } from './app-type.ts'
import { rateLimiter } from './limits.ts'
import { isLocal } from './local.ts'

/** How long a key is cached before the database is queried again: the delay of a revocation. */
const CACHE_MS = 1000
const USE_INTERVAL_MS = 60_000
const MAX_KEYS = 10_000

/** Where keys are stored: the database. */
export interface KeyStore {
  find(key: string, now: Date): Promise<Credentials | undefined>
  noteUse(key: number, at: Date): Promise<void>
}

interface Known {
  credentials: Credentials
  until: number
}

function unauthorized(): Problem {
  return new Problem(401, 'unauthorized', 'Send a valid key in the X-Key header.')
}

/** A cache of keys by their text. */
function keyCache(store: KeyStore, clock: Clock, app: App): (key: string) => Promise<Credentials | undefined> {
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

function presentedKey(request: FastifyRequest): string | undefined {
  const header = request.headers['x-key']
  return typeof header === 'string' && header !== '' && header.length <= 512 ? header : undefined
}

/** Finds the account of each request by its X-Key, checks the route's right, and spends one token of the key's bucket. */
export function registerAuthentication(app: App, store: KeyStore, clock: Clock): void {
  const find = keyCache(store, clock, app)
  const spend = rateLimiter()
  app.decorateRequest('account', 0)
  app.decorateRequest('apiKey', 0)
  app.decorateRequest('rights', null)
  app.decorateRequest('actor', null)
  app.decorateRequest('person', null)
  app.addHook('onRoute', ({ url, config }) => {
    if (!config?.public && !config?.right && !config?.session && !config?.operator)
      throw new Error(`route ${url} names neither a right nor itself public`)
  })
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const { config } = request.routeOptions
    if (config?.public) return
    const key = presentedKey(request)
    if (config?.local && key === undefined && isLocal(request.raw)) return
    const credentials = key === undefined ? undefined : await find(key)
    if (!credentials) throw unauthorized()
    spend(reply, credentials, clock.now())
    if (config?.session || config?.operator)
      throw new Problem(403, 'session-required', 'This operation is for people: sign in.')
    const sufficient = config?.right === undefined ? [] : [config.right].flat()
    if (sufficient.length > 0 && !sufficient.some((right) => credentials.rights.includes(right))) {
      throw new Problem(403, 'right-missing', `This key lacks the right "${sufficient.join('" or "')}".`)
    }
    request.account = credentials.account
    request.apiKey = credentials.key
    request.rights = credentials.rights
    request.actor = { type: 'key', id: String(credentials.key), name: credentials.name }
  })
}
