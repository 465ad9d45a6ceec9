import type { CapturedMessageRecord } from '../gateways/capture/files.ts'

/** A captured message with its bytes, as they would have left. */
export type CapturedMessageBytes = CapturedMessageRecord & { bytes: Buffer }

/** The parts of a captured message. */
export interface CapturedMessageParts {
  html: string | null
  /** The text of a mail or an SMS. */
  text: string | null
  headers: readonly { name: string; value: string }[]
  /** Sizes in octets. */
  attachments: readonly { name: string | null; type: string; size: number }[]
  /** A rich message or a push, as it would have been handed over. */
  content: unknown
}

/** The parts of a message that is JSON: it stands in `content`. */
export function parseCapturedJson({ bytes }: { bytes: Buffer }): CapturedMessageParts {
  return { html: null, text: null, headers: [], attachments: [], content: JSON.parse(bytes.toString()) }
}
