import { escapeHtml } from '../../features/rendering/templates/liquid.ts'
import { formatCount } from '../../lib/text/nouns.ts'
import type { CapturedMessageBytes, CapturedMessageParts } from '../captured-parts.ts'

/** A captured text, with the segments it would take. */
export function renderCapturedSms({ bytes, encoding, segments }: CapturedMessageBytes): string {
  return `<pre>${escapeHtml(bytes.toString())}</pre><p>${formatCount(segments ?? 0, 'segment')} in ${encoding === 'gsm7' ? 'GSM-7' : 'UCS-2'}</p>`
}

/** A text is all there is of it. */
export function parseCapturedSms({ bytes }: { bytes: Buffer }): CapturedMessageParts {
  return { html: null, text: bytes.toString(), headers: [], attachments: [], content: null }
}
