import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  android: 'Android',
  cards: 'Cartes',
  characters: { one: '{count} caractère', other: '{count} caractères' },
  dark: 'Sombre',
  gsm7: 'GSM-7',
  gsm7Why:
    'L’alphabet de base des téléphones. Une partie contient 160 caractères ; chacune de plusieurs parties en contient 153.',
  ios: 'iOS',
  light: 'Clair',
  mediaAt: 'Un fichier qui n’est pas chargé ici : {address}',
  now: 'à l’instant',
  scheme: 'L’apparence du téléphone',
  segments: { one: '{count} partie', other: '{count} parties' },
  segmentsWhy: 'Les parties d’un message. Chacune est facturée.',
  ucs2: 'Unicode',
  ucs2Why:
    'Un caractère hors de GSM-7 fait passer tout le texte en Unicode. Une partie contient 70 caractères ; chacune de plusieurs parties en contient 67.',
} satisfies TranslatedStrings<typeof en>
