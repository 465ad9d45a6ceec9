import { createContext, useContext } from 'react'

export const consoleLanguages = ['en', 'fr'] as const
export type ConsoleLanguage = (typeof consoleLanguages)[number]

/** How texts, numbers and times are written: the person's language and locale, the account's zone. */
export interface ConsoleLocale {
  language: ConsoleLanguage
  /** BCP 47, such as `fr-CH`. */
  tag: string
  /** IANA name; what times are shown in. */
  zone: string
}

const FALLBACKS: Record<ConsoleLanguage, string> = { en: 'en-GB', fr: 'fr-FR' }

/** The first of our languages that the browser asks for. */
export function detectBrowserLanguage(): ConsoleLanguage {
  const asked = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())
  return asked.map((word) => consoleLanguages.find((language) => language === word)).find((found) => found) ?? 'en'
}

/** A language as the browser's region writes it: `fr` of a browser in Geneva is `fr-CH`. */
export function resolveConsoleLocale(language: ConsoleLanguage, zone: string): ConsoleLocale {
  const regional = navigator.languages.find((tag) => tag.toLowerCase().startsWith(`${language}-`))
  return { language, tag: regional ?? FALLBACKS[language], zone }
}

export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const LocaleContext = createContext<ConsoleLocale>({ language: 'en', tag: 'en-GB', zone: 'UTC' })
export const LocaleProvider = LocaleContext.Provider
export const useLocale = (): ConsoleLocale => useContext(LocaleContext)
