import { hash } from 'node:crypto'
import type { Cancellation } from '../../features/events/record/record.ts'
import { textOf } from '../../features/rendering/templates/pieces.ts'
import { payloadFault } from '../../gateways/push/payload.ts'
import type { OutgoingPush, PushDevice } from '../../gateways/push-message.ts'
import type { AccountKey } from '../../lib/crypto/tokens.ts'
import type { ComposeInput, ComposeTools } from '../channel.ts'
import type { LiveDevice, PushFacts } from './devices.ts'
import { gatewayKinds } from './gateway-kinds.ts'
import { type MadePush, makePush, Unsendable } from './make.ts'
import { isMuted, optedOut } from './muting.ts'
import type { PushSource } from './source.ts'

/** Which delivery of a message a device is: always the same number, never that of the message as a whole. */
function sequenceOf(device: string): number {
  return 1 + (hash('sha256', device, 'buffer').readUInt32BE(0) % 0x7ffffffe)
}

function deviceOf({ provider, token, keys }: LiveDevice): PushDevice {
  return provider === 'webpush' ? { endpoint: token, keys: keys ?? { p256dh: '', auth: '' } } : { token }
}

function failed(message: string, pointer: string): { cancellation: Cancellation } {
  return { cancellation: { type: 'render error', value: { type: 'render', message, position: null, pointer } } }
}

/** Why a payload is not sent over a kind of gateway. */
export function payloadError(made: MadePush, { provider, token }: Pick<LiveDevice, 'provider' | 'token'>) {
  const fault = payloadFault(gatewayKinds[provider], made, token)
  return fault === undefined ? undefined : new Unsendable('', `${fault[0]?.toUpperCase()}${fault.slice(1)}.`)
}

function outgoingOf(source: PushSource, input: ComposeInput, key: AccountKey) {
  const { id, message, endsAt, rendered } = input
  const own = input.own as PushFacts
  const parts = (name: string): string => textOf(rendered.parts[name] ?? [])
  const expiresAt = Math.min(message.expiresAt.getTime(), endsAt ?? Number.POSITIVE_INFINITY)
  return (device: LiveDevice): OutgoingPush => {
    const { account, sourceKind, source: number, stamp, kind, request } = message
    const test = kind === 'test'
    const made = makePush(source, parts, { key, account, stamp, test, silent: false, device, names: own })
    const error = payloadError(made, device)
    if (error) throw error
    return {
      ...made,
      id,
      sequence: sequenceOf(device.id),
      gateway: { kind: gatewayKinds[device.provider], key: source.content.application },
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
): readonly OutgoingPush[] | { cancellation: Cancellation } {
  const { devices } = input.own as PushFacts
  try {
    const made = devices.map((device) => ({
      device,
      push: outgoingOf(source, input, tokens.signing(input.message.account))(device),
    }))
    const wanted = made.filter(({ device, push }) => !isMuted(device, push.meta.channel))
    const [first] = made
    // What had ended before has its outcome, whatever was muted since.
    if (wanted.length === 0 && first && input.ended.size === 0)
      return { cancellation: optedOut(devices, first.push.meta.channel) }
    return wanted.map(({ push }) => push)
  } catch (error) {
    if (error instanceof Unsendable) return failed(error.message, error.pointer)
    throw error
  }
}
