import type { SendCancellation } from '../../../features/events/record/record.ts'
import { joinTextPieces } from '../../../features/rendering/templates/pieces.ts'
import type { OutgoingSms } from '../../../gateways/gateway.ts'
import { getSecondsUntil, type OutgoingRcs } from '../../../gateways/rcs-message.ts'
import type { ComposeInput, ComposeTools } from '../../channel.ts'
import { fitRenderedSms, toOutgoingSms } from '../../sms/compose.ts'
import type { SmsText } from '../../sms/fit.ts'
import { findRequiredRcsFeatures } from '../content/features.ts'
import { RCS_FALLBACK_PART } from '../content/parts.ts'
import type { RcsSource } from '../content/source.ts'
import { RCS_PROFILE_GATEWAY_KIND } from '../profile-gateways.ts'
import { composeRcsContent } from './compose-content.ts'
import { parseRcsPhone } from './number.ts'

/** Default traffic types, which determine how messages are billed and filtered. */
const DEFAULT_TRAFFIC_TYPES = { marketing: 'PROMOTION', service: 'TRANSACTION' } as const

function buildRenderFailure(message: string, pointer: string): { cancellation: SendCancellation } {
  return { cancellation: { type: 'render error', value: { type: 'render', message, position: null, pointer } } }
}

/** Fits the text of the fallback SMS to the rules of SMS; `undefined` if there is no fallback. */
export function fitRcsFallbackText(source: RcsSource, parts: (name: string) => string): SmsText | undefined {
  return source.content.fallback === null ? undefined : fitRenderedSms(source, parts(RCS_FALLBACK_PART))
}

/** Computes when a message expires, or its campaign ends. */
function computeExpiryMs({ message, endsAt }: ComposeInput): number {
  return Math.min(message.expiresAt.getTime(), endsAt ?? Number.POSITIVE_INFINITY)
}

/** Identifies the send that a message belongs to. */
function buildOrigin({ account, sourceKind, source, stamp }: ComposeInput['message']) {
  return { account, sourceKind, source, stamp: stamp.id }
}

const createPartReader =
  ({ rendered }: ComposeInput) =>
  (name: string): string =>
    joinTextPieces(rendered.parts[name] ?? [])

/** One rich message from its rendered strings. What RBM would not take, or could not be followed by its SMS, is a cancellation. */
export function composeRcsMessage(
  source: RcsSource,
  input: ComposeInput,
  { now }: Pick<ComposeTools, 'now'>,
): OutgoingRcs | { cancellation: SendCancellation } {
  const { id, message, attempts } = input
  const { profile, agent, country, trafficType } = source.rcs
  const phone = parseRcsPhone(input.address, country)
  if (phone === undefined) throw new Error('the address of a rich message is no number')
  const parts = createPartReader(input)
  const composed = composeRcsContent(source.content.content, message.stamp.id, parts)
  if (composed.outcome === 'failed') return buildRenderFailure(composed.message, composed.pointer)
  const fallback = fitRcsFallbackText(source, parts)
  if (fallback?.outcome === 'failed') return buildRenderFailure(fallback.message, `/${RCS_FALLBACK_PART}`)
  return {
    id,
    gateway: { kind: RCS_PROFILE_GATEWAY_KIND, key: String(profile) },
    to: phone,
    agent,
    contentMessage: composed.json,
    ttlSeconds: getSecondsUntil(computeExpiryMs(input), now),
    expiresAt: computeExpiryMs(input),
    features: findRequiredRcsFeatures(composed.message),
    purpose: source.settings.purpose,
    trafficType: trafficType ?? DEFAULT_TRAFFIC_TYPES[source.settings.purpose],
    messageId: message.stamp.id,
    ...(attempts > 0 && { attempts }),
    origin: buildOrigin(message),
  }
}

/** The SMS that a rich message falls back on. Throws for a content without one. */
export function composeRcsFallback(
  source: RcsSource,
  input: ComposeInput,
): OutgoingSms | { cancellation: SendCancellation } {
  const fittedText = fitRcsFallbackText(source, createPartReader(input))
  if (!fittedText) throw new Error('there is no SMS to fall back on')
  if (fittedText.outcome === 'failed') return buildRenderFailure(fittedText.message, `/${RCS_FALLBACK_PART}`)
  return toOutgoingSms(source, input, fittedText)
}
