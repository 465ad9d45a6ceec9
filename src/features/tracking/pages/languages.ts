/** The languages of the pages for recipients. */
export type PageLanguage = 'en' | 'fr'

/** French for the cultures of French (BCP 47), English for all others. */
export function selectPageLanguage(culture: string): PageLanguage {
  return /^fr(-|$)/i.test(culture) ? 'fr' : 'en'
}

/** Preference for a language, 0 to 1: the highest quality of its ranges. */
function computeQuality(ranges: readonly string[], language: PageLanguage): number {
  const qualities = ranges.flatMap((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (tag !== language && !tag.startsWith(`${language}-`)) return []
    const qualityParameter = parameters.find((parameter) => parameter.startsWith('q='))
    return qualityParameter === undefined ? 1 : Number(qualityParameter.slice(2)) || 0
  })
  return Math.max(0, ...qualities)
}

/** The preferred of the two in an Accept-Language header (RFC 9110, 12.5.4); English when neither is. */
export function negotiatePageLanguage(header: string | undefined): PageLanguage {
  const ranges = (header ?? '').split(',')
  return computeQuality(ranges, 'fr') > computeQuality(ranges, 'en') ? 'fr' : 'en'
}
