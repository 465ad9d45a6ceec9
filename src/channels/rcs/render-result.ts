import type { Rendered } from '../../features/rendering/render.ts'
import { fitFallback } from './compose.ts'
import { composeContent, type RcsWarning } from './compose-content.ts'
import { FALLBACK_PART } from './parts.ts'
import type { RbmContent } from './rbm.ts'
import type { RcsSource } from './source.ts'

/** A rich message as it would be sent, and the SMS it would fall back on (rcs.md 5.1). */
export interface RcsPreview {
  type: 'success'
  /** Null without a phone that can be used. */
  recipient: string | null
  agent: string
  message: RbmContent
  fallback: { text: string; segments: number } | null
  warnings?: RcsWarning[]
}

/** Why there is none. `pointer`: to what is to be changed, in the action. */
export type RcsPreviewFailure =
  | { type: 'render'; message: string; pointer: string }
  | { type: 'cancelled'; message: string }

/** A rendering as callers see it. `recipient`: the phone; `stamp`: its UUID. */
export function renderResult(
  source: RcsSource,
  { recipient, stamp }: { recipient: string | null; stamp: string },
  rendered: Rendered,
): RcsPreview | { type: 'error'; value: RcsPreviewFailure } {
  const failed = (message: string, pointer: string) =>
    ({ type: 'error', value: { type: 'render', message, pointer } }) as const
  if (rendered.outcome === 'cancelled')
    return { type: 'error', value: { type: 'cancelled', message: rendered.message } }
  if (rendered.outcome === 'failed') return failed(rendered.message, `/${rendered.part}`)
  const parts = (name: string): string => rendered.parts[name] ?? ''
  const composed = composeContent(source.content.content, stamp, parts)
  if (composed.outcome === 'failed') return failed(composed.message, composed.pointer)
  const fallback = fitFallback(source, parts)
  if (fallback?.outcome === 'failed') return failed(fallback.message, `/${FALLBACK_PART}`)
  const { message, warnings } = composed
  return {
    type: 'success',
    recipient,
    agent: source.rcs.agent,
    message,
    fallback: fallback ? { text: fallback.text, segments: fallback.segments } : null,
    ...(warnings.length > 0 && { warnings }),
  }
}
