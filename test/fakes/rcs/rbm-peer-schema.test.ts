import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { checkAgentMessage } from './rbm-peer-schema.ts'

const reply = { reply: { text: 'Yes', postbackData: 'yes' } }
const file = { fileUrl: 'https://img.orchard.example/p.png' }
const media = { height: 'MEDIUM', contentInfo: file }
const card = { title: 'Pears', media, suggestions: [reply] }
const standalone = (more: object) => ({
  richCard: { standaloneCard: { cardOrientation: 'VERTICAL', cardContent: card, ...more } },
})
const carousel = (count: number, more: object = {}) => ({
  richCard: { carouselCard: { cardWidth: 'SMALL', cardContents: Array.from({ length: count }, () => card), ...more } },
})
const tap = (action: object) => ({ text: 'x', suggestions: [{ action: { text: 'x', postbackData: 'x', ...action } }] })
const many = (count: number) => Array.from({ length: count }, () => reply)

const right: Record<string, object> = {
  text: { text: 'x'.repeat(3072), suggestions: many(11), persistent: true },
  file: { contentInfo: { ...file, thumbnailUrl: file.fileUrl, forceRefresh: true } },
  'uploaded file': { uploadedRbmFile: { fileName: 'files/1', thumbnailName: 'files/2' } },
  card: standalone({ cardOrientation: 'HORIZONTAL', thumbnailImageAlignment: 'LEFT' }),
  'carousel of 10': carousel(10),
  postback: { text: 'x', suggestions: [{ reply: { text: 'x', postbackData: 'x'.repeat(2048) } }] },
  dial: tap({ dialAction: { phoneNumber: '+33639980012' } }),
  place: tap({ viewLocationAction: { latLong: { latitude: 48.8, longitude: 2.3 }, label: 'Shop' } }),
  share: tap({ shareLocationAction: {} }),
  'web view': tap({
    openUrlAction: { url: 'https://orchard.example/', application: 'WEBVIEW', webviewViewMode: 'HALF' },
  }),
  compose: tap({ composeAction: { composeRecordingMessageAction: { phoneNumber: '+33639980012', type: 'AUDIO' } } }),
  calendar: tap({
    createCalendarEventAction: { startTime: '2026-03-01T09:00:00Z', endTime: '2026-03-01T10:00:00Z', title: 'Pears' },
  }),
}

const wrong: Record<string, object> = {
  'no content': {},
  'two contents': { text: 'x', contentInfo: file },
  'an empty text': { text: '' },
  'a text that is too long': { text: 'x'.repeat(3073) },
  'an unknown member': { text: 'x', colour: 'red' },
  '12 suggestions': { text: 'x', suggestions: many(12) },
  'a suggestion that is too long': { text: 'x', suggestions: [{ reply: { text: 'x'.repeat(26), postbackData: '' } }] },
  'a postback that is too long': { text: 'x', suggestions: [{ reply: { text: 'x', postbackData: 'x'.repeat(2049) } }] },
  'a suggestion of both kinds': { text: 'x', suggestions: [{ ...reply, action: {} }] },
  'two actions': tap({ dialAction: { phoneNumber: '+33639980012' }, shareLocationAction: {} }),
  'no action': tap({}),
  'a phone number with a space': tap({ dialAction: { phoneNumber: '+33 6' } }),
  'a place given twice': tap({ viewLocationAction: { latLong: { latitude: 1 }, query: 'x' } }),
  'a web view mode for the browser': tap({
    openUrlAction: { url: 'https://orchard.example/', webviewViewMode: 'HALF' },
  }),
  'an empty card': standalone({ cardContent: { suggestions: [reply] } }),
  '5 suggestions in a card': standalone({ cardContent: { ...card, suggestions: many(5) } }),
  'a title that is too long': standalone({ cardContent: { title: 'x'.repeat(201) } }),
  'a description that is too long': standalone({ cardContent: { description: 'x'.repeat(2001) } }),
  'no orientation': standalone({ cardOrientation: undefined }),
  'no alignment': standalone({ cardOrientation: 'HORIZONTAL' }),
  'media without height': standalone({ cardContent: { media: { contentInfo: file } } }),
  'media of both kinds': standalone({ cardContent: { media: { ...media, uploadedRbmFile: { fileName: 'x' } } } }),
  'one card': carousel(1),
  '11 cards': carousel(11),
  'tall media in a small carousel': carousel(2, { cardContents: [card, { media: { ...media, height: 'TALL' } }] }),
  'too many bytes': { text: 'x', suggestions: [{ reply: { text: 'x', postbackData: 'x'.repeat(256 * 1024) } }] },
}

suite('the schema of the RBM peer', () => {
  for (const [name, contentMessage] of Object.entries(right))
    test(`accepts ${name}`, () => checkAgentMessage({ contentMessage, ttl: '60s', messageTrafficType: 'PROMOTION' }))

  for (const [name, contentMessage] of Object.entries(wrong))
    test(`refuses ${name}`, () => assert.throws(() => checkAgentMessage({ contentMessage }), /message/))

  test('refuses an invalid lifetime, and two of them', () => {
    const contentMessage = { text: 'x' }
    for (const ttl of ['9s', '1296001s', '60', 60, '1m', ''])
      assert.throws(() => checkAgentMessage({ contentMessage, ttl }), /ttl/)
    const expireTime = '2026-03-01T09:00:00Z'
    assert.throws(() => checkAgentMessage({ contentMessage, ttl: '60s', expireTime }), /expiration/)
    checkAgentMessage({ contentMessage, expireTime })
  })
})
