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

const LONGEST_ADDRESS = 2048
const NO_DEVICE = '00000000-0000-0000-0000-000000000000'

/** Reads a rendered part; '' when it is not there. */
type Parts = (name: string) => string

/** What one push is made with beside its content. */
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

function characters(text: string): number {
  return [...text].length
}

/** A text that must be there. */
function required(parts: Parts, name: string, longest: number): string {
  const text = parts(name)
  if (text.trim() === '') throw new UnsendablePushError(`/${name}`, `The rendered ${name} is empty.`)
  if (characters(text) > longest)
    throw new UnsendablePushError(`/${name}`, `The rendered ${name} has more than ${longest} characters.`)
  return text
}

/** An https address or the name of a resource of the app; null when it is empty. */
function picture(parts: Parts, name: string): string | null {
  const text = parts(name).trim()
  if (text === '') return null
  if (text.length > LONGEST_ADDRESS)
    throw new UnsendablePushError(`/${name}`, `The rendered ${name} has more than ${LONGEST_ADDRESS} characters.`)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^https:\/\//i.test(text))
    throw new UnsendablePushError(
      `/${name}`,
      `The rendered ${name} is neither an https address nor the name of a resource.`,
    )
  return text
}

function defaultOf(list: readonly PushNamedValue[] | null): string | null {
  return list?.find((one) => one.default)?.value.value || null
}

/** What a target comes to: as it was rendered, or what the application has under its name; else its default, else nothing. */
function resolved(
  target: PushTarget | null,
  list: readonly PushNamedValue[] | null,
  { parts, name }: { parts: Parts; name: string },
): string | null {
  if (target === null) return defaultOf(list)
  const text =
    target.type === 'literal'
      ? parts(`${name}/value`).trim()
      : (list?.find((one) => one.name === target.value)?.value.value ?? '')
  if (text.length > LONGEST_ADDRESS)
    throw new UnsendablePushError(`/${name}/value`, `The rendered ${name} has more than ${LONGEST_ADDRESS} characters.`)
  return text === '' ? defaultOf(list) : text
}

/** The channel that a version is shown by, when no contact changes it; undefined: it is known once it is rendered. */
export function findFixedPushChannel(
  channel: PushTarget | null,
  { channels }: PushRouteNames,
): string | null | undefined {
  if (channel?.type === 'literal' && /\{\{|\{%/.test(channel.value)) return undefined
  return resolved(channel, channels, { parts: () => channel?.value ?? '', name: 'channel' })
}

function trackingOf({ account: owner, sender, notification, content }: PushSource, input: PushBuildInput) {
  const { key, account, stamp, test, silent, device } = input
  const { path, tokens } = buildPushReportAddress(key, owner, {
    ...{ account, notification, test, silent, version: content.versionId, stamp: stamp.id },
    ...{ subscription: device?.id ?? NO_DEVICE, contact: device?.contact ?? 0 },
  })
  const { impression, redirection, dismiss, 'optout.global': global, 'optout.channel': channel } = tokens
  return { radical: `${sender.trackingUrl}${path}`, impression, redirection, dismiss, optout: { global, channel } }
}

/** What one device is sent, from rendered parts. Throws Unsendable. */
export function buildPush(source: PushSource, parts: Parts, input: PushBuildInput): MadePush {
  const { content, notification } = source
  const { routes, channels } = input.names
  const { id, thread, set, time } = input.stamp
  return {
    meta: {
      notification,
      version: content.versionId,
      application: content.application,
      // A preview for no device has none.
      subscription: input.device?.id ?? '',
      stamp: { time, id, thread, set },
      channel: resolved(content.channel, channels, { parts, name: 'channel' }),
      redirection: resolved(content.redirection, routes, { parts, name: 'redirection' }),
    },
    render: {
      title: required(parts, 'title', 250),
      body: required(parts, 'body', 2000),
      icon: picture(parts, 'icon'),
      thumbnail: picture(parts, 'thumbnail'),
      image: picture(parts, 'image'),
      buttons: content.buttons.map(({ redirection }, index) => ({
        title: required(parts, `buttons/${index}/title`, 40),
        redirection: resolved(redirection, routes, { parts, name: `buttons/${index}/redirection` }),
      })),
    },
    tracking: trackingOf(source, input),
  }
}
