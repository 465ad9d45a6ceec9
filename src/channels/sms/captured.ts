import { escapeHtml } from '../../features/rendering/liquid.ts'
import type { Captured } from '../../gateways/capture/files.ts'

/** A captured text, with the segments it would take. */
export function smsBody({ bytes, encoding, segments }: Captured & { bytes: Buffer }): string {
  const many = segments === 1 ? '1 segment' : `${segments} segments`
  return `<pre>${escapeHtml(bytes.toString())}</pre><p>${many} of ${encoding === 'gsm7' ? 'GSM-7' : 'UCS-2'}</p>`
}
