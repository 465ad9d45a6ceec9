import { findDeadLinks } from '../../../features/deliverability/dead-links.ts'
import { writtenLinks } from '../../../features/deliverability/written-links.ts'
import type { FlawShown } from '../../../features/rendering/flaw-schemas.ts'
import type { Rendered } from '../../../features/rendering/render.ts'
import type {
  Authoring,
  BroughtContent,
  FailedPreview,
  PreviewInput,
  ResolvedSender,
  SenderInput,
} from '../../channel.ts'
import type { FrozenContent } from '../../facts.ts'
import { contentSourceBy, type VersionSource } from '../../version-source.ts'
import { readPhone } from '../compose/number.ts'
import { type RcsPreview, renderResult } from '../compose/render-result.ts'
import { rcs } from '../facts.ts'
import { type RcsSender, resolveRcsSender } from '../sender.ts'
import type { FrozenRcs } from './content-schemas.ts'
import { expirationMs } from './periods.ts'
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
function replaced(frozen: FrozenContent, brought: BroughtContent): FrozenRcs {
  const { content, fallback } = frozen as FrozenRcs
  return { content: brought.content ?? content, fallback: brought.fallback === undefined ? fallback : brought.fallback }
}

/** Of an action that names no profile yet, which can be looked at and not be sent. */
const NO_PROFILE: RcsSender['profile'] = { id: 0, agent: '', fallback: null }

/** The agent of the profile that is given, and the sender of the SMS to fall back on. */
function resolveSender({
  settings,
  content,
  sending,
  accountCode,
  publicUrl,
  profile = NO_PROFILE,
}: SenderInput): ResolvedSender {
  const trafficType = (settings.trafficType ?? null) as RcsSender['trafficType']
  const asked = { profile, purpose: settings.purpose, trafficType, fallback: content.fallback ?? null }
  const resolved = resolveRcsSender(asked, sending, { named: accountCode, publicUrl })
  return { ...resolved, rcs: { ...resolved.rcs!, expirationMs: expirationMs(settings.expiration) } }
}

function preview({ source, recipient, stamp = SOME_STAMP, rendered }: PreviewInput): RcsPreview | FailedPreview {
  const phone = readPhone(recipient) ?? null
  const result = renderResult(rcsSourceOf(source), { recipient: phone, stamp }, rendered)
  if (result.type === 'success') return result
  const { message } = result.value
  return { failure: message, ...('pointer' in result.value && { pointer: result.value.pointer }) }
}

/** How rich messages are written, tested and looked at. */
export const rcsAuthoring: Authoring = {
  resolveSender,
  replaced,
  readProofAddress: (text) => (text.startsWith('+') ? readPhone(text) : undefined),
  proofAddressForm: 'an E.164 number such as +33612345678',
  proofErrors,
  proofOf: () => ({ subject: '', htmlBytes: 0 }),
  // Lengths may be too much for some contacts only.
  repairableTypes: ['render'],
  analyse: ({ reach }, _account, source) => findDeadLinks(writtenLinks(contentSourceBy(rcs, source)), reach),
  preview,
}
