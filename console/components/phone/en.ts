export default {
  android: 'Android',
  cards: 'Cards',
  characters: { one: '{count} character', other: '{count} characters' },
  dark: 'Dark',
  gsm7: 'GSM-7',
  gsm7Why: 'The plain alphabet of phones: 160 characters fit in one segment, 153 in each of several.',
  ios: 'iOS',
  light: 'Light',
  mediaAt: 'A file, which is not loaded here: {address}',
  now: 'now',
  scheme: 'The phone’s look',
  segments: { one: '{count} segment', other: '{count} segments' },
  segmentsWhy: 'What a message takes: each one is paid for.',
  ucs2: 'Unicode',
  ucs2Why:
    'A letter outside of GSM-7 makes the whole text Unicode: 70 characters fit in one segment, 67 in each of several.',
} as const
