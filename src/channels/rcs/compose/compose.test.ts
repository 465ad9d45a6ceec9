import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sampleStamp, sampleTokenKeys, sampleTrackingUrl } from '../../../features/rendering/samples.ts'
import { parseLinkToken } from '../../../lib/crypto/tokens.ts'
import type { ComposeInput } from '../../channel.ts'
import type { RcsMessageContent, RcsSuggestion } from '../content/content-schemas.ts'
import { findRequiredRcsFeatures } from '../content/features.ts'
import {
  buildSampleRcsSource,
  compileSampleRcs,
  composeSampleRcs,
  composeSampleSuggestion,
  previewSampleRcs,
  renderSampleRcs,
  sampleRcsPictureUrl,
} from '../content/samples.ts'
import { composeRcsFallback, composeRcsMessage } from './compose.ts'
import { encodePostback, parsePostback } from './postback.ts'

const tie = (path: string, postback = '') => encodePostback(sampleStamp, path, postback)
const common = { text: 'Go', postbackData: tie('s0', 'go') }
const given = { text: 'Go', postback: 'go' }
const url = 'https://orchard.example/pears'
const text = (suggestions: RcsSuggestion[], more: object = {}): RcsMessageContent => ({
  type: 'text',
  text: 'Bonjour {{ contact.Firstname }} & co',
  suggestions,
  ...more,
})

suite('RCS content composed as an RBM message', () => {
  const card = { title: 'Pears', description: 'Until Sunday.' }
  const cases: [name: string, content: RcsMessageContent, message: object][] = [
    ['text', { type: 'text', text: '{{ contact.Firstname }} <&> "co"' }, { text: 'Ann <&> "co"' }],
    [
      'text with suggestions that stay',
      text([{ type: 'reply', ...given }], { persistent: true }),
      { text: 'Bonjour Ann & co', suggestions: [{ reply: common }], persistent: true },
    ],
    [
      'file by its address',
      {
        type: 'file',
        file: { url: sampleRcsPictureUrl, thumbnailUrl: sampleRcsPictureUrl, forceRefresh: true, alt: 'Pears' },
      },
      { contentInfo: { fileUrl: sampleRcsPictureUrl, thumbnailUrl: sampleRcsPictureUrl, forceRefresh: true } },
    ],
    [
      'file that is there',
      {
        type: 'file',
        file: { fileName: 'files/1', thumbnailName: 'files/2' },
        suggestions: [{ type: 'reply', ...given }],
      },
      { uploadedRbmFile: { fileName: 'files/1', thumbnailName: 'files/2' }, suggestions: [{ reply: common }] },
    ],
    [
      'card',
      {
        type: 'card',
        orientation: 'HORIZONTAL',
        alignment: 'LEFT',
        card: {
          ...card,
          media: { height: 'MEDIUM', file: { url: sampleRcsPictureUrl, alt: 'Pears of {{ contact.Firstname }}' } },
          suggestions: [{ type: 'reply', ...given }],
        },
        suggestions: [{ type: 'reply', text: 'Later' }],
      },
      {
        richCard: {
          standaloneCard: {
            cardOrientation: 'HORIZONTAL',
            thumbnailImageAlignment: 'LEFT',
            cardContent: {
              ...card,
              media: {
                height: 'MEDIUM',
                contentDescription: 'Pears of Ann',
                contentInfo: { fileUrl: sampleRcsPictureUrl },
              },
              suggestions: [{ reply: { text: 'Go', postbackData: tie('c0s0', 'go') } }],
            },
          },
        },
        suggestions: [{ reply: { text: 'Later', postbackData: tie('s0') } }],
      },
    ],
    [
      'card that stands',
      { type: 'card', orientation: 'VERTICAL', alignment: 'RIGHT', card: { title: 'Pears' } },
      { richCard: { standaloneCard: { cardOrientation: 'VERTICAL', cardContent: { title: 'Pears' } } } },
    ],
    [
      'carousel',
      {
        type: 'carousel',
        width: 'SMALL',
        cards: [
          { media: { height: 'SHORT', file: { fileName: 'files/1' } } },
          {
            title: 'Two',
            description: '{{ data.nothing }}',
            suggestions: [
              { type: 'reply', text: 'A' },
              { type: 'reply', text: 'B' },
            ],
          },
        ],
      },
      {
        richCard: {
          carouselCard: {
            cardWidth: 'SMALL',
            cardContents: [
              { media: { height: 'SHORT', uploadedRbmFile: { fileName: 'files/1' } } },
              {
                title: 'Two',
                suggestions: [
                  { reply: { text: 'A', postbackData: tie('c1s0') } },
                  { reply: { text: 'B', postbackData: tie('c1s1') } },
                ],
              },
            ],
          },
        },
      },
    ],
  ]
  for (const [name, content, message] of cases) test(name, () => assert.deepEqual(composeSampleRcs(content), message))
})

