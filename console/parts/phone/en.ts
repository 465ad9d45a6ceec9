export default {
  android: 'Android',
  characters: { one: '{count} character', other: '{count} characters' },
  gsm7: 'GSM-7: plain letters',
  ios: 'iOS',
  mediaAt: 'A file, which is not loaded here: {address}',
  now: 'now',
  segments: { one: '{count} segment', other: '{count} segments' },
  segmentsWhy: 'What a message takes: each one is paid for.',
  ucs2: 'Unicode: letters outside of GSM-7 make segments shorter',
} as const
