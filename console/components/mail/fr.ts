import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  dark: 'Sombre',
  desktop: 'Ordinateur',
  phone: 'Téléphone',
  pictures: 'Images',
  picturesWhy: 'Charge les images depuis internet. Leurs serveurs peuvent voir que l’e-mail a été ouvert.',
  source: 'Source',
  text: 'Texte',
  view: 'Vue',
} satisfies TranslatedStrings<typeof en>
