import { escapeHtml } from '../../features/rendering/liquid.ts'
import type { Captured } from '../../gateways/capture/files.ts'

/** A captured message as it was handed over, set out to be read. */
export function rcsBody({ bytes }: Captured & { bytes: Buffer }): string {
  const message: unknown = JSON.parse(bytes.toString())
  return `<pre>${escapeHtml(JSON.stringify(message, null, 2))}</pre>`
}
