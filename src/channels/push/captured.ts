import { escapeHtml } from '../../features/rendering/templates/liquid.ts'
import type { CapturedMessageBytes } from '../captured-parts.ts'

/** A captured push as it would have been handed over. */
export function renderCapturedPush({ bytes }: CapturedMessageBytes): string {
  return `<pre>${escapeHtml(bytes.toString())}</pre>`
}
