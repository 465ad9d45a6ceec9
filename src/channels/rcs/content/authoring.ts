import { findDeadLinks } from '../../../features/deliverability/dead-links.ts'
import { findContentLinks } from '../../../features/deliverability/written-links.ts'
import type { ReportedFlaw } from '../../../features/rendering/flaw-schemas.ts'
import type { RenderOutcome } from '../../../features/rendering/render.ts'
import type {
  ChannelAuthoring,
  ContentOverride,
  MessagePreviewFailure,
  MessagePreviewInput,
  ResolvedSender,
  SenderResolutionInput,
} from '../../channel.ts'
import type { VersionContent } from '../../facts.ts'
import { type ContentVersionSource, toChannelContentSource } from '../../version-source.ts'
import { parseRcsPhone } from '../compose/number.ts'
import { buildRcsRenderResult, type RcsPreviewResult } from '../compose/render-result.ts'
import { rcsChannelTraits } from '../facts.ts'
import { type RcsSenderInput, resolveRcsSender } from '../sender.ts'
import type { RcsVersionContent } from './content-schemas.ts'
import { rcsExpirationToMs } from './periods.ts'
import { requireRcsSource } from './source.ts'

/** Any stamp: all are as long, so a proof that fits with it fits with its own. */
const SOME_STAMP = '00000000-0000-7000-8000-000000000000'

function proofErrors(source: ContentVersionSource, rendered: RenderOutcome): ReportedFlaw[] {
  if (rendered.outcome !== 'rendered') return []
  const result = buildRcsRenderResult(requireRcsSource(source), { recipient: null, stamp: SOME_STAMP }, rendered)
  if (result.type === 'success' || result.value.type !== 'render') return []
  return [{ type: 'render', message: result.value.message, part: result.value.pointer.slice(1), position: null }]
}

/** The frozen content with what a request brings in its place; a fallback of null is none, an absent one that of the action. */
function replaced(frozen: VersionContent, brought: ContentOverride): RcsVersionContent {
  const { content, fallback } = frozen as RcsVersionContent
  return { content: brought.content ?? content, fallback: brought.fallback === undefined ? fallback : brought.fallback }
}

/** Of an action that names no profile yet, which can be looked at and not be sent. */
const NO_PROFILE: RcsSenderInput['profile'] = { id: 0, agent: '', fallback: null }

/** The agent of the profile that is given, and the sender of the SMS to fall back on. */
function resolveSender({
  settings,
  content,
  sending,
  accountCode,
  publicUrl,
  profile = NO_PROFILE,
}: SenderResolutionInput): ResolvedSender {
  const trafficType = (settings.trafficType ?? null) as RcsSenderInput['trafficType']
  const asked = { profile, purpose: settings.purpose, trafficType, fallback: content.fallback ?? null }
  const resolved = resolveRcsSender(asked, sending, { named: accountCode, publicUrl })
  return { ...resolved, rcs: { ...resolved.rcs!, expirationMs: rcsExpirationToMs(settings.expiration) } }
}

function preview({
  source,
  recipient,
  stamp = SOME_STAMP,
  rendered,
}: MessagePreviewInput): RcsPreviewResult | MessagePreviewFailure {
  const phone = parseRcsPhone(recipient) ?? null
  const result = buildRcsRenderResult(requireRcsSource(source), { recipient: phone, stamp }, rendered)
  if (result.type === 'success') return result
  const { message } = result.value
  return { failure: message, ...('pointer' in result.value && { pointer: result.value.pointer }) }
}

/** How rich messages are written, tested and looked at. */
export const rcsAuthoring: ChannelAuthoring = {
  resolveSender,
  replaced,
  readProofAddress: (text) => (text.startsWith('+') ? parseRcsPhone(text) : undefined),
  proofAddressForm: 'an E.164 number such as +33612345678',
  proofErrors,
  proofOf: () => ({ subject: '', htmlBytes: 0 }),
  // Lengths may be too much for some contacts only.
  repairableTypes: ['render'],
  analyse: ({ reach }, _account, source) =>
    findDeadLinks(findContentLinks(toChannelContentSource(rcsChannelTraits, source)), reach),
  preview,
}
