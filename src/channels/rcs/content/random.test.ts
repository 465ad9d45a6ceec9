import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Ajv } from 'ajv'
import { sampleStamp } from '../../../features/rendering/samples.ts'
import { encodePostback, parsePostback } from '../compose/postback.ts'
import type { RbmContent } from '../compose/rbm.ts'
import { findRcsContentFaults } from './content-faults.ts'
import type { RcsCard, RcsFileContent, RcsMessageContent, RcsSuggestion } from './content-schemas.ts'
import { RcsMessageContent as RcsContentSchema } from './content-schemas.ts'
import { findRequiredRcsFeatures } from './features.ts'
import { composeSampleRcs } from './samples.ts'

/** A generator of numbers from 0 to 1, the same for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const ALPHABET = ['a', 'Z', ' ', 'é', '🍐', '"', '\\', '<', '&', '\n', '~', '.', '{', '%', '\u2028', '中']

/** Contents of every shape, whose strings are literal or come through Liquid. */
function contentsOf(next: () => number) {
  const upTo = (limit: number): number => Math.floor(next() * (limit + 1))
  const pick = <T>(...values: T[]): T => values[upTo(values.length - 1)]!
  const data: Record<string, string> = {}

  function words(limit: number, least = 0): string {
    const length = least + upTo(Math.min(limit, next() < 0.1 ? limit : 30) - least)
    const text = Array.from({ length }, () => pick(...ALPHABET)).join('')
    return least > 0 && text.trim() === '' ? 'x' : text.replaceAll('{{', '{ ').replaceAll('{%', '{ ')
  }

  function given(text: string): string {
    if (next() < 0.5) return text
    const name = `v${Object.keys(data).length}`
    data[name] = text
    return `{{ data.${name} }}`
  }

  const string = (limit: number, least = 0): string => given(words(limit, least))
  const maybe = <T extends object>(make: () => T): Partial<T> => (next() < 0.5 ? make() : {})
  const web = (): string => given(`https://orchard.example/${encodeURIComponent(words(40))}`)

  function suggestion(): RcsSuggestion {
    const chip = {
      text: next() < 0.1 ? '{{ data.none }}' : string(25, 1),
      ...maybe(() => ({ postback: string(1900) })),
    }
    const action = { ...chip, ...maybe(() => ({ fallbackUrl: web() })) }
    const phoneNumber = given('+33639980012')
    const [startTime, endTime] = [given('2026-03-05'), given('1772701200000')]
    return pick<() => RcsSuggestion>(
      () => ({ type: 'reply', ...chip }),
      () => ({
        type: 'openUrl',
        ...action,
        url: web(),
        ...maybe(() => ({ tracked: pick(true, false) })),
        ...maybe(() => ({ application: pick('BROWSER' as const, 'WEBVIEW' as const) })),
        ...maybe(() => ({ webviewViewMode: pick('FULL' as const, 'HALF' as const, 'TALL' as const) })),
        ...maybe(() => ({ description: string(100) })),
      }),
      () => ({ type: 'dial', ...action, phoneNumber }),
      () => ({
        type: 'viewLocation',
        ...action,
        latitude: upTo(180) - 90,
        longitude: upTo(360) - 180,
        ...maybe(() => ({ label: string(50) })),
      }),
      () => ({ type: 'viewLocation', ...action, query: string(50, 1) }),
      () => ({ type: 'shareLocation', ...action }),
      () => ({
        type: 'createCalendarEvent',
        ...action,
        startTime,
        endTime,
        title: string(100, 1),
        ...maybe(() => ({ description: string(500) })),
      }),
      () => ({ type: 'compose', ...action, phoneNumber, message: string(100, 1) }),
      () => ({ type: 'compose', ...action, phoneNumber, recording: pick('AUDIO' as const, 'VIDEO' as const) }),
    )()
  }

  const list = (limit: number) => maybe(() => ({ suggestions: Array.from({ length: upTo(limit) }, suggestion) }))

  function file(): RcsFileContent {
    const alt = maybe(() => ({ alt: string(500) }))
    return next() < 0.5
      ? {
          url: web(),
          ...alt,
          ...maybe(() => ({ thumbnailUrl: web() })),
          ...maybe(() => ({ forceRefresh: pick(true, false) })),
        }
      : { fileName: string(50, 1), ...alt, ...maybe(() => ({ thumbnailName: string(50) })) }
  }

  function card(isSmall: boolean): RcsCard {
    const height = isSmall ? pick('SHORT' as const, 'MEDIUM' as const) : pick('SHORT' as const, 'TALL' as const)
    return {
      title: string(200, 1),
      ...maybe(() => ({ description: string(2000) })),
      ...maybe(() => ({ media: { height, file: file() } })),
      ...list(4),
    }
  }

  const content = pick<() => RcsMessageContent>(
    () => ({ type: 'text', text: string(3072, 1), ...list(11), ...maybe(() => ({ persistent: pick(true, false) })) }),
    () => ({ type: 'file', file: file(), ...list(11) }),
    () => ({ type: 'card', orientation: 'VERTICAL', card: card(false), ...list(11) }),
    () => ({
      type: 'card',
      orientation: 'HORIZONTAL',
      alignment: pick('LEFT' as const, 'RIGHT' as const),
      card: card(false),
      ...list(11),
    }),
    () => {
      const width = pick('SMALL' as const, 'MEDIUM' as const)
      const cards = Array.from({ length: 2 + upTo(8) }, () => card(width === 'SMALL'))
      return { type: 'carousel', width, cards, ...list(11) }
    },
  )()
  return { content, data }
}

