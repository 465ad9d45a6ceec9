import { formatUuid, writeUuidBytes } from '../../../lib/ids.ts'

/** The tie in front of a postback: stamp and path of the suggestion. */
const TIE = /^~([A-Za-z0-9_-]{22})\.((?:c\d{1,2})?s\d{1,2})~/

/** Which suggestion of which message was tapped, and the postback as it was configured. */
export interface ParsedPostback {
  /** Id of the stamp; null: the tie is missing, or is none of ours. */
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
  const [tie, encoded = '', path = ''] = TIE.exec(data) ?? []
  const bytes = Buffer.from(encoded, 'base64url')
  // The last character holds bits that no stamp has: another text for the same bytes is none of ours.
  if (tie === undefined || bytes.toString('base64url') !== encoded) return { stamp: null, path: null, postback: data }
  return { stamp: formatUuid(bytes), path, postback: data.slice(tie.length) }
}
