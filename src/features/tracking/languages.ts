/** The languages of the pages that people see. */
export type Language = 'en' | 'fr'

/** French for the cultures of French (BCP 47), English for all others. */
export function languageOf(culture: string): Language {
  return /^fr(-|$)/i.test(culture) ? 'fr' : 'en'
}

/** The better wanted of the two in an Accept-Language header (RFC 9110, 12.5.4); English when neither is. */
export function acceptedLanguage(header: string | undefined): Language {
  const wanted = { en: 0, fr: 0, other: 0 }
  for (const range of (header ?? '').split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
    const language = /^(en|fr)\b/i.exec(tag)?.[1]?.toLowerCase() === 'fr' ? 'fr' : /^en\b/i.test(tag) ? 'en' : 'other'
    wanted[language] = Math.max(wanted[language], quality === undefined ? 1 : Number(quality) || 0)
  }
  return wanted.fr > wanted.en ? 'fr' : 'en'
}