const text = (maxLength?: number, minLength = 0) => ({ type: 'string', minLength, ...(maxLength && { maxLength }) })
const strict = (required: object, optional: object = {}) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(required),
  properties: { ...required, ...optional },
})
const one = (...schemas: object[]) => ({ oneOf: schemas })
const words = (...values: string[]) => ({ type: 'string', enum: values })
const address = { type: 'string', pattern: '^https?://', maxLength: 2048 }
const secure = { type: 'string', pattern: '^https://' }
const phone = { type: 'string', pattern: '^\\+[1-9]\\d{4,14}$' }
const instant = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }
const chip = { text: text(25, 1), postbackData: text(2048) }

/** `contentMessage` of the reference, with nothing beside it. */
const action = (name: string, schema: object) => strict({ ...chip, [name]: schema }, { fallbackUrl: address })
const compose = one(
  strict({ composeTextMessageAction: strict({ phoneNumber: phone, text: text(undefined, 1) }) }),
  strict({ composeRecordingMessageAction: strict({ phoneNumber: phone, type: words('AUDIO', 'VIDEO') }) }),
)
const latLong = strict({ latitude: { type: 'number' }, longitude: { type: 'number' } })
const webView = { application: { const: 'WEBVIEW' }, webviewViewMode: words('FULL', 'HALF', 'TALL') }
const openUrl = one(
  strict({ url: address, ...webView }, { description: text() }),
  strict({ url: address }, { application: words('BROWSER', 'WEBVIEW'), description: text() }),
)
const event = strict({ startTime: instant, endTime: instant, title: text(100, 1) }, { description: text(500) })
const suggestion = one(
  strict({ reply: strict(chip) }),
  strict({
    action: one(
      action('openUrlAction', openUrl),
      action('dialAction', strict({ phoneNumber: phone })),
      action('viewLocationAction', one(strict({ latLong }, { label: text() }), strict({ query: text(undefined, 1) }))),
      action('shareLocationAction', strict({})),
      action('createCalendarEventAction', event),
      action('composeAction', compose),
    ),
  }),
)
const list = (maxItems: number) => ({ suggestions: { type: 'array', minItems: 1, maxItems, items: suggestion } })
const contentInfo = strict({ fileUrl: secure }, { thumbnailUrl: secure, forceRefresh: { type: 'boolean' } })
const uploadedRbmFile = strict({ fileName: text(undefined, 1) }, { thumbnailName: text() })
const ofMedia = { contentDescription: text(500, 1) }
const height = words('SHORT', 'MEDIUM', 'TALL')
const media = one(strict({ height, contentInfo }, ofMedia), strict({ height, uploadedRbmFile }, ofMedia))
const card = strict({}, { title: text(200, 1), description: text(2000, 1), media, ...list(4) })
const standalone = one(
  strict({ cardOrientation: { const: 'VERTICAL' }, cardContent: card }),
  strict({
    cardOrientation: { const: 'HORIZONTAL' },
    thumbnailImageAlignment: words('LEFT', 'RIGHT'),
    cardContent: card,
  }),
)
const cards = { type: 'array', minItems: 2, maxItems: 10, items: card }
const carousel = strict({ cardWidth: words('SMALL', 'MEDIUM'), cardContents: cards })
const contentMessage = one(
  strict({ text: text(3072, 1) }, { ...list(11), persistent: { const: true } }),
  strict({ contentInfo }, list(11)),
  strict({ uploadedRbmFile }, list(11)),
  strict({ richCard: one(strict({ standaloneCard: standalone }), strict({ carouselCard: carousel })) }, list(11)),
)

const ajv = new Ajv({ strict: false, discriminator: true, allowUnionTypes: true })
const isWritten = ajv.compile(RcsContentSchema)
const isTaken = ajv.compile(contentMessage)

/** The postback of every suggestion of a message. */
function postbacksOf(message: RbmContent): string[] {
  return [...JSON.stringify(message).matchAll(/"postbackData":("(?:[^"\\]|\\.)*")/g)].map(
    ([, literal = '""']) => JSON.parse(literal) as string,
  )
}

suite('random RCS contents', () => {
  test('are accepted as written and composed to messages that the RBM reference allows', () => {
    const kinds = new Set<string>()
    const features = new Set<string>()
    for (let seed = 1; seed <= 400; seed++) {
      const { content, data } = contentsOf(generator(seed))
      assert.ok(isWritten(content), `seed ${seed}: ${ajv.errorsText(isWritten.errors)}`)
      assert.deepEqual(findRcsContentFaults(content), [], `seed ${seed}`)
      const message = composeSampleRcs(content, data)
      assert.ok(isTaken(JSON.parse(JSON.stringify(message))), `seed ${seed}: ${ajv.errorsText(isTaken.errors)}`)
      for (const tied of postbacksOf(message)) assert.equal(parsePostback(tied).stamp, sampleStamp, `seed ${seed}`)
      kinds.add(Object.keys(message)[0] ?? '')
      for (const feature of findRequiredRcsFeatures(message)) features.add(feature)
    }
    assert.deepEqual([...kinds].toSorted(), ['contentInfo', 'richCard', 'text', 'uploadedRbmFile'])
    assert.equal(features.size, 8)
  })
})

test('ties can be removed from random postbacks', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const next = generator(seed)
    const hex = Array.from({ length: 32 }, () => Math.floor(next() * 16).toString(16)).join('')
    const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    const postback = Array.from(
      { length: Math.floor(next() * 40) },
      () => ALPHABET[Math.floor(next() * ALPHABET.length)],
    ).join('')
    const path = next() < 0.5 ? `s${Math.floor(next() * 11)}` : `c${Math.floor(next() * 10)}s${Math.floor(next() * 4)}`
    const tied = encodePostback(id, path, postback)
    assert.deepEqual(parsePostback(tied), { stamp: id, path, postback })
    assert.equal(tied.length, 25 + path.length + postback.length)
  }
})
