import type { TranslatedStrings } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  android: 'Android',
  cards: 'Cartes',
  characters: { one: '{count} caractère', other: '{count} caractères' },
  dark: 'Sombre',
  gsm7: 'GSM-7',
  gsm7Why: 'L’alphabet simple des téléphones : 160 caractères tiennent dans un segment, 153 dans chacun de plusieurs.',
  ios: 'iOS',
  light: 'Clair',
  mediaAt: 'Un fichier, qui n’est pas chargé ici : {address}',
  now: 'à l’instant',
  scheme: 'L’apparence du téléphone',
  segments: { one: '{count} segment', other: '{count} segments' },
  segmentsWhy: 'Ce que prend un message : chacun est payé.',
  ucs2: 'Unicode',
  ucs2Why:
    'Une lettre hors de GSM-7 rend tout le texte Unicode : 70 caractères tiennent dans un segment, 67 dans chacun de plusieurs.',
} satisfies TranslatedStrings<typeof en>
