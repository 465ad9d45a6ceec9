import { escapeHtml } from '../../features/rendering/templates/liquid.ts'
import type { CapturedBytes } from '../captured-parts.ts'

/** A captured push as it would have been handed over. */
export function pushBody({ bytes }: CapturedBytes): string {
  return `<pre>${escapeHtml(bytes.toString())}</pre>`
}
