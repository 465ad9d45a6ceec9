import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Ajv } from 'ajv'
import { toRequestFaults } from '../../../http/validation/validation.ts'
import { findRcsContentFaults, findRcsExpirationFaults, findRcsFallbackFaults } from './content-faults.ts'
import { RcsFallback, RcsMessageContent } from './content-schemas.ts'

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, discriminator: true, strict: false })
const validate = ajv.compile({ type: 'object', properties: { content: RcsMessageContent, fallback: RcsFallback } })

/** The pointers of what is wrong with a content: by its schema, or by the rules that a schema cannot say. */
function faults(content: unknown): string[] {
  if (!validate({ content }))
    return toRequestFaults((validate.errors ?? []) as never, 'body').map(({ pointer }) => pointer)
  return findRcsContentFaults(content as RcsMessageContent).map(({ pointer }) => pointer)
}

const url = 'https://img.orchard.example/pear.jpg'
const text = (more: object = {}) => ({ type: 'text', text: 'Pears', ...more })
const card = (more: object, around: object = {}) => ({
  type: 'card',
  orientation: 'VERTICAL',
  card: { title: 'T', ...more },
  ...around,
})
const carousel = (cards: object[], width = 'MEDIUM') => ({ type: 'carousel', width, cards })
const chip = (more: object = {}) => ({ type: 'reply', text: 'Yes', ...more })
const chips = (count: number) => Array.from({ length: count }, () => chip())
const withChip = (suggestion: object) => text({ suggestions: [suggestion] })

/** A string of so many characters, of one and of two units. */
const lengths = (count: number) => ['a'.repeat(count), '🍐'.repeat(count)]

suite('RCS content: length limits of literal strings', () => {
  const limits: [name: string, limit: number, content: (value: string) => object, pointer: string][] = [
    ['6. text', 3072, (value) => text({ text: value }), '/content/text'],
    ['title', 200, (value) => card({ title: value }), '/content/card/title'],
    ['description', 2000, (value) => card({ description: value }), '/content/card/description'],
    ['title of a second card', 200, (value) => carousel([{ title: 'a' }, { title: value }]), '/content/cards/1/title'],
    [
      'alt',
      500,
      (value) => card({ media: { height: 'SHORT', file: { url, alt: value } } }),
      '/content/card/media/file/alt',
    ],
    ['alt of a file', 500, (value) => ({ type: 'file', file: { url, alt: value } }), '/content/file/alt'],
    ['text of a suggestion', 25, (value) => withChip(chip({ text: value })), '/content/suggestions/0/text'],
    ['postback', 1900, (value) => withChip(chip({ postback: value })), '/content/suggestions/0/postback'],
    [
      'title of an event',
      100,
      (value) =>
        withChip({
          ...chip(),
          type: 'createCalendarEvent',
          startTime: '2026-03-05',
          endTime: '2026-03-06',
          title: value,
        }),
      '/content/suggestions/0/title',
    ],
    [
      'description of an event',
      500,
      (value) =>
        withChip({
          ...chip(),
          type: 'createCalendarEvent',
          startTime: 0,
          endTime: 0,
          title: 'T',
          description: value,
        }),
      '/content/suggestions/0/description',
    ],
  ]
  for (const [name, limit, content, pointer] of limits)
    test(`limits ${name} to ${limit} characters`, () => {
      for (const value of lengths(limit)) assert.deepEqual(faults(content(value)), [])
      for (const value of lengths(limit + 1)) assert.deepEqual(faults(content(value)), [pointer])
      assert.deepEqual(
        faults(content(`{{ data.a }}${'a'.repeat(limit)}`)),
        [],
        'a template is judged when it is rendered',
      )
    })

  test('limits addresses to 2,048 characters', () => {
    const address = (length: number) => 'https://orchard.example/'.padEnd(length, 'a')
    for (const name of ['url', 'fallbackUrl']) {
      const suggestion = (value: string) => ({ ...chip(), type: 'openUrl', url: address(30), [name]: value })
      assert.deepEqual(faults(withChip(suggestion(address(2048)))), [])
      assert.deepEqual(faults(withChip(suggestion(address(2049)))), [`/content/suggestions/0/${name}`])
    }
  })

  test('refuses empty required strings', () => {
    assert.deepEqual(faults(text({ text: ' ' })), ['/content/text'])
    assert.deepEqual(faults(withChip(chip({ text: '' }))), ['/content/suggestions/0/text'])
    assert.deepEqual(faults({ type: 'file', file: { url: '' } }), ['/content/file/url'])
    assert.deepEqual(faults(withChip(chip({ postback: '' }))), [])
  })
})

