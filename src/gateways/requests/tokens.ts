import { LRUCache } from 'lru-cache'
import { type Clock, isStillWaiting } from '../../lib/time/clock.ts'

/** A token as the endpoint gave it. */
export interface IssuedBearerToken {
  value: string
  lifetimeSeconds: number
}

/** The bearer token of one service account at one endpoint. */
export interface TokenSource {
  /** The token that is kept, or a new one. Throws what asking for it throws. */
  current(): Promise<string>
  /** Another token than the one that was refused; the one that is kept, when it is another already. */
  renewed(refused: string): Promise<string>
}

/** So long before its end a token is not used any more. */
const EXPIRY_MARGIN_MS = 60_000

/** Keeps a token until 60 s before its end. However many callers want a new one, it is asked for once at a time. */
export function createTokenSource(ask: () => Promise<IssuedBearerToken>, clock: Clock): TokenSource {
  let cachedToken: { value: string; until: number; longestMs: number } | undefined
  let pendingRequest: Promise<string> | undefined

  async function renewToken(): Promise<string> {
    const requestedAt = clock.now()
    const { value, lifetimeSeconds } = await ask()
    const longestMs = lifetimeSeconds * 1000 - EXPIRY_MARGIN_MS
    cachedToken = { value, until: requestedAt + longestMs, longestMs }
    return value
  }

  async function getCurrentToken(): Promise<string> {
    if (
      cachedToken !== undefined &&
      isStillWaiting(cachedToken.until, { now: clock.now(), longestMs: cachedToken.longestMs })
    )
      return cachedToken.value
    pendingRequest ??= renewToken().finally(() => {
      pendingRequest = undefined
    })
    return pendingRequest
  }

  return {
    current: getCurrentToken,
    renewed(refused) {
      if (cachedToken?.value === refused) cachedToken = undefined
      return getCurrentToken()
    },
  }
}

/** Token sources that several gateways share, by service account and endpoint. */
export interface SharedTokenSources {
  /** Returns the source of a key; `make` creates it if it does not exist yet. */
  of(key: string, make: () => TokenSource): TokenSource
}

const MAX_SOURCES = 1000

export function createSharedTokenSources(): SharedTokenSources {
  const sources = new LRUCache<string, TokenSource>({ max: MAX_SOURCES })
  return {
    of(key, make) {
      const existingSource = sources.get(key)
      if (existingSource !== undefined) return existingSource
      const newSource = make()
      sources.set(key, newSource)
      return newSource
    },
  }
}
