import { use } from 'react'
import { useLocale } from './locale.ts'
import { formatText, type PluralText, type TextValues } from './written.ts'

export type CatalogueStrings = Readonly<Record<string, string | PluralText>>

/** The same keys in another language. */
export type TranslatedStrings<S extends CatalogueStrings> = {
  readonly [K in keyof S]: S[K] extends string ? string : PluralText
}

/** The texts of a part of the console: English beside it, French loaded when it is used. */
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

const loading = new WeakMap<object, Promise<CatalogueStrings>>()

function load<S extends CatalogueStrings>(texts: TextCatalogue<S>): Promise<CatalogueStrings> {
  const promise = loading.get(texts) ?? texts.fr().then((module) => module.default)
  loading.set(texts, promise)
  return promise
}

/** The text of a key, with values in the places that `{name}` holds; `count` chooses between one and other. */
export type Translator<S extends CatalogueStrings> = (key: keyof S & string, values?: TextValues) => string

const made = new WeakMap<CatalogueStrings, Map<string, Translator<CatalogueStrings>>>()

/** One function for a file of texts and a locale, so that what depends on it need not be made anew. */
function textOf(strings: CatalogueStrings, tag: string): Translator<CatalogueStrings> {
  const known = made.get(strings) ?? new Map<string, Translator<CatalogueStrings>>()
  made.set(strings, known)
  const text = known.get(tag) ?? ((key, values) => formatText(strings[key] ?? key, values, tag))
  known.set(tag, text)
  return text
}

/** The texts of a folder in the person's language; waits (React's `Suspense`) for the file of a second language. */
export function useTranslator<S extends CatalogueStrings>(texts: TextCatalogue<S>): Translator<S> {
  const { language, tag } = useLocale()
  return textOf(language === 'en' ? texts.en : use(load(texts)), tag) as Translator<S>
}
