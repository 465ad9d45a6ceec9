import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  android: 'Android',
  cards: 'Cartes',
  characters: { one: '{count} caractère', other: '{count} caractères' },
  dark: 'Sombre',
  gsm7: 'GSM-7',
  gsm7Why:
    'L’alphabet de base des téléphones. Un segment contient 160 caractères ; chacun de plusieurs segments en contient 153.',
  ios: 'iOS',
  light: 'Clair',
  mediaAt: 'Un fichier qui n’est pas chargé ici : {address}',
  now: 'à l’instant',
  scheme: 'L’apparence du téléphone',
  segments: { one: '{count} segment', other: '{count} segments' },
  segmentsWhy: 'Les parties d’un message. Chacune est facturée.',
  ucs2: 'Unicode',
  ucs2Why:
    'Un caractère hors de GSM-7 fait passer tout le texte en Unicode. Un segment contient 70 caractères ; chacun de plusieurs segments en contient 67.',
} satisfies TranslatedStrings<typeof en>
