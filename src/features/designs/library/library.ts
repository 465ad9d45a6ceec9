import type { LibraryDesign } from '../saved-design-schemas.ts'
import { announcementDesign } from './announcement.ts'
import type { LibraryEntry, LibraryLanguage } from './builder.ts'
import { abandonedCartDesign } from './cart.ts'
import { digestDesign } from './digest.ts'
import { eventDesign } from './event.ts'
import { newsletterDesign } from './newsletter.ts'
import { passwordDesign } from './password.ts'
import { plainLetterDesign } from './plain-letter.ts'
import { receiptDesign } from './receipt.ts'
import { shippingDesign } from './shipping.ts'
import { surveyDesign } from './survey.ts'
import { welcomeDesign } from './welcome.ts'
import { winBackDesign } from './win-back.ts'

const LIBRARY_ENTRIES: readonly LibraryEntry[] = [
  newsletterDesign,
  announcementDesign,
  welcomeDesign,
  receiptDesign,
  passwordDesign,
  shippingDesign,
  abandonedCartDesign,
  eventDesign,
  surveyDesign,
  winBackDesign,
  digestDesign,
  plainLetterDesign,
]

const LIBRARY_LANGUAGES: readonly LibraryLanguage[] = ['en', 'fr']

/** The designs that come with the program, in one language or in all. */
export function listLibraryDesigns(language?: LibraryLanguage): LibraryDesign[] {
  return LIBRARY_LANGUAGES.filter((entryLanguage) => language === undefined || entryLanguage === language).flatMap(
    (entryLanguage) =>
      LIBRARY_ENTRIES.map(({ id, category, name, description, make }) => ({
        ...{
          id,
          category,
          language: entryLanguage,
          name: name[entryLanguage],
          description: description[entryLanguage],
        },
        design: make((en, fr) => (entryLanguage === 'en' ? en : fr), entryLanguage),
      })),
  )
}
