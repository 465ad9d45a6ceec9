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

/** How messages are billed and filtered where the action does not say so. */
const TRAFFIC = { marketing: 'PROMOTION', service: 'TRANSACTION' } as const

function failed(message: string, pointer: string): { cancellation: SendCancellation } {
  return { cancellation: { type: 'render error', value: { type: 'render', message, position: null, pointer } } }
}

/** The text of the SMS to fall back on, by the rules of SMS; undefined: there is none. */
export function fitRcsFallbackText(source: RcsSource, parts: (name: string) => string): SmsText | undefined {
  return source.content.fallback === null ? undefined : fitRenderedSms(source, parts(RCS_FALLBACK_PART))
}

/** When a message expires, or its campaign ends. */
function endOf({ message, endsAt }: ComposeInput): number {
  return Math.min(message.expiresAt.getTime(), endsAt ?? Number.POSITIVE_INFINITY)
}

/** Which send a message belongs to. */
function originOf({ account, sourceKind, source, stamp }: ComposeInput['message']) {
  return { account, sourceKind, source, stamp: stamp.id }
}

const partsOf =
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
  const to = parseRcsPhone(input.address, country)
  if (to === undefined) throw new Error('the address of a rich message is no number')
  const parts = partsOf(input)
  const composed = composeRcsContent(source.content.content, message.stamp.id, parts)
  if (composed.outcome === 'failed') return failed(composed.message, composed.pointer)
  const fallback = fitRcsFallbackText(source, parts)
  if (fallback?.outcome === 'failed') return failed(fallback.message, `/${RCS_FALLBACK_PART}`)
  return {
    id,
    gateway: { kind: RCS_PROFILE_GATEWAY_KIND, key: String(profile) },
    to,
    agent,
    contentMessage: composed.json,
    ttlSeconds: getSecondsUntil(endOf(input), now),
    expiresAt: endOf(input),
    features: findRequiredRcsFeatures(composed.message),
    purpose: source.settings.purpose,
    trafficType: trafficType ?? TRAFFIC[source.settings.purpose],
    messageId: message.stamp.id,
    ...(attempts > 0 && { attempts }),
    origin: originOf(message),
  }
}

/** The SMS that a rich message falls back on. Throws for a content without one. */
export function composeRcsFallback(
  source: RcsSource,
  input: ComposeInput,
): OutgoingSms | { cancellation: SendCancellation } {
  const fitted = fitRcsFallbackText(source, partsOf(input))
  if (!fitted) throw new Error('there is no SMS to fall back on')
  if (fitted.outcome === 'failed') return failed(fitted.message, `/${RCS_FALLBACK_PART}`)
  return toOutgoingSms(source, input, fitted)
}
