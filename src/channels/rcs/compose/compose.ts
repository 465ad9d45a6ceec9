import type { Cancellation } from '../../../features/events/record/record.ts'
import { textOf } from '../../../features/rendering/templates/pieces.ts'
import type { OutgoingSms } from '../../../gateways/gateway.ts'
import { type OutgoingRcs, secondsLeft } from '../../../gateways/rcs-message.ts'
import type { ComposeInput, ComposeTools } from '../../channel.ts'
import { fitText, outgoingSms } from '../../sms/compose.ts'
import type { SmsText } from '../../sms/fit.ts'
import { featuresOf } from '../content/features.ts'
import { FALLBACK_PART } from '../content/parts.ts'
import type { RcsSource } from '../content/source.ts'
import { PROFILE_GATEWAY } from '../profile-gateways.ts'
import { composeContent } from './compose-content.ts'
import { readPhone } from './number.ts'

/** How messages are billed and filtered where the action does not say so. */
const TRAFFIC = { marketing: 'PROMOTION', service: 'TRANSACTION' } as const

function failed(message: string, pointer: string): { cancellation: Cancellation } {
  return { cancellation: { type: 'render error', value: { type: 'render', message, position: null, pointer } } }
}

/** The text of the SMS to fall back on, by the rules of SMS; undefined: there is none. */
export function fitFallback(source: RcsSource, parts: (name: string) => string): SmsText | undefined {
  return source.content.fallback === null ? undefined : fitText(source, parts(FALLBACK_PART))
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
    textOf(rendered.parts[name] ?? [])

/** One rich message from its rendered strings. What RBM would not take, or could not be followed by its SMS, is a cancellation. */
export function composeRcs(
  source: RcsSource,
  input: ComposeInput,
  { now }: Pick<ComposeTools, 'now'>,
): OutgoingRcs | { cancellation: Cancellation } {
  const { id, message, attempts } = input
  const { profile, agent, country, trafficType } = source.rcs
  const to = readPhone(input.address, country)
  if (to === undefined) throw new Error('the address of a rich message is no number')
  const parts = partsOf(input)
  const composed = composeContent(source.content.content, message.stamp.id, parts)
  if (composed.outcome === 'failed') return failed(composed.message, composed.pointer)
  const fallback = fitFallback(source, parts)
  if (fallback?.outcome === 'failed') return failed(fallback.message, `/${FALLBACK_PART}`)
  return {
    id,
    gateway: { kind: PROFILE_GATEWAY, key: String(profile) },
    to,
    agent,
    contentMessage: composed.json,
    ttlSeconds: secondsLeft(endOf(input), now),
    expiresAt: endOf(input),
    features: featuresOf(composed.message),
    purpose: source.settings.purpose,
    trafficType: trafficType ?? TRAFFIC[source.settings.purpose],
    messageId: message.stamp.id,
    ...(attempts > 0 && { attempts }),
    origin: originOf(message),
  }
}

/** The SMS that a rich message falls back on. Throws for a content without one. */
export function composeFallback(source: RcsSource, input: ComposeInput): OutgoingSms | { cancellation: Cancellation } {
  const fitted = fitFallback(source, partsOf(input))
  if (!fitted) throw new Error('there is no SMS to fall back on')
  if (fitted.outcome === 'failed') return failed(fitted.message, `/${FALLBACK_PART}`)
  return outgoingSms(source, input, fitted)
}
