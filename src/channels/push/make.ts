import type { SendStamp } from '../../features/events/record/record.ts'
import type { PushMessageContent as MadePush } from '../../gateways/push-message.ts'
import { buildPushReportAddress } from '../../lib/crypto/push-tokens.ts'
import type { AccountTokenKey } from '../../lib/crypto/tokens.ts'
import type { PushTarget } from './content.ts'
import type { LivePushDevice, PushNamedValue, PushRouteNames } from './devices.ts'
import type { PushSource } from './source.ts'

export type { MadePush }

/** Thrown for rendered content that is not sent. `pointer`: to what is to be changed. */
export class UnsendablePushError extends Error {
  readonly pointer: string

  constructor(pointer: string, message: string) {
    super(message)
    this.pointer = pointer
  }
}

const MAX_ADDRESS_LENGTH = 2048
const NIL_DEVICE_ID = '00000000-0000-0000-0000-000000000000'

/** Reads a rendered part; '' when it is not there. */
type PartReader = (name: string) => string

/** Input for building one push, in addition to its content. */
export interface PushBuildInput {
  key: AccountTokenKey
  account: number
  stamp: SendStamp
  test: boolean
  /** Nothing is recorded of it. */
  silent: boolean
  /** Null: a preview for no device. */
  device: Pick<LivePushDevice, 'id' | 'contact'> | null
  names: PushRouteNames
}

function countCharacters(text: string): number {
  return [...text].length
}

/** A text that must be there. */
function readRequiredText(parts: PartReader, name: string, longest: number): string {
  const text = parts(name)
  if (text.trim() === '') throw new UnsendablePushError(`/${name}`, `The rendered ${name} is empty.`)
  if (countCharacters(text) > longest)
    throw new UnsendablePushError(`/${name}`, `The rendered ${name} has more than ${longest} characters.`)
  return text
}

/** An https address or the name of a resource of the app; null when it is empty. */
function readPicture(parts: PartReader, name: string): string | null {
  const text = parts(name).trim()
  if (text === '') return null
  if (text.length > MAX_ADDRESS_LENGTH)
    throw new UnsendablePushError(`/${name}`, `The rendered ${name} has more than ${MAX_ADDRESS_LENGTH} characters.`)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^https:\/\//i.test(text))
    throw new UnsendablePushError(
      `/${name}`,
      `The rendered ${name} is neither an https address nor the name of a resource.`,
    )
  return text
}

function findDefaultValue(list: readonly PushNamedValue[] | null): string | null {
  return list?.find((namedValue) => namedValue.default)?.value.value || null
}

/** Resolves a target: its rendered value, or the application's value with its name. Falls back to the default value, or to null. */
function resolveTarget(
  target: PushTarget | null,
  list: readonly PushNamedValue[] | null,
  { parts, name }: { parts: PartReader; name: string },
): string | null {
  if (target === null) return findDefaultValue(list)
  const text =
    target.type === 'literal'
      ? parts(`${name}/value`).trim()
      : (list?.find((namedValue) => namedValue.name === target.value)?.value.value ?? '')
  if (text.length > MAX_ADDRESS_LENGTH)
    throw new UnsendablePushError(
      `/${name}/value`,
      `The rendered ${name} has more than ${MAX_ADDRESS_LENGTH} characters.`,
    )
  return text === '' ? findDefaultValue(list) : text
}

/** The channel that a version is shown by, when no contact changes it; undefined: it is known once it is rendered. */
export function findFixedPushChannel(
  channel: PushTarget | null,
  { channels }: PushRouteNames,
): string | null | undefined {
  if (channel?.type === 'literal' && /\{\{|\{%/.test(channel.value)) return undefined
  return resolveTarget(channel, channels, { parts: () => channel?.value ?? '', name: 'channel' })
}

function buildTracking({ account: owner, sender, notification, content }: PushSource, input: PushBuildInput) {
  const { key, account, stamp, test: isTest, silent: isSilent, device } = input
  const { path, tokens } = buildPushReportAddress(key, owner, {
    account,
    notification,
    test: isTest,
    silent: isSilent,
    version: content.versionId,
    stamp: stamp.id,
    subscription: device?.id ?? NIL_DEVICE_ID,
    contact: device?.contact ?? 0,
  })
  const { impression, redirection, dismiss, 'optout.global': globalOptout, 'optout.channel': channelOptout } = tokens
  return {
    radical: `${sender.trackingUrl}${path}`,
    impression,
    redirection,
    dismiss,
    optout: { global: globalOptout, channel: channelOptout },
  }
}

/** Builds the push for one device from rendered parts. Throws `UnsendablePushError`. */
export function buildPush(source: PushSource, parts: PartReader, input: PushBuildInput): MadePush {
  const { content, notification } = source
  const { routes, channels } = input.names
  const { id, thread: stampThread, set: stampSet, time: stampTime } = input.stamp
  return {
    meta: {
      notification,
      version: content.versionId,
      application: content.application,
      // Empty in a preview without a device.
      subscription: input.device?.id ?? '',
      stamp: { time: stampTime, id, thread: stampThread, set: stampSet },
      channel: resolveTarget(content.channel, channels, { parts, name: 'channel' }),
      redirection: resolveTarget(content.redirection, routes, { parts, name: 'redirection' }),
    },
    render: {
      title: readRequiredText(parts, 'title', 250),
      body: readRequiredText(parts, 'body', 2000),
      icon: readPicture(parts, 'icon'),
      thumbnail: readPicture(parts, 'thumbnail'),
      image: readPicture(parts, 'image'),
      buttons: content.buttons.map(({ redirection }, index) => ({
        title: readRequiredText(parts, `buttons/${index}/title`, 40),
        redirection: resolveTarget(redirection, routes, { parts, name: `buttons/${index}/redirection` }),
      })),
    },
    tracking: buildTracking(source, input),
  }
}
