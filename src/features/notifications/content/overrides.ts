import type { PushOverrides } from '../item-schemas.ts'
import type { PushVersion } from '../notification-schemas.ts'

const texts = ['title', 'body', 'icon', 'thumbnail', 'image'] as const

/** Whether a request brings anything in place of what the version has. */
export function hasPushOverrides({ buttons, redirection, channel, ...given }: PushOverrides): boolean {
  return texts.some((name) => given[name] != null) || [buttons, redirection, channel].some((one) => one != null)
}

/** A version with what a request brings in place of its own; null and absent members stay. */
export function applyPushOverrides(version: PushVersion, given: PushOverrides): PushVersion {
  const own = texts.flatMap((name) => (given[name] == null ? [] : [[name, given[name]]]))
  const { buttons, redirection, channel } = given
  return {
    ...version,
    content: {
      ...version.content,
      ...Object.fromEntries(own),
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
  return JSON.stringify([title, body, icon, thumbnail, image, buttons, redirection, channel].map((one) => one ?? null))
}