suite('RCS suggestion composed as an RBM suggestion', () => {
  const phoneNumber = '+33639980012'
  const cases: [name: string, suggestion: RcsSuggestion, action: object][] = [
    ['openUrl', { type: 'openUrl', ...given, url }, { openUrlAction: { url } }],
    [
      'openUrl in a web view',
      {
        type: 'openUrl',
        ...given,
        url,
        tracked: false,
        application: 'WEBVIEW',
        webviewViewMode: 'HALF',
        description: 'Shop',
        fallbackUrl: 'http://orchard.example/',
      },
      {
        fallbackUrl: 'http://orchard.example/',
        openUrlAction: { url, application: 'WEBVIEW', webviewViewMode: 'HALF', description: 'Shop' },
      },
    ],
    [
      'openUrl in a browser',
      { type: 'openUrl', ...given, url, application: 'BROWSER', webviewViewMode: 'FULL' },
      { openUrlAction: { url, application: 'BROWSER' } },
    ],
    ['dial', { type: 'dial', ...given, phoneNumber }, { dialAction: { phoneNumber } }],
    [
      'viewLocation',
      { type: 'viewLocation', ...given, latitude: 48.85, longitude: -2.35, label: 'Shop' },
      { viewLocationAction: { latLong: { latitude: 48.85, longitude: -2.35 }, label: 'Shop' } },
    ],
    [
      'viewLocation by a query',
      { type: 'viewLocation', ...given, query: 'orchard near {{ contact.Firstname }}' },
      { viewLocationAction: { query: 'orchard near Ann' } },
    ],
    ['shareLocation', { type: 'shareLocation', ...given }, { shareLocationAction: {} }],
    [
      'createCalendarEvent',
      {
        type: 'createCalendarEvent',
        ...given,
        startTime: '2026-03-05T09:00:00+01:00',
        endTime: 1_772_701_200_000,
        title: 'Open day',
        description: 'Bring a basket.',
      },
      {
        createCalendarEventAction: {
          startTime: '2026-03-05T08:00:00.000Z',
          endTime: '2026-03-05T09:00:00.000Z',
          title: 'Open day',
          description: 'Bring a basket.',
        },
      },
    ],
    [
      'compose of a text',
      { type: 'compose', ...given, phoneNumber, message: 'I am {{ contact.Firstname }}' },
      { composeAction: { composeTextMessageAction: { phoneNumber, text: 'I am Ann' } } },
    ],
    [
      'compose of a recording',
      { type: 'compose', ...given, phoneNumber, recording: 'AUDIO' },
      { composeAction: { composeRecordingMessageAction: { phoneNumber, type: 'AUDIO' } } },
    ],
  ]
  test('a reply has text and postback data', () =>
    assert.deepEqual(composeSampleSuggestion({ type: 'reply', ...given }), { reply: common }))
  for (const [name, suggestion, action] of cases)
    test(name, () => assert.deepEqual(composeSampleSuggestion(suggestion), { action: { ...common, ...action } }))

  test('suggestions whose text renders empty are dropped, and the others keep their places', () => {
    const empty: RcsSuggestion = { type: 'openUrl', text: '{{ data.none }} ', url: '{{ data.none }}' }
    assert.deepEqual(composeSampleRcs(text([empty, { type: 'reply', ...given }])).suggestions, [
      { reply: { text: 'Go', postbackData: tie('s1', 'go') } },
    ])
    assert.deepEqual(composeSampleRcs(text([empty], { persistent: true })), { text: 'Bonjour Ann & co' })
    const noAddress: RcsSuggestion = { type: 'openUrl', text: '{{ data.none }}', url: 'x {{ data.none }}' }
    assert.deepEqual(composeSampleRcs(text([noAddress])), { text: 'Bonjour Ann & co' })
  })
})

