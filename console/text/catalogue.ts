import { use } from 'react'
import { useLocale } from './locale.ts'
import { type Plural, type Values, written } from './written.ts'

export type Strings = Readonly<Record<string, string | Plural>>

/** The same keys in another language. */
export type Translated<S extends Strings> = { readonly [K in keyof S]: S[K] extends string ? string : Plural }

/** The texts of a part of the console: English beside it, French loaded when it is used. */
export interface Catalogue<S extends Strings> {
  en: S
  fr: () => Promise<{ default: Translated<S> }>
}

/** The texts of a folder. `fr`: `() => import('./fr.ts')`. */
export function catalogue<const S extends Strings>(en: S, fr: Catalogue<S>['fr']): Catalogue<S> {
  return { en, fr }
}

const loading = new WeakMap<object, Promise<Strings>>()

function load<S extends Strings>(texts: Catalogue<S>): Promise<Strings> {
  const promise = loading.get(texts) ?? texts.fr().then((module) => module.default)
  loading.set(texts, promise)
  return promise
}

/** The text of a key, with values in the places that `{name}` holds; `count` chooses between one and other. */
export type Text<S extends Strings> = (key: keyof S & string, values?: Values) => string

const made = new WeakMap<Strings, Map<string, Text<Strings>>>()

/** One function for a file of texts and a locale, so that what depends on it need not be made anew. */
function textOf(strings: Strings, tag: string): Text<Strings> {
  const known = made.get(strings) ?? new Map<string, Text<Strings>>()
  made.set(strings, known)
  const text = known.get(tag) ?? ((key, values) => written(strings[key] ?? key, values, tag))
  known.set(tag, text)
  return text
}

/** The texts of a folder in the person's language; waits (React's `Suspense`) for the file of a second language. */
export function useText<S extends Strings>(texts: Catalogue<S>): Text<S> {
  const { language, tag } = useLocale()
  return textOf(language === 'en' ? texts.en : use(load(texts)), tag) as Text<S>
}
