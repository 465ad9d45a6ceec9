import type { RenderOutcome } from '../../../features/rendering/render.ts'
import { RCS_FALLBACK_PART } from '../content/parts.ts'
import type { RcsSource } from '../content/source.ts'
import type { RcsPreviewFailure, RcsPreviewResult } from '../preview.ts'
import { fitRcsFallbackText } from './compose.ts'
import { composeRcsContent } from './compose-content.ts'

export type { RcsPreviewFailure, RcsPreviewResult }

/** A rendering as callers see it. `recipient`: the phone; `stamp`: its UUID. */
export function buildRcsRenderResult(
  source: RcsSource,
  { recipient, stamp }: { recipient: string | null; stamp: string },
  rendered: RenderOutcome,
): RcsPreviewResult | { type: 'error'; value: RcsPreviewFailure } {
  const buildFailure = (message: string, pointer: string) =>
    ({ type: 'error', value: { type: 'render', message, pointer } }) as const
  if (rendered.outcome === 'cancelled')
    return { type: 'error', value: { type: 'cancelled', message: rendered.message } }
  if (rendered.outcome === 'failed') return buildFailure(rendered.message, `/${rendered.part}`)
  const parts = (name: string): string => rendered.parts[name] ?? ''
  const composed = composeRcsContent(source.content.content, stamp, parts)
  if (composed.outcome === 'failed') return buildFailure(composed.message, composed.pointer)
  const fallback = fitRcsFallbackText(source, parts)
  if (fallback?.outcome === 'failed') return buildFailure(fallback.message, `/${RCS_FALLBACK_PART}`)
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