suite('rendered RCS content that is refused', () => {
  const long = 'a'.repeat(3073)
  const cases: [name: string, content: RcsMessageContent, pointer: string, words: RegExp][] = [
    ['6. a text of 3,073 characters', { type: 'text', text: '{{ data.long }}' }, '/content/text', /at most 3072.*3073/],
    ['an empty text', { type: 'text', text: '{{ data.none }}' }, '/content/text', /must not be empty/],
    [
      'a title',
      { type: 'card', orientation: 'VERTICAL', card: { title: '{{ data.long }}' } },
      '/content/card/title',
      /at most 200/,
    ],
    [
      'a card of nothing',
      { type: 'carousel', width: 'SMALL', cards: [{ title: 'a' }, { title: '{{ data.none }}' }] },
      '/content/cards/1',
      /title, a description or media/,
    ],
    ['a file', { type: 'file', file: { url: '{{ data.ftp }}' } }, '/content/file/url', /https/],
    ['a text of a suggestion', text([{ type: 'reply', text: '{{ data.long }}' }]), '/content/suggestions/0/text', /25/],
    [
      'an address',
      text([{ type: 'openUrl', ...given, url: '{{ data.ftp }}' }]),
      '/content/suggestions/0/url',
      /http or https/,
    ],
    [
      'an address that is too long',
      text([{ type: 'openUrl', ...given, url: 'https://orchard.example/{{ data.long }}' }]),
      '/content/suggestions/0/url',
      /at most 2048/,
    ],
    [
      'a date',
      text([{ type: 'createCalendarEvent', ...given, startTime: '{{ data.ftp }}', endTime: '2026', title: 'T' }]),
      '/content/suggestions/0/startTime',
      /ISO 8601/,
    ],
    [
      'an end before its start',
      text([
        { type: 'createCalendarEvent', ...given, startTime: '2026-03-05', endTime: '{{ data.date }}', title: 'T' },
      ]),
      '/content/suggestions/0/endTime',
      /before startTime/,
    ],
  ]
  for (const [name, content, pointer, words] of cases)
    test(name, () => {
      const result = previewSampleRcs(content, { long, ftp: 'ftp://a.example', date: '2026-03-04' })
      assert.ok(result.type === 'error' && result.value.type === 'render')
      assert.equal(result.value.pointer, pointer)
      assert.match(result.value.message, words)
    })

  test('refuses more than 250 KB in total', () => {
    const chip: RcsSuggestion = { type: 'dial', text: 'Go', phoneNumber: '+33639980012', postback: '{{ data.big }}' }
    const cards = Array.from({ length: 10 }, () => ({
      description: '{{ data.wide }}',
      suggestions: [chip, chip, chip, chip],
    }))
    const content: RcsMessageContent = { type: 'carousel', width: 'MEDIUM', cards }
    const fits = previewSampleRcs(content, { big: '🍐'.repeat(1400), wide: '' })
    assert.ok(fits.type === 'error' && fits.value.type === 'render' && fits.value.pointer === '/content/cards/0')
    const big = previewSampleRcs(content, { big: '🍐'.repeat(1900), wide: '🍐'.repeat(2000) })
    assert.ok(big.type === 'error' && big.value.type === 'render')
    assert.deepEqual([big.value.pointer, /bytes/.test(big.value.message)], ['/content', true])
    assert.equal(previewSampleRcs(content, { big: 'b'.repeat(1900), wide: 'w'.repeat(2000) }).type, 'success')
  })

  test('template errors have a pointer, with line and column when found at compilation', () => {
    const content: RcsMessageContent = {
      type: 'card',
      orientation: 'VERTICAL',
      card: { title: 'a\n{{ x | nofilter }}' },
    }
    const [error] = compileSampleRcs(buildSampleRcsSource(content)).errors
    assert.deepEqual(error && [error.type, error.part, error.position], [
      'unknown-filter',
      'content/card/title',
      { line: 2, column: 1 },
    ])
    const result = previewSampleRcs(content)
    assert.ok(result.type === 'error' && result.value.type === 'render')
    assert.equal(result.value.pointer, '/content/card/title')
    const cancelled = previewSampleRcs({ type: 'text', text: '{% cancel "no stock" %}' })
    assert.deepEqual(cancelled, { type: 'error', value: { type: 'cancelled', message: 'no stock' } })
  })
})

