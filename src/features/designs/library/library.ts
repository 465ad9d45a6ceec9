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

const entries: readonly LibraryEntry[] = [
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

const languages: readonly LibraryLanguage[] = ['en', 'fr']

/** The designs that come with the program, in one language or in all. */
export function listLibraryDesigns(language?: LibraryLanguage): LibraryDesign[] {
  return languages
    .filter((one) => language === undefined || one === language)
    .flatMap((one) =>
      entries.map(({ id, category, name, description, make }) => ({
        ...{ id, category, language: one, name: name[one], description: description[one] },
        design: make((en, fr) => (one === 'en' ? en : fr), one),
      })),
    )
}
