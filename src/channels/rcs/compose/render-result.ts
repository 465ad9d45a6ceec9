import type { Rendered } from '../../../features/rendering/render.ts'
import { FALLBACK_PART } from '../content/parts.ts'
import type { RcsSource } from '../content/source.ts'
import type { RcsPreview, RcsPreviewFailure } from '../preview.ts'
import { fitFallback } from './compose.ts'
import { composeContent } from './compose-content.ts'

export type { RcsPreview, RcsPreviewFailure }

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