suite('RCS content: limits on counts', () => {
  test('a message has at most 11 suggestions and a card at most 4', () => {
    for (const around of [
      text(),
      { type: 'file', file: { url } },
      card({}),
      carousel([{ title: 'a' }, { title: 'b' }]),
    ]) {
      assert.deepEqual(faults({ ...around, suggestions: chips(11) }), [])
      assert.deepEqual(faults({ ...around, suggestions: [] }), [])
      assert.deepEqual(faults({ ...around, suggestions: chips(12) }), ['/content/suggestions'])
    }
    assert.deepEqual(faults(card({ suggestions: chips(4) })), [])
    assert.deepEqual(faults(card({ suggestions: chips(5) })), ['/content/card/suggestions'])
    assert.deepEqual(faults(carousel([{ title: 'a' }, { title: 'b', suggestions: chips(5) }])), [
      '/content/cards/1/suggestions',
    ])
  })

  test('a carousel has 2 to 10 cards, and a SMALL one has no TALL card', () => {
    const cards = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `${n}` }))
    for (const count of [2, 10]) assert.deepEqual(faults(carousel(cards(count))), [])
    for (const count of [0, 1, 11]) assert.deepEqual(faults(carousel(cards(count))), ['/content/cards'])
    const tall = [{ title: 'a' }, { media: { height: 'TALL', file: { url } } }]
    assert.deepEqual(faults(carousel(tall, 'SMALL')), ['/content/cards/1/media/height'])
    assert.deepEqual(faults(carousel(tall, 'MEDIUM')), [])
    assert.deepEqual(faults(card({ media: { height: 'TALL', file: { url } } })), [])
  })
})

suite('RCS content: rules across members', () => {
  test('a card requires a title, a description or media', () => {
    assert.deepEqual(faults({ ...card({}), card: {} }), ['/content/card'])
    assert.deepEqual(faults({ ...card({}), card: { title: '', description: ' ' } }), ['/content/card'])
    assert.deepEqual(faults(carousel([{ title: 'a' }, { suggestions: chips(1) }])), ['/content/cards/1'])
    for (const one of [{ title: 'a' }, { description: 'a' }, { media: { height: 'SHORT', file: { url } } }])
      assert.deepEqual(faults({ ...card({}), card: one }), [])
  })

  test('a HORIZONTAL card requires an alignment', () => {
    assert.deepEqual(faults(card({}, { orientation: 'HORIZONTAL' })), ['/content/alignment'])
    assert.deepEqual(faults(card({}, { orientation: 'HORIZONTAL', alignment: 'LEFT' })), [])
    assert.deepEqual(faults(card({}, { orientation: 'HORIZONTAL', alignment: 'TOP' })), ['/content/alignment'])
    assert.deepEqual(faults(card({}, { orientation: 'SLANTED' })), ['/content/orientation'])
  })

  test('a file must be an https address or the name of an existing file', () => {
    const file = (given: object) => faults({ type: 'file', file: given })
    assert.deepEqual(file({ url, thumbnailUrl: url, forceRefresh: true, alt: 'Pears' }), [])
    assert.deepEqual(file({ fileName: 'files/1', thumbnailName: 'files/2', alt: 'Pears' }), [])
    assert.deepEqual(file({ url: 'http://img.orchard.example/a.jpg' }), ['/content/file/url'])
    assert.deepEqual(file({ url, thumbnailUrl: 'ftp://a.example' }), ['/content/file/thumbnailUrl'])
    assert.deepEqual(file({}), ['/content/file'])
    assert.deepEqual(file({ url, fileName: 'files/1' }), ['/content/file'])
    assert.deepEqual(file({ url, thumbnailName: 'files/2' }), ['/content/file/thumbnailName'])
    assert.deepEqual(file({ fileName: 'files/1', forceRefresh: true }), ['/content/file/forceRefresh'])
    assert.deepEqual(faults(card({ media: { height: 'HUGE', file: { url } } })), ['/content/card/media/height'])
  })

  test('suggestions require the members of their type', () => {
    const wrong: [suggestion: object, pointer: string][] = [
      [{ type: 'openUrl' }, '/url'],
      [{ type: 'openUrl', url: 'mailto:a@orchard.example' }, '/url'],
      [{ type: 'openUrl', url, fallbackUrl: 'javascript:x' }, '/fallbackUrl'],
      [{ type: 'openUrl', url, application: 'TAB' }, '/application'],
      [{ type: 'openUrl', url, webviewViewMode: 'SHORT' }, '/webviewViewMode'],
      [{ type: 'dial', phoneNumber: '0639980012' }, '/phoneNumber'],
      [{ type: 'viewLocation', latitude: 48.1 }, '/longitude'],
      [{ type: 'viewLocation', longitude: 2.1 }, '/latitude'],
      [{ type: 'viewLocation', latitude: 91, longitude: 2 }, '/latitude'],
      [{ type: 'viewLocation', latitude: 1, longitude: 2, query: 'x' }, '/query'],
      [{ type: 'createCalendarEvent', startTime: 'soon', endTime: '2026-03-05', title: 'T' }, '/startTime'],
      [{ type: 'createCalendarEvent', startTime: '2026-03-05', endTime: '2026-03-04', title: 'T' }, '/endTime'],
      [{ type: 'createCalendarEvent', startTime: '2026-03-05', endTime: '2026-03-05' }, '/title'],
      [{ type: 'compose', phoneNumber: '+33639980012' }, ''],
      [{ type: 'compose', phoneNumber: '+33639980012', message: 'a', recording: 'AUDIO' }, ''],
      [{ type: 'compose', phoneNumber: '+33639980012', recording: 'TEXT' }, '/recording'],
    ]
    for (const [suggestion, pointer] of wrong) {
      const found = faults(withChip({ ...chip(), ...suggestion }))
      assert.deepEqual([...new Set(found)], [`/content/suggestions/0${pointer}`], JSON.stringify(suggestion))
    }
  })

  test('unknown types are refused', () => {
    assert.ok(faults({ type: 'video' }).includes('/content/type'))
    assert.ok(faults({}).includes('/content/type'))
    assert.ok(faults(withChip({ ...chip(), type: 'dance' })).includes('/content/suggestions/0/type'))
  })
})

