import type { FieldType } from '../../contacts/fields/field-schemas.ts'
import type { FormAnswerFault } from '../../forms/answers.ts'
import type { PageLanguage } from '../pages/languages.ts'

type LocalizedTexts = Readonly<Record<PageLanguage, string>>

const chooseTexts: LocalizedTexts = { en: 'Choose from the list.', fr: 'Choisissez dans la liste.' }
const invalidTextTexts: LocalizedTexts = {
  en: 'This text contains characters that cannot be used.',
  fr: 'Ce texte contient des caractères qui ne peuvent pas être utilisés.',
}

/** Texts for values that are invalid for their type. */
const invalidValueTexts: Record<FieldType, LocalizedTexts> = {
  email: {
    en: 'Enter an e-mail address, such as ann@example.org.',
    fr: 'Entrez une adresse e-mail, comme anne@example.org.',
  },
  phone: { en: 'Enter a phone number.', fr: 'Entrez un numéro de téléphone.' },
  textField: invalidTextTexts,
  textArea: invalidTextTexts,
  numeric: { en: 'Enter a number.', fr: 'Entrez un nombre.' },
  date: { en: 'Enter a date, such as 2001-12-31.', fr: 'Entrez une date, comme 2001-12-31.' },
  singleSelectList: chooseTexts,
  multipleSelectList: chooseTexts,
}

const missingTexts: LocalizedTexts = { en: 'This answer is required.', fr: 'Cette réponse est obligatoire.' }

const faultTexts: Record<Exclude<FormAnswerFault, 'invalid-value'>, LocalizedTexts> = {
  missing: missingTexts,
  'mandatory-empty': missingTexts,
  'unknown-label': chooseTexts,
  'too-long': { en: 'This text is too long.', fr: 'Ce texte est trop long.' },
  constraint: { en: 'This value is not allowed.', fr: 'Cette valeur n’est pas autorisée.' },
}

/** Explains how to correct an answer. */
export function formFaultText(fault: FormAnswerFault, type: FieldType, language: PageLanguage): string {
  return (fault === 'invalid-value' ? invalidValueTexts[type] : faultTexts[fault])[language]
}

export const formPageTexts = {
  required: { en: 'required', fr: 'obligatoire' },
  nothing: { en: 'No answer', fr: 'Sans réponse' },
  faulty: {
    en: 'Nothing was recorded yet. Please check the answers marked below.',
    fr: 'Rien n’a encore été enregistré. Merci de vérifier les réponses signalées ci-dessous.',
  },
  honeypot: { en: 'Leave this empty', fr: 'Laissez ce champ vide' },
} as const satisfies Record<string, LocalizedTexts>