suite('links of an RCS message', () => {
  const content: RcsMessageContent = {
    type: 'card',
    orientation: 'VERTICAL',
    card: { title: 'T', suggestions: [{ type: 'openUrl', text: 'Shop', url, fallbackUrl: url }] },
    suggestions: [
      { type: 'openUrl', text: '{{ data.t }}', postback: 'made', url: 'https://orchard.example/{{ data.p }}' },
      { type: 'openUrl', text: 'Plain', url, tracked: false },
      { type: 'openUrl', text: 'Leave', url: '{{ links.unsubscribe }}' },
    ],
  }
  const fallback = { type: 'sms' as const, text: 'See {{ "https://orchard.example/sms" | tracked: "sms" }} STOP 36000' }

  test('are numbered in the order they are shown, with those of the fallback last', () => {
    const { links } = compileSampleRcs(buildSampleRcsSource(content, fallback))
    assert.deepEqual(
      links.map(({ id, name, url: target }) => [id, name, target]),
      [
        [1, 'Shop', url],
        [2, 'made', null],
        [3, 'Leave', null],
        [4, 'sms', 'https://orchard.example/sms'],
      ],
    )
  })

  test('become redirects in the message and short links in the fallback; fallbackUrl and untracked links stay', () => {
    const rendered = renderSampleRcs(buildSampleRcsSource(content, fallback), { t: 'Go', p: 'a?b=1&c=é' })
    assert.ok(rendered.outcome === 'rendered')
    const { parts, shortLinks } = rendered
    const token = (name: string) => (parts[name] ?? '').replace(`${sampleTrackingUrl}/t/r/`, '').split('/')
    const [shop = ''] = token('content/card/suggestions/0/url')
    assert.deepEqual(parseLinkToken(sampleTokenKeys, shop, 'redirection')?.link, 1)
    const [made = '', travelling = ''] = token('content/suggestions/0/url')
    const target = Buffer.from(travelling, 'base64url').toString()
    assert.equal(target, 'https://orchard.example/a?b=1&c=é')
    assert.equal(parseLinkToken(sampleTokenKeys, made, 'redirection', target)?.link, 2)
    assert.equal(parts['content/card/suggestions/0/fallbackUrl'], url)
    assert.equal(parts['content/suggestions/1/url'], url)
    assert.match(parts['content/suggestions/2/url'] ?? '', /^https:\/\/t\.shop\.example\/t\/u\/[\w-]{72}$/)
    assert.match(parts['fallback/text'] ?? '', /^See https:\/\/t\.shop\.example\/s\/\w{10} STOP 36000$/)
    assert.deepEqual(
      shortLinks.map(({ kind, link, target: to }) => [kind, link, to]),
      [['redirection', 4, 'https://orchard.example/sms']],
    )
  })

  test('become short when they would be too long with their target', () => {
    const target = 'https://orchard.example/{{ data.p }}'
    const source = buildSampleRcsSource(text([{ type: 'openUrl', ...given, url: target }]))
    const rendered = renderSampleRcs(source, { p: 'a'.repeat(1470) })
    assert.ok(rendered.outcome === 'rendered')
    assert.match(rendered.parts['content/suggestions/0/url'] ?? '', /^https:\/\/t\.shop\.example\/s\/\w{10}$/)
    assert.equal(rendered.shortLinks[0]?.target?.length, 1494)
  })
})

