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
import type { VersionContent } from '../../channel-traits.ts'
import { type ContentVersionSource, toChannelContentSource } from '../../version-source.ts'
import { parseRcsPhone } from '../compose/number.ts'
import { buildRcsRenderResult, type RcsPreviewResult } from '../compose/render-result.ts'
import { type RcsSenderInput, resolveRcsSender } from '../sender.ts'
import { rcsChannelTraits } from '../traits.ts'
import type { RcsVersionContent } from './content-schemas.ts'
import { rcsExpirationToMs } from './periods.ts'
import { requireRcsSource } from './source.ts'

/** Any stamp: all are as long, so a proof that fits with it fits with its own. */
const PLACEHOLDER_STAMP = '00000000-0000-7000-8000-000000000000'

function findProofErrors(source: ContentVersionSource, rendered: RenderOutcome): ReportedFlaw[] {
  if (rendered.outcome !== 'rendered') return []
  const result = buildRcsRenderResult(requireRcsSource(source), { recipient: null, stamp: PLACEHOLDER_STAMP }, rendered)
  if (result.type === 'success' || result.value.type !== 'render') return []
  return [{ type: 'render', message: result.value.message, part: result.value.pointer.slice(1), position: null }]
}

/** Applies the content of a request to the frozen content. A null fallback means none, an absent one means that of the action. */
function overrideContent(frozen: VersionContent, brought: ContentOverride): RcsVersionContent {
  const { content, fallback } = frozen as RcsVersionContent
  return { content: brought.content ?? content, fallback: brought.fallback === undefined ? fallback : brought.fallback }
}

/** Placeholder for an action that does not name a profile yet. It can be previewed but not sent. */
const EMPTY_PROFILE: RcsSenderInput['profile'] = { id: 0, agent: '', fallback: null }

/** The agent of the profile that is given, and the sender of the SMS to fall back on. */
function resolveSenderWithSms({
  settings,
  content,
  sending,
  accountCode,
  publicUrl,
  profile = EMPTY_PROFILE,
}: SenderResolutionInput): ResolvedSender {
  const trafficType = (settings.trafficType ?? null) as RcsSenderInput['trafficType']
  const senderInput = { profile, purpose: settings.purpose, trafficType, fallback: content.fallback ?? null }
  const resolvedSender = resolveRcsSender(senderInput, sending, { named: accountCode, publicUrl })
  return { ...resolvedSender, rcs: { ...resolvedSender.rcs!, expirationMs: rcsExpirationToMs(settings.expiration) } }
}

function previewRcs({
  source,
  recipient,
  stamp = PLACEHOLDER_STAMP,
  rendered,
}: MessagePreviewInput): RcsPreviewResult | MessagePreviewFailure {
  const phone = parseRcsPhone(recipient) ?? null
  const result = buildRcsRenderResult(requireRcsSource(source), { recipient: phone, stamp }, rendered)
  if (result.type === 'success') return result
  const { message } = result.value
  return { failure: message, ...('pointer' in result.value && { pointer: result.value.pointer }) }
}

/** Authoring of rich messages: writing, testing and analysis. */
export const rcsAuthoring: ChannelAuthoring = {
  resolveSender: resolveSenderWithSms,
  replaced: overrideContent,
  readProofAddress: (text) => (text.startsWith('+') ? parseRcsPhone(text) : undefined),
  proofAddressForm: 'an E.164 number such as +33639980078',
  proofErrors: findProofErrors,
  proofOf: () => ({ subject: '', htmlBytes: 0 }),
  // Lengths may be too much for some contacts only.
  repairableTypes: ['render'],
  analyse: ({ reach }, _account, source) =>
    findDeadLinks(findContentLinks(toChannelContentSource(rcsChannelTraits, source)), reach),
  preview: previewRcs,
}
