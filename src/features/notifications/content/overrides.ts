import type { PushOverrides } from '../item-schemas.ts'
import type { PushVersion } from '../notification-schemas.ts'

const TEXT_MEMBERS = ['title', 'body', 'icon', 'thumbnail', 'image'] as const

/** True if a request overrides any part of the version. */
export function hasPushOverrides({ buttons, redirection, channel, ...otherOverrides }: PushOverrides): boolean {
  return (
    TEXT_MEMBERS.some((name) => otherOverrides[name] != null) ||
    [buttons, redirection, channel].some((override) => override != null)
  )
}

/** A version with what a request brings in place of its own; null and absent members stay. */
export function applyPushOverrides(version: PushVersion, overrides: PushOverrides): PushVersion {
  const textOverrides = TEXT_MEMBERS.flatMap((name) => (overrides[name] == null ? [] : [[name, overrides[name]]]))
  const { buttons, redirection, channel } = overrides
  return {
    ...version,
    content: {
      ...version.content,
      ...Object.fromEntries(textOverrides),
      ...(buttons && {
        buttons: buttons.map((button) => ({ title: button.title, redirection: button.redirection ?? null })),
      }),
    },
    redirection: redirection ?? version.redirection,
    channel: channel ?? version.channel,
  }
}

/** One text for what a request brings: requests that bring the same share a content. */
export function buildPushOverridesKey({
  title,
  body,
  icon,
  thumbnail,
  image,
  buttons,
  redirection,
  channel,
}: PushOverrides): string {
  return JSON.stringify(
    [title, body, icon, thumbnail, image, buttons, redirection, channel].map((member) => member ?? null),
  )
}
