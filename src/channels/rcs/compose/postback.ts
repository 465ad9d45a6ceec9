import { formatUuid, writeUuidBytes } from '../../../lib/ids.ts'

/** The tie in front of a postback: stamp and path of the suggestion. */
const POSTBACK_PREFIX = /^~([A-Za-z0-9_-]{22})\.((?:c\d{1,2})?s\d{1,2})~/

/** The tapped suggestion with its message, and the postback as configured. */
export interface ParsedPostback {
  /** Id of the stamp; null if the prefix is missing or is not ours. */
  stamp: string | null
  /** `s0`: of the message; `c1s0`: of its second card. */
  path: string | null
  postback: string
}

/** Ties a postback to its message. `stamp`: a UUID. */
export function encodePostback(stamp: string, path: string, postback: string): string {
  const bytes = Buffer.alloc(16)
  writeUuidBytes(stamp, bytes, 0)
  return `~${bytes.toString('base64url')}.${path}~${postback}`
}

/** Takes the tie off again. */
export function parsePostback(data: string): ParsedPostback {
  const [prefix, encodedStamp = '', path = ''] = POSTBACK_PREFIX.exec(data) ?? []
  const bytes = Buffer.from(encodedStamp, 'base64url')
  // The last character holds bits that no stamp uses, so a different text for the same bytes is not ours.
  if (prefix === undefined || bytes.toString('base64url') !== encodedStamp)
    return { stamp: null, path: null, postback: data }
  return { stamp: formatUuid(bytes), path, postback: data.slice(prefix.length) }
}
