import { isJsonObject } from '../../../lib/objects.ts'
import type { LibraryDesign } from '../saved-design-schemas.ts'
import announcement from './documents/announcement.json' with { type: 'json' }
import cart from './documents/cart.json' with { type: 'json' }
import digest from './documents/digest.json' with { type: 'json' }
import event from './documents/event.json' with { type: 'json' }
import newsletter from './documents/newsletter.json' with { type: 'json' }
import password from './documents/password.json' with { type: 'json' }
import plainLetter from './documents/plain-letter.json' with { type: 'json' }
import receipt from './documents/receipt.json' with { type: 'json' }
import shipping from './documents/shipping.json' with { type: 'json' }
import survey from './documents/survey.json' with { type: 'json' }
import welcome from './documents/welcome.json' with { type: 'json' }
import winBack from './documents/win-back.json' with { type: 'json' }

/** The designs in the order in which they are offered. */
const libraryDocuments = [
  newsletter,
  announcement,
  welcome,
  receipt,
  password,
  shipping,
  cart,
  event,
  survey,
  winBack,
  digest,
  plainLetter,
]

const LIBRARY_LANGUAGES = ['en', 'fr'] as const
type LibraryLanguage = (typeof LIBRARY_LANGUAGES)[number]

/** A document in one language: each `{ en, fr }` in it is replaced by the text of that language. */
function translate(node: unknown, language: LibraryLanguage): unknown {
  if (Array.isArray(node)) return node.map((item) => translate(item, language))
  if (!isJsonObject(node)) return node
  if ('en' in node && 'fr' in node) return node[language]
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, translate(value, language)]))
}

/** The designs that come with the program, in one language or in all. */
export function listLibraryDesigns(language?: LibraryLanguage): LibraryDesign[] {
  return LIBRARY_LANGUAGES.filter(
    (documentLanguage) => language === undefined || documentLanguage === language,
  ).flatMap((documentLanguage) =>
    libraryDocuments.map((document) => translate(document, documentLanguage) as LibraryDesign),
  )
}