suite('RCS results and outgoing messages', () => {
  const fallback = (words: string) => ({ type: 'sms' as const, text: words })
  const content = text([{ type: 'shareLocation', text: 'Where I am' }])

  test('the result has the message, its fallback as SMS shows it, and the warnings', () => {
    const result = previewSampleRcs(content, {}, fallback('Ça va {{ contact.Firstname }}'))
    assert.ok(result.type === 'success')
    assert.deepEqual([result.recipient, result.agent], ['+33639980012', 'orchard_fr_k2'])
    assert.deepEqual(result.fallback, { text: 'Ça va Ann STOP 36000', segments: 1 })
    assert.deepEqual(
      result.warnings?.map(({ type, pointer }) => [type, pointer]),
      [['share-location-first', '/content/suggestions/0']],
    )
    assert.equal(
      previewSampleRcs(
        text([
          { type: 'reply', ...given },
          { type: 'shareLocation', text: 'x' },
        ]),
      ).type,
      'success',
    )
    const plain = previewSampleRcs(
      text([
        { type: 'reply', ...given },
        { type: 'shareLocation', text: 'x' },
      ]),
    )
    assert.deepEqual('message' in plain && [plain.fallback, plain.warnings], [null, undefined])
    const long = previewSampleRcs(content, {}, fallback('a'.repeat(2000)))
    assert.ok(long.type === 'error' && long.value.type === 'render')
    assert.equal(long.value.pointer, '/fallback/text')
  })

  test('the features are those that the message needs', () => {
    const of = (given: RcsMessageContent) => findRequiredRcsFeatures(composeSampleRcs(given))
    assert.deepEqual(of({ type: 'text', text: 'x', suggestions: [{ type: 'reply', text: 'y' }] }), [])
    assert.deepEqual(of({ type: 'card', orientation: 'VERTICAL', card: { title: 'x' } }), ['RICHCARD_STANDALONE'])
    assert.deepEqual(
      of({
        type: 'carousel',
        width: 'SMALL',
        cards: [
          { title: 'x' },
          { title: 'y', suggestions: [{ type: 'dial', text: 'z', phoneNumber: '+33639980012' }] },
        ],
      }),
      ['RICHCARD_CAROUSEL', 'ACTION_DIAL'],
    )
    assert.deepEqual(
      of(
        text([
          { type: 'openUrl', ...given, url },
          { type: 'openUrl', ...given, url },
          { type: 'viewLocation', ...given, query: 'x' },
          { type: 'shareLocation', ...given },
          { type: 'createCalendarEvent', ...given, startTime: 0, endTime: 0, title: 'x' },
          { type: 'compose', ...given, phoneNumber: '+33639980012', message: 'x' },
        ]),
      ),
      [
        'ACTION_OPEN_URL',
        'ACTION_VIEW_LOCATION',
        'ACTION_SHARE_LOCATION',
        'ACTION_CREATE_CALENDAR_EVENT',
        'ACTION_COMPOSE',
      ],
    )
  })

  function inputOf(source: ReturnType<typeof buildSampleRcsSource>, data: object = {}): ComposeInput {
    const rendered = renderSampleRcs(source, data as Record<string, unknown>)
    assert.ok(rendered.outcome === 'rendered')
    const parts = Object.fromEntries(Object.entries(rendered.parts).map(([name, words]) => [name, [words]]))
    const message = {
      account: 1,
      sourceKind: 'rcs',
      source: 41,
      stamp: { id: sampleStamp },
      expiresAt: new Date(3_600_000),
    }
    return { id: 5, message, rendered: { ...rendered, parts }, address: '+33639980012', endsAt: null } as never
  }

  test('an outgoing message has its remaining expiration, its stamp and the traffic type of its purpose', () => {
    const source = buildSampleRcsSource({ type: 'text', text: 'Hi' }, fallback('Hi'))
    const input = inputOf(source)
    const outgoing = composeRcsMessage(source, input, { now: 1_200_000 })
    assert.deepEqual(outgoing, {
      id: 5,
      to: '+33639980012',
      agent: 'orchard_fr_k2',
      contentMessage: '{"text":"Hi"}',
      ttlSeconds: 2400,
      trafficType: 'PROMOTION',
      messageId: sampleStamp,
      purpose: 'marketing',
      features: [],
      expiresAt: 3_600_000,
      gateway: { kind: 'rcs-profile', key: '3' },
      origin: { account: 1, sourceKind: 'rcs', source: 41, stamp: sampleStamp },
    })
    const ends = composeRcsMessage(source, { ...input, endsAt: 1_260_000 }, { now: 1_200_000 })
    assert.ok('ttlSeconds' in ends && ends.ttlSeconds === 60)
    const sms = composeRcsFallback(source, input)
    assert.ok('text' in sms)
    assert.deepEqual([sms.to, sms.from, sms.text, sms.encoding], ['+33639980012', 'ORCHARD', 'Hi STOP 36000', 'gsm7'])
  })

  test('content that is too long once rendered is a render error and is not sent', () => {
    const source = buildSampleRcsSource({ type: 'text', text: '{{ data.long }}' })
    const cancelled = composeRcsMessage(source, inputOf(source, { long: 'a'.repeat(3073) }), { now: 0 })
    assert.ok('cancellation' in cancelled)
    const { type, value } = cancelled.cancellation
    assert.deepEqual([type, (value as { pointer: string }).pointer], ['render error', '/content/text'])
    const long = buildSampleRcsSource({ type: 'text', text: 'x' }, fallback('a'.repeat(2000)))
    const both = [composeRcsMessage(long, inputOf(long), { now: 0 }), composeRcsFallback(long, inputOf(long))]
    for (const one of both) assert.ok('cancellation' in one && one.cancellation.type === 'render error')
  })
})

suite('postback ties', () => {
  test('are added as the interface documents them and can be removed again', () => {
    assert.equal(encodePostback('0198c2d4-6a00-7c11-8e5d-91b2c3d4e5f6', 's0', 'see'), '~AZjC1GoAfBGOXZGyw9Tl9g.s0~see')
    assert.deepEqual(parsePostback('~AZjC1GoAfBGOXZGyw9Tl9g.s0~see'), {
      stamp: '0198c2d4-6a00-7c11-8e5d-91b2c3d4e5f6',
      path: 's0',
      postback: 'see',
    })
  })

  test('leave unknown postback data unchanged', () => {
    for (const data of ['', 'stop', '~short.s0~x', '~AZjC1GoAfBGOXZGyw9Tl9g.x0~y', '~AZjC1GoAfBGOXZGyw9Tl9h.s0~y'])
      assert.deepEqual(parsePostback(data), { stamp: null, path: null, postback: data })
  })
})
