import { createContext, useContext } from 'react'

export const consoleLanguages = ['en', 'fr'] as const
export type ConsoleLanguage = (typeof consoleLanguages)[number]

/** Formats of texts, numbers and times: the language and locale of the user, the time zone of the account. */
export interface ConsoleLocale {
  language: ConsoleLanguage
  /** BCP 47, such as `fr-CH`. */
  tag: string
  /** IANA name; what times are shown in. */
  zone: string
}

const FALLBACK_TAGS: Record<ConsoleLanguage, string> = { en: 'en-GB', fr: 'fr-FR' }

/** The first of our languages that the browser asks for. */
export function detectBrowserLanguage(): ConsoleLanguage {
  const requestedLanguages = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())
  return (
    requestedLanguages
      .map((word) => consoleLanguages.find((language) => language === word))
      .find((candidate) => candidate) ?? 'en'
  )
}

/** A language as the browser's region writes it: `fr` of a browser in Geneva is `fr-CH`. */
export function resolveConsoleLocale(language: ConsoleLanguage, zone: string): ConsoleLocale {
  const regionalTag = navigator.languages.find((tag) => tag.toLowerCase().startsWith(`${language}-`))
  return { language, tag: regionalTag ?? FALLBACK_TAGS[language], zone }
}

export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const LocaleContext = createContext<ConsoleLocale>({ language: 'en', tag: 'en-GB', zone: 'UTC' })
export const LocaleProvider = LocaleContext.Provider
export const useLocale = (): ConsoleLocale => useContext(LocaleContext)
