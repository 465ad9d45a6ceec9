import { hash } from 'node:crypto'
import type { SendCancellation } from '../../features/events/record/record.ts'
import { joinTextPieces } from '../../features/rendering/templates/pieces.ts'
import { findPushPayloadFault } from '../../gateways/push/payload.ts'
import type { OutgoingPush, PushDeviceAddress } from '../../gateways/push-message.ts'
import type { AccountTokenKey } from '../../lib/crypto/tokens.ts'
import type { ComposeInput, ComposeTools } from '../channel.ts'
import type { LivePushDevice, PushRecipient } from './devices.ts'
import { pushGatewayKinds } from './gateway-kinds.ts'
import { buildPush, type MadePush, UnsendablePushError } from './make.ts'
import { buildOptOutCancellation, isPushDeviceMuted } from './muting.ts'
import type { PushSource } from './source.ts'

/** Which delivery of a message a device is: always the same number, never that of the message as a whole. */
function sequenceOf(device: string): number {
  return 1 + (hash('sha256', device, 'buffer').readUInt32BE(0) % 0x7ffffffe)
}

function deviceOf({ provider, token, keys }: LivePushDevice): PushDeviceAddress {
  return provider === 'webpush' ? { endpoint: token, keys: keys ?? { p256dh: '', auth: '' } } : { token }
}

function failed(message: string, pointer: string): { cancellation: SendCancellation } {
  return { cancellation: { type: 'render error', value: { type: 'render', message, position: null, pointer } } }
}

/** Why a payload is not sent over a kind of gateway. */
export function findPushPayloadError(made: MadePush, { provider, token }: Pick<LivePushDevice, 'provider' | 'token'>) {
  const fault = findPushPayloadFault(pushGatewayKinds[provider], made, token)
  return fault === undefined ? undefined : new UnsendablePushError('', `${fault[0]?.toUpperCase()}${fault.slice(1)}.`)
}

function outgoingOf(source: PushSource, input: ComposeInput, key: AccountTokenKey) {
  const { id, message, endsAt, rendered } = input
  const own = input.own as PushRecipient
  const parts = (name: string): string => joinTextPieces(rendered.parts[name] ?? [])
  const expiresAt = Math.min(message.expiresAt.getTime(), endsAt ?? Number.POSITIVE_INFINITY)
  return (device: LivePushDevice): OutgoingPush => {
    const { account, sourceKind, source: number, stamp, kind, request } = message
    const test = kind === 'test'
    const made = buildPush(source, parts, { key, account, stamp, test, silent: false, device, names: own })
    const error = findPushPayloadError(made, device)
    if (error) throw error
    return {
      ...made,
      id,
      sequence: sequenceOf(device.id),
      gateway: { kind: pushGatewayKinds[device.provider], key: source.content.application },
      device: deviceOf(device),
      expiresAt,
      urgent: request.urgent ?? source.content.urgent,
      stampId: stamp.id,
      origin: { account, sourceKind, source: number, stamp: stamp.id },
    }
  }
}

/** One push for each live device that is not muted. What cannot be made, or nobody wants, is a cancellation. */
export function composePush(
  source: PushSource,
  input: ComposeInput,
  { tokens }: Pick<ComposeTools, 'tokens'>,
): readonly OutgoingPush[] | { cancellation: SendCancellation } {
  const { devices } = input.own as PushRecipient
  try {
    const made = devices.map((device) => ({
      device,
      push: outgoingOf(source, input, tokens.signing(input.message.account))(device),
    }))
    const wanted = made.filter(({ device, push }) => !isPushDeviceMuted(device, push.meta.channel))
    const [first] = made
    // What had ended before has its outcome, whatever was muted since.
    if (wanted.length === 0 && first && input.ended.size === 0)
      return { cancellation: buildOptOutCancellation(devices, first.push.meta.channel) }
    return wanted.map(({ push }) => push)
  } catch (error) {
    if (error instanceof UnsendablePushError) return failed(error.message, error.pointer)
    throw error
  }
}
