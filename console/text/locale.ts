import { createContext, useContext } from 'react'

export const languages = ['en', 'fr'] as const
export type Language = (typeof languages)[number]

/** How texts, numbers and times are written: the person's language and locale, the account's zone. */
export interface Locale {
  language: Language
  /** BCP 47, such as `fr-CH`. */
  tag: string
  /** IANA name; what times are shown in. */
  zone: string
}

const FALLBACKS: Record<Language, string> = { en: 'en-GB', fr: 'fr-FR' }

/** The first of our languages that the browser asks for. */
export function browserLanguage(): Language {
  const asked = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())
  return asked.map((word) => languages.find((language) => language === word)).find((found) => found) ?? 'en'
}

/** A language as the browser's region writes it: `fr` of a browser in Geneva is `fr-CH`. */
export function localeOf(language: Language, zone: string): Locale {
  const regional = navigator.languages.find((tag) => tag.toLowerCase().startsWith(`${language}-`))
  return { language, tag: regional ?? FALLBACKS[language], zone }
}

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const LocaleContext = createContext<Locale>({ language: 'en', tag: 'en-GB', zone: 'UTC' })
export const LocaleProvider = LocaleContext.Provider
export const useLocale = (): Locale => useContext(LocaleContext)
