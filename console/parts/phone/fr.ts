import type { Translated } from '../../text/catalogue.ts'
import type en from './en.ts'

export default {
  android: 'Android',
  characters: { one: '{count} caractère', other: '{count} caractères' },
  gsm7: 'GSM-7 : lettres simples',
  ios: 'iOS',
  mediaAt: 'Un fichier, qui n’est pas chargé ici : {address}',
  now: 'à l’instant',
  segments: { one: '{count} segment', other: '{count} segments' },
  segmentsWhy: 'Ce que prend un message : chacun est payé.',
  ucs2: 'Unicode : des lettres hors de GSM-7 raccourcissent les segments',
} satisfies Translated<typeof en>
