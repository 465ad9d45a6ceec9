import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  dark: 'Sombre',
  desktop: 'Ordinateur',
  phone: 'Téléphone',
  pictures: 'Images',
  picturesWhy: 'Images d’internet : leurs hôtes apprennent que l’e-mail a été regardé.',
  source: 'Source',
  text: 'Texte',
  view: 'Vue',
} satisfies TranslatedStrings<typeof en>
