import type { FieldType } from '../../contacts/fields/field-schemas.ts'
import type { FormAnswerFault } from '../../forms/answers.ts'
import type { PageLanguage } from '../pages/languages.ts'

type Words = Readonly<Record<PageLanguage, string>>

const choose: Words = { en: 'Choose from the list.', fr: 'Choisissez dans la liste.' }
const text: Words = {
  en: 'This text holds characters that cannot be used.',
  fr: 'Ce texte contient des caractères qui ne peuvent pas être utilisés.',
}

/** Texts for values that are invalid for their type. */
const invalid: Record<FieldType, Words> = {
  email: {
    en: 'Enter an e-mail address, such as ann@example.org.',
    fr: 'Entrez une adresse e-mail, comme anne@example.org.',
  },
  phone: { en: 'Enter a phone number.', fr: 'Entrez un numéro de téléphone.' },
  textField: text,
  textArea: text,
  numeric: { en: 'Enter a number.', fr: 'Entrez un nombre.' },
  date: { en: 'Enter a date, such as 2001-12-31.', fr: 'Entrez une date, comme 2001-12-31.' },
  singleSelectList: choose,
  multipleSelectList: choose,
}

const missing: Words = { en: 'An answer is needed here.', fr: 'Une réponse est nécessaire ici.' }

const others: Record<Exclude<FormAnswerFault, 'invalid-value'>, Words> = {
  missing,
  'mandatory-empty': missing,
  'unknown-label': choose,
  'too-long': { en: 'This text is too long.', fr: 'Ce texte est trop long.' },
  constraint: { en: 'This value is not within what can be accepted.', fr: 'Cette valeur n’est pas acceptée ici.' },
}

/** What to change in an answer. */
export function formFaultText(fault: FormAnswerFault, type: FieldType, language: PageLanguage): string {
  return (fault === 'invalid-value' ? invalid[type] : others[fault])[language]
}

export const formPageTexts = {
  required: { en: 'required', fr: 'obligatoire' },
  nothing: { en: 'No answer', fr: 'Sans réponse' },
  faulty: {
    en: 'Nothing was recorded yet: please look at the answers marked below.',
    fr: 'Rien n’a encore été enregistré : merci de revoir les réponses signalées ci-dessous.',
  },
  honeypot: { en: 'Leave this empty', fr: 'Laissez ce champ vide' },
} as const satisfies Record<string, Words>
