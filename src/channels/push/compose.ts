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

/** Computes the delivery sequence of a device: always the same number, never that of the message as a whole. */
function computeDeviceSequence(device: string): number {
  return 1 + (hash('sha256', device, 'buffer').readUInt32BE(0) % 0x7ffffffe)
}

function toDeviceAddress({ provider, token, keys }: LivePushDevice): PushDeviceAddress {
  return provider === 'webpush' ? { endpoint: token, keys: keys ?? { p256dh: '', auth: '' } } : { token }
}

function buildRenderFailure(message: string, pointer: string): { cancellation: SendCancellation } {
  return { cancellation: { type: 'render error', value: { type: 'render', message, position: null, pointer } } }
}

/** Why a payload is not sent over a kind of gateway. */
export function findPushPayloadError(
  builtPush: MadePush,
  { provider, token }: Pick<LivePushDevice, 'provider' | 'token'>,
) {
  const payloadFault = findPushPayloadFault(pushGatewayKinds[provider], builtPush, token)
  return payloadFault === undefined
    ? undefined
    : new UnsendablePushError('', `${payloadFault[0]?.toUpperCase()}${payloadFault.slice(1)}.`)
}

function createPushBuilder(source: PushSource, input: ComposeInput, key: AccountTokenKey) {
  const { id, message, endsAt, rendered } = input
  const recipientData = input.own as PushRecipient
  const parts = (name: string): string => joinTextPieces(rendered.parts[name] ?? [])
  const expiresAt = Math.min(message.expiresAt.getTime(), endsAt ?? Number.POSITIVE_INFINITY)
  return (device: LivePushDevice): OutgoingPush => {
    const { account, sourceKind, source: sourceNumber, stamp, kind, request } = message
    const isTest = kind === 'test'
    const builtPush = buildPush(source, parts, {
      key,
      account,
      stamp,
      test: isTest,
      silent: false,
      device,
      names: recipientData,
    })
    const error = findPushPayloadError(builtPush, device)
    if (error) throw error
    return {
      ...builtPush,
      id,
      sequence: computeDeviceSequence(device.id),
      gateway: { kind: pushGatewayKinds[device.provider], key: source.content.application },
      device: toDeviceAddress(device),
      expiresAt,
      urgent: request.urgent ?? source.content.urgent,
      stampId: stamp.id,
      origin: { account, sourceKind, source: sourceNumber, stamp: stamp.id },
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
    const composedPushes = devices.map((device) => ({
      device,
      push: createPushBuilder(source, input, tokens.signing(input.message.account))(device),
    }))
    const unmutedPushes = composedPushes.filter(({ device, push }) => !isPushDeviceMuted(device, push.meta.channel))
    const [firstPush] = composedPushes
    // What had ended before has its outcome, whatever was muted since.
    if (unmutedPushes.length === 0 && firstPush && input.ended.size === 0)
      return { cancellation: buildOptOutCancellation(devices, firstPush.push.meta.channel) }
    return unmutedPushes.map(({ push }) => push)
  } catch (error) {
    if (error instanceof UnsendablePushError) return buildRenderFailure(error.message, error.pointer)
    throw error
  }
}
