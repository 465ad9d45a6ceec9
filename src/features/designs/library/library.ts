import type { LibraryDesign } from '../saved-design-schemas.ts'
import { announcement } from './announcement.ts'
import type { Language, LibraryEntry } from './builder.ts'
import { cart } from './cart.ts'
import { digest } from './digest.ts'
import { event } from './event.ts'
import { newsletter } from './newsletter.ts'
import { password } from './password.ts'
import { plainLetter } from './plain-letter.ts'
import { receipt } from './receipt.ts'
import { shipping } from './shipping.ts'
import { survey } from './survey.ts'
import { welcome } from './welcome.ts'
import { winBack } from './win-back.ts'

const entries: readonly LibraryEntry[] = [
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

const languages: readonly Language[] = ['en', 'fr']

/** The designs that come with the program, in one language or in all. */
export function libraryDesigns(language?: Language): LibraryDesign[] {
  return languages
    .filter((one) => language === undefined || one === language)
    .flatMap((one) =>
      entries.map(({ id, category, name, description, make }) => ({
        ...{ id, category, language: one, name: name[one], description: description[one] },
        design: make((en, fr) => (one === 'en' ? en : fr), one),
      })),
    )
}
