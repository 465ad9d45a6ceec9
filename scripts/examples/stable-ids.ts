import { createHash } from 'node:crypto'

/** Replaces random IDs and tokens by others that depend only on where they are first seen. */
export interface StableIds {
  /** `timeMs`: the time in a UUID of version 7. */
  replaceUuid(uuid: string, place: string, timeMs?: number): string
  replaceToken(token: string, place: string): string
  replaceDigest(digest: string, place: string): string
}

/** Characters of a digest at least. */
const MIN_DIGEST = 10

const hashText = (text: string): Buffer => createHash('sha512').update(text).digest()

/** A UUID of version 7 of a time, or of version 4. */
function buildUuid(seed: string, timeMs: number | undefined): string {
  const hex = hashText(`id ${seed}`).toString('hex')
  const time = timeMs === undefined ? hex.slice(0, 12) : timeMs.toString(16).padStart(12, '0')
  const version = timeMs === undefined ? '4' : '7'
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function buildToken(seed: string, length: number): string {
  let text = ''
  for (let part = 0; text.length < length; part++) text += hashText(`token ${seed} ${part}`).toString('base64url')
  return text.slice(0, length)
}

/** Creates it. */
export function createStableIds(): StableIds {
  const replacements = new Map<string, string>()
  const seeds = new Set<string>()
  function replace(original: string, place: string, build: (seed: string) => string): string {
    const known = replacements.get(original)
    if (known !== undefined) return known
    let seed = place
    while (seeds.has(seed)) seed += '+'
    seeds.add(seed)
    const replacement = build(seed)
    replacements.set(original, replacement)
    return replacement
  }
  return {
    replaceUuid: (uuid, place, timeMs) => replace(uuid.toLowerCase(), place, (seed) => buildUuid(seed, timeMs)),
    replaceToken: (token, place) => replace(token, place, (seed) => buildToken(seed, token.length)),
    replaceDigest: (digest, place) =>
      replace(digest, place, (seed) =>
        hashText(`digest ${seed}`).toString('hex').slice(0, Math.max(digest.length, MIN_DIGEST)),
      ),
  }
}
