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
const MARGIN_MS = 60_000

/** Keeps a token until 60 s before its end. However many callers want a new one, it is asked for once at a time. */
export function createTokenSource(ask: () => Promise<IssuedBearerToken>, clock: Clock): TokenSource {
  let kept: { value: string; until: number; longestMs: number } | undefined
  let asking: Promise<string> | undefined

  async function renew(): Promise<string> {
    const from = clock.now()
    const { value, lifetimeSeconds } = await ask()
    const longestMs = lifetimeSeconds * 1000 - MARGIN_MS
    kept = { value, until: from + longestMs, longestMs }
    return value
  }

  async function current(): Promise<string> {
    if (kept !== undefined && isStillWaiting(kept.until, { now: clock.now(), longestMs: kept.longestMs }))
      return kept.value
    asking ??= renew().finally(() => {
      asking = undefined
    })
    return asking
  }

  return {
    current,
    renewed(refused) {
      if (kept?.value === refused) kept = undefined
      return current()
    },
  }
}

/** Token sources that several gateways share, by service account and endpoint. */
export interface SharedTokenSources {
  /** The source of a key; `make` makes it when there is none yet. */
  of(key: string, make: () => TokenSource): TokenSource
}

const MAX_SOURCES = 1000

export function createSharedTokenSources(): SharedTokenSources {
  const sources = new LRUCache<string, TokenSource>({ max: MAX_SOURCES })
  return {
    of(key, make) {
      const known = sources.get(key)
      if (known !== undefined) return known
      const made = make()
      sources.set(key, made)
      return made
    },
  }
}
