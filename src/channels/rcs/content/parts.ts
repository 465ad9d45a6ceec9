import type { TemplatePart } from '../../authored.ts'
import type { FrozenRcs } from './content-schemas.ts'
import { leavesOfContent, URL_LIMIT } from './leaves.ts'

/** The part of the fallback SMS. */
export const FALLBACK_PART = 'fallback/text'

/** Each string of the content as a part under its path; its links are those of mails, those of the fallback SMS short. */
export function rcsParts({ content, fallback }: FrozenRcs): TemplatePart[] {
  const parts = leavesOfContent(content).map(
    ({ path, template, link }): TemplatePart => ({
      name: `content/${path}`,
      template,
      mode: 'text',
      links: 'tracked',
      ...(link && { address: { ...link, longest: URL_LIMIT } }),
    }),
  )
  if (fallback === null) return parts
  return [
    ...parts,
    { name: FALLBACK_PART, template: fallback.text, mode: 'text', links: 'shortened', isFallback: true },
  ]
}
