import type { TemplatePart } from '../../authored.ts'
import type { RcsVersionContent } from './content-schemas.ts'
import { listRcsContentTexts, RCS_URL_MAX_LENGTH } from './leaves.ts'

/** The part of the fallback SMS. */
export const RCS_FALLBACK_PART = 'fallback/text'

/** Each string of the content as a part under its path; its links are those of mails, those of the fallback SMS short. */
export function listRcsTemplates({ content, fallback }: RcsVersionContent): TemplatePart[] {
  const parts = listRcsContentTexts(content).map(
    ({ path, template, link }): TemplatePart => ({
      name: `content/${path}`,
      template,
      mode: 'text',
      links: 'tracked',
      ...(link && { address: { ...link, longest: RCS_URL_MAX_LENGTH } }),
    }),
  )
  if (fallback === null) return parts
  return [
    ...parts,
    { name: RCS_FALLBACK_PART, template: fallback.text, mode: 'text', links: 'shortened', isFallback: true },
  ]
}
