import { use } from 'react'
import { useLocale } from './locale.ts'
import { formatText, type PluralText, type TextValues } from './written.ts'

export type CatalogueStrings = Readonly<Record<string, string | PluralText>>

/** The same keys in another language. */
export type TranslatedStrings<S extends CatalogueStrings> = {
  readonly [K in keyof S]: S[K] extends string ? string : PluralText
}

/** Texts of one part of the console: English bundled with it, French loaded on first use. */
export interface TextCatalogue<S extends CatalogueStrings> {
  en: S
  fr: () => Promise<{ default: TranslatedStrings<S> }>
}

/** The texts of a folder. `fr`: `() => import('./fr.ts')`. */
export function defineTextCatalogue<const S extends CatalogueStrings>(
  en: S,
  fr: TextCatalogue<S>['fr'],
): TextCatalogue<S> {
  return { en, fr }
}

const pendingCatalogues = new WeakMap<object, Promise<CatalogueStrings>>()

function loadCatalogue<S extends CatalogueStrings>(texts: TextCatalogue<S>): Promise<CatalogueStrings> {
  const cataloguePromise = pendingCatalogues.get(texts) ?? texts.fr().then((module) => module.default)
  pendingCatalogues.set(texts, cataloguePromise)
  return cataloguePromise
}

/** The text of a key, with values in the places that `{name}` holds; `count` chooses between one and other. */
export type Translator<S extends CatalogueStrings> = (key: keyof S & string, values?: TextValues) => string

const translatorCache = new WeakMap<CatalogueStrings, Map<string, Translator<CatalogueStrings>>>()

/** Returns the same function for the same texts and locale, so that dependent values are not recomputed. */
function getTranslator(strings: CatalogueStrings, tag: string): Translator<CatalogueStrings> {
  const localeTranslators = translatorCache.get(strings) ?? new Map<string, Translator<CatalogueStrings>>()
  translatorCache.set(strings, localeTranslators)
  const text = localeTranslators.get(tag) ?? ((key, values) => formatText(strings[key] ?? key, values, tag))
  localeTranslators.set(tag, text)
  return text
}

/** The texts of a folder in the person's language; waits (React's `Suspense`) for the file of a second language. */
export function useTranslator<S extends CatalogueStrings>(texts: TextCatalogue<S>): Translator<S> {
  const { language, tag } = useLocale()
  return getTranslator(language === 'en' ? texts.en : use(loadCatalogue(texts)), tag) as Translator<S>
}
