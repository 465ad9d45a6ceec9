import { findDeadLinks } from '../../features/deliverability/dead-links.ts'
import { writtenLinks } from '../../features/deliverability/written-links.ts'
import type { FlawShown } from '../../features/rendering/flaw-schemas.ts'
import type { Rendered } from '../../features/rendering/render.ts'
import type { AnalysisTools } from '../channel.ts'
import { contentSourceBy, type VersionSource } from '../version-source.ts'
import type { RcsContent, RcsFallback } from './content-schemas.ts'
import { rcs } from './facts.ts'
import { readPhone } from './number.ts'
import { type RcsPreview, renderResult } from './render-result.ts'
import { resolveRcsSender } from './sender.ts'
import { rcsSourceOf } from './source.ts'

/** Any stamp: all are as long, so a proof that fits with it fits with its own. */
const SOME_STAMP = '00000000-0000-7000-8000-000000000000'

function proofErrors(source: VersionSource, rendered: Rendered): FlawShown[] {
  if (rendered.outcome !== 'rendered') return []
  const result = renderResult(rcsSourceOf(source), { recipient: null, stamp: SOME_STAMP }, rendered)
  if (result.type === 'success' || result.value.type !== 'render') return []
  return [{ type: 'render', message: result.value.message, part: result.value.pointer.slice(1), position: null }]
}

/** The frozen content with what a request brings in its place; a fallback of null is none, an absent one that of the action. */
function replaced(
  { content, fallback }: { content: RcsContent; fallback: RcsFallback | null },
  brought: { content?: RcsContent | null; fallback?: RcsFallback | null },
) {
  return { content: brought.content ?? content, fallback: brought.fallback === undefined ? fallback : brought.fallback }
}

/** How rich messages are written, tested and looked at. */
export const rcsAuthoring = {
  resolveSender: resolveRcsSender,
  replaced,
  readProofAddress: (text: string): string | undefined => readPhone(text),
  proofAddressForm: 'an E.164 number such as +33612345678',
  proofErrors,
  proofOf: () => ({ subject: '', htmlBytes: 0 }),
  // Lengths may be too much for some contacts only.
  repairableTypes: ['render'],
  analyse: ({ reach }: AnalysisTools, _account: unknown, source: VersionSource): Promise<FlawShown[]> =>
    findDeadLinks(writtenLinks(contentSourceBy(rcs, source)), reach),
  preview({
    source,
    recipient,
    stamp,
    rendered,
  }: {
    source: VersionSource
    recipient: string
    stamp: string
    rendered: Extract<Rendered, { outcome: 'rendered' }>
  }): RcsPreview | { failure: string; pointer: string } {
    const phone = readPhone(recipient) ?? null
    const result = renderResult(rcsSourceOf(source), { recipient: phone, stamp }, rendered)
    if (result.type === 'success') return result
    const { message } = result.value
    return { failure: message, pointer: 'pointer' in result.value ? result.value.pointer : '' }
  },
}
