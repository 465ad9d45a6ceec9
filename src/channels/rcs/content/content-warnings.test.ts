import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { RcsCard, RcsMessageContent, RcsSuggestion } from './content-schemas.ts'
import { previewSampleRcs, sampleRcsPictureUrl } from './samples.ts'

type Height = NonNullable<RcsCard['media']>['height']

const replies = (count: number): RcsSuggestion[] =>
  Array.from({ length: count }, (_, index) => ({ type: 'reply', text: `Reply ${index}` }))
const media = (height: Height, alt?: string) => ({ height, file: { url: sampleRcsPictureUrl, ...(alt && { alt }) } })
const words = (count: number): string => 'x'.repeat(count)
const standing = (card: RcsCard, more: object = {}): RcsMessageContent => ({
  type: 'card',
  orientation: 'VERTICAL',
  card,
  ...more,
})
const beside = (card: RcsCard): RcsMessageContent => standing(card, { orientation: 'HORIZONTAL', alignment: 'LEFT' })
const row = (width: 'SMALL' | 'MEDIUM', ...cards: RcsCard[]): RcsMessageContent => ({ type: 'carousel', width, cards })

/** The warnings of a content, as their types and pointers. */
function said(content: RcsMessageContent, data: Record<string, unknown> = {}): string[] {
  const result = previewSampleRcs(content, data)
  assert.ok(result.type === 'success', JSON.stringify(result))
  for (const { message } of result.warnings ?? []) assert.match(message, /\.$/)
  return (result.warnings ?? []).map(({ type, pointer }) => `${type} ${pointer.replace('/content/', '')}`)
}

suite('warnings about how phones show RCS content', () => {
  test('a text is folded after 300 characters, counted after rendering', () => {
    const content: RcsMessageContent = { type: 'text', text: '{{ data.t }}' }
    assert.deepEqual(said(content, { t: words(300) }), [])
    assert.deepEqual(said(content, { t: '🍐'.repeat(300) }), [])
    assert.deepEqual(said(content, { t: words(301) }), ['text-long text'])
  })

  test('only four suggestions are visible below a message, not counting dropped ones', () => {
    const text = (suggestions: RcsSuggestion[]): RcsMessageContent => ({ type: 'text', text: 'x', suggestions })
    assert.deepEqual(said(text(replies(4))), [])
    assert.deepEqual(said(text(replies(5))), ['suggestions-hidden suggestions/4'])
    const dropped: RcsSuggestion = { type: 'reply', text: '{{ data.none }}' }
    assert.deepEqual(said(text([dropped, ...replies(4)])), [])
    assert.deepEqual(said(text([dropped, ...replies(5)])), ['suggestions-hidden suggestions/5'])
  })

  test('a first suggestion that shares a location is not shown in notifications, even on a card', () => {
    const share: RcsSuggestion = { type: 'shareLocation', text: 'Here' }
    assert.deepEqual(said({ type: 'text', text: 'x', suggestions: [share] }), ['share-location-first suggestions/0'])
    const card = standing({ title: 'x', suggestions: [share] }, { suggestions: replies(1) })
    assert.deepEqual(said(card), ['share-location-first card/suggestions/0'])
    assert.deepEqual(said(standing({ title: 'x', suggestions: replies(1) }, { suggestions: [share] })), [])
  })

  test('a title has two lines as wide as its card', () => {
    for (const [content, fits] of [
      [(title: string) => standing({ title }), 66],
      [(title: string) => beside({ title, media: media('MEDIUM', 'Pears') }), 34],
      [(title: string) => row('MEDIUM', { title }, { title: 'x' }), 50],
      [(title: string) => row('SMALL', { title }, { title: 'x' }), 22],
    ] as const) {
      assert.deepEqual(said(content(words(fits))), [])
      const [cut, ...more] = said(content(words(fits + 1)))
      assert.match(cut ?? '', /^title-cut (card|cards\/0)\/title$/)
      assert.deepEqual(more, [])
    }
    assert.deepEqual(said(standing({ title: 'a\nb' })), [])
    assert.deepEqual(said(standing({ title: 'a\nb\nc' })), ['title-cut card/title'])
  })

  test('a description has the lines left by the media', () => {
    const content = (height: Height | null, lines: number) =>
      row(
        'MEDIUM',
        { ...(height && { media: media(height, 'Pears') }), description: words(28 * lines) },
        { title: 'x' },
      )
    for (const [height, lines] of [
      [null, 10],
      ['SHORT', 6],
      ['MEDIUM', 4],
      ['TALL', 2],
    ] as const) {
      assert.deepEqual(said(content(height, lines)), [], String(height))
      assert.deepEqual(said(content(height, lines + 1)), ['description-cut cards/0/description'], String(height))
    }
    const horizontal = (length: number) => beside({ description: words(length), media: media('MEDIUM', 'Pears') })
    assert.deepEqual([said(horizontal(80)), said(horizontal(81))], [[], ['description-cut card/description']])
  })

  test('a card fits one to three suggestions next to its media and four without media', () => {
    const card = (height: Height | null, count: number, more: RcsCard = {}) =>
      standing({ ...(height && { media: media(height, 'Pears') }), suggestions: replies(count), ...more })
    for (const [height, fits] of [
      ['TALL', 1],
      ['MEDIUM', 2],
      ['SHORT', 3],
    ] as const) {
      assert.deepEqual(said(card(height, fits)), [], height)
      assert.deepEqual(said(card(height, fits + 1)), [`suggestions-hidden card/suggestions/${fits}`], height)
    }
    assert.deepEqual(said(card(null, 4, { title: 'x' })), [])
    assert.deepEqual(said(card('TALL', 1, { title: 'x' })), ['suggestions-hidden card/suggestions/0'])
    assert.deepEqual(said(card('TALL', 0, { title: 'x', description: 'y' })), [])
    assert.deepEqual(said(beside({ title: 'x', media: media('MEDIUM', 'Pears'), suggestions: replies(4) })), [])
  })

  test('reports a media height that is unused or too late in a carousel', () => {
    for (const [height, expected] of [
      ['MEDIUM', []],
      ['TALL', ['media-height card/media/height']],
    ] as const)
      assert.deepEqual(said(beside({ title: 'x', media: media(height, 'Pears') })), expected)
    const [short, high] = [{ media: media('SHORT', 'Pears') }, { media: media('MEDIUM', 'Pears') }]
    assert.deepEqual(said(row('SMALL', short, high, high)), [])
    assert.deepEqual(said(row('SMALL', short, short, high)), ['media-height cards/2/media/height'])
    assert.deepEqual(said(row('SMALL', { title: 'x' }, { title: 'y' }, short)), ['media-height cards/2/media/height'])
  })

  test('reports media whose alt is missing or renders empty, except for a file', () => {
    assert.deepEqual(said(standing({ media: media('SHORT') })), ['alt-missing card/media/file/alt'])
    assert.deepEqual(said(standing({ media: media('SHORT', '{{ data.alt }}') })), ['alt-missing card/media/file/alt'])
    assert.deepEqual(said(standing({ media: media('SHORT', '{{ data.alt }}') }), { alt: 'Pears' }), [])
    assert.deepEqual(said({ type: 'file', file: { url: sampleRcsPictureUrl } }), [])
  })
})
