import type { TemplatePart } from '../authored.ts'
import type { PushTarget, PushTemplateContent } from './content.ts'

export const pushTextMembers = ['title', 'body', 'icon', 'thumbnail', 'image'] as const

function getLiteralValue(target: PushTarget | null): string | null {
  return target?.type === 'literal' ? target.value : null
}

/** The templates of a push message, by the paths of its members; names of routes and channels are none. */
export function listPushTemplates({ buttons, redirection, channel, ...texts }: PushTemplateContent): TemplatePart[] {
  const templates: [string, string | null][] = [
    ...pushTextMembers.map((name): [string, string | null] => [name, texts[name]]),
    ...buttons.flatMap((button, index): [string, string | null][] => [
      [`buttons/${index}/title`, button.title],
      [`buttons/${index}/redirection/value`, getLiteralValue(button.redirection)],
    ]),
    ['redirection/value', getLiteralValue(redirection)],
    ['channel/value', getLiteralValue(channel)],
  ]
  return templates.flatMap(([name, template]) =>
    template === null ? [] : [{ name, template, mode: 'text', links: 'tracked' }],
  )
}
