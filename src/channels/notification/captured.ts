import { escapeHtml } from '../../features/rendering/liquid.ts'
import type { Captured } from '../../gateways/capture/files.ts'

/** A captured push as it would have been handed over. */
export function pushBody({ bytes }: Captured & { bytes: Buffer }): string {
  return `<pre>${escapeHtml(bytes.toString())}</pre>`
}
