export default {
  android: 'Android',
  cards: 'Cards',
  characters: { one: '{count} character', other: '{count} characters' },
  dark: 'Dark',
  gsm7: 'GSM-7',
  gsm7Why: 'The basic alphabet of phones. One part holds 160 characters; each of several parts holds 153.',
  ios: 'iOS',
  light: 'Light',
  mediaAt: 'A file that is not loaded here: {address}',
  now: 'now',
  scheme: 'The phone’s look',
  segments: { one: '{count} part', other: '{count} parts' },
  segmentsWhy: 'The parts of a message. Each one is charged.',
  ucs2: 'Unicode',
  ucs2Why:
    'A character outside GSM-7 turns the whole text into Unicode. One part holds 70 characters; each of several parts holds 67.',
} as const