suite('RCS content: periods', () => {
  const period = (unit: string, value: number) => ({ type: 'period', value: { unit, value } }) as never

  test('an expiration must be between 10 seconds and 15 days', () => {
    for (const [unit, value] of [
      ['SECOND', 10],
      ['MILLISECOND', 10_000],
      ['DAY', 15],
      ['WEEK', 2],
      ['HOUR', 360],
    ] as const)
      assert.deepEqual(findRcsExpirationFaults(period(unit, value)), [], unit)
    for (const [unit, value] of [
      ['SECOND', 9],
      ['MILLISECOND', 9999],
      ['DAY', 16],
      ['MONTH', 1],
      ['YEAR', 1],
      ['SECOND', 1_296_001],
    ] as const)
      assert.deepEqual(
        findRcsExpirationFaults(period(unit, value)).map(({ pointer }) => pointer),
        ['/settings/expiration/value'],
        unit,
      )
    assert.deepEqual(findRcsExpirationFaults(null), [])
  })

  test('a fallback waits at least 1 minute and at most the expiration, which defaults to 48 hours', () => {
    const after = (unit: string, value: number) => ({ type: 'sms', text: 'x', after: { unit, value } }) as never
    const pointers = (given: never, expiration: never | null = null) =>
      findRcsFallbackFaults(given, expiration).map(({ pointer }) => pointer)
    assert.deepEqual(pointers(after('MINUTE', 1)), [])
    assert.deepEqual(pointers(after('SECOND', 59)), ['/fallback/after'])
    assert.deepEqual(pointers(after('HOUR', 48)), [])
    assert.deepEqual(pointers(after('HOUR', 49)), ['/fallback/after'])
    assert.deepEqual(pointers(after('HOUR', 49), period('DAY', 3)), [])
    assert.deepEqual(pointers({ type: 'sms', text: ' ' } as never), ['/fallback/text'])
    assert.equal(validate({ fallback: { type: 'sms', text: 'x', sender: null, after: null } }), true)
    assert.equal(validate({ fallback: { type: 'sms', text: 'x', sender: 'much too long a name' } }), false)
  })
})
