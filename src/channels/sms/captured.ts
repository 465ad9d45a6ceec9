import { escapeHtml } from '../../features/rendering/templates/liquid.ts'
import type { CapturedBytes, CapturedParts } from '../captured-parts.ts'

/** A captured text, with the segments it would take. */
export function smsBody({ bytes, encoding, segments }: CapturedBytes): string {
  const many = segments === 1 ? '1 segment' : `${segments} segments`
  return `<pre>${escapeHtml(bytes.toString())}</pre><p>${many} of ${encoding === 'gsm7' ? 'GSM-7' : 'UCS-2'}</p>`
}

/** A text is all there is of it. */
export function smsParts({ bytes }: { bytes: Buffer }): CapturedParts {
  return { html: null, text: bytes.toString(), headers: [], attachments: [], content: null }
}
