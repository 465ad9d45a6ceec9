/** What is wrong with an agent's message, as the published reference of RCS Business Messaging v1 has it. */

type Words = Record<string, unknown>

/** Throws this with the place and the reason. */
export class Malformed extends Error {}

/** A check of one member: throws Malformed. */
type Rule = (value: unknown, at: string) => void

/** Members of an object: `!` at the end of a name means that it must be there. */
type Shape = Readonly<Record<string, Rule>>

function fail(at: string, reason: string): never {
  throw new Malformed(`${at}: ${reason}`)
}

export function objectAt(value: unknown, at: string): Words {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(at, 'must be an object')
  return value as Words
}

const object =
  (shape: Shape): Rule =>
  (value, at) => {
    const given = objectAt(value, at)
    const rules = new Map(Object.entries(shape).map(([name, rule]) => [name.replace(/!$/, ''), rule]))
    for (const name of Object.keys(given)) if (!rules.has(name)) fail(at, `unknown name "${name}"`)
    for (const name of Object.keys(shape))
      if (name.endsWith('!') && given[name.slice(0, -1)] === undefined) fail(at, `"${name.slice(0, -1)}" is required`)
    for (const [name, rule] of rules) if (given[name] !== undefined) rule(given[name], `${at}.${name}`)
  }

/** Exactly one of the named members. */
function oneOf(value: Words, names: readonly string[], at: string): void {
  const set = names.filter((name) => value[name] !== undefined)
  if (set.length !== 1) fail(at, `exactly one of ${names.join(', ')} must be set, not ${set.length}`)
}

const union =
  (names: readonly string[], rule: Rule): Rule =>
  (value, at) => {
    oneOf(objectAt(value, at), names, at)
    rule(value, at)
  }

const text =
  (max: number, min = 0): Rule =>
  (value, at) => {
    if (typeof value !== 'string') fail(at, 'must be a string')
    const length = [...value].length
    if (length < min || length > max) fail(at, `must have ${min} to ${max} characters, not ${length}`)
  }

const word =
  (...words: readonly string[]): Rule =>
  (value, at) => {
    if (typeof value !== 'string' || !words.includes(value)) fail(at, `must be one of ${words.join(', ')}`)
  }

const list =
  (rule: Rule, max: number, min = 0): Rule =>
  (value, at) => {
    if (!Array.isArray(value)) fail(at, 'must be an array')
    if (value.length < min || value.length > max) fail(at, `must have ${min} to ${max} items, not ${value.length}`)
    for (const [index, item] of value.entries()) rule(item, `${at}[${index}]`)
  }

const matching =
  (pattern: RegExp, what: string): Rule =>
  (value, at) => {
    if (typeof value !== 'string' || !pattern.test(value)) fail(at, `must be ${what}`)
  }

const flag: Rule = (value, at) => {
  if (typeof value !== 'boolean') fail(at, 'must be a boolean')
}

const within =
  (bound: number): Rule =>
  (value, at) => {
    if (typeof value !== 'number' || Math.abs(value) > bound) fail(at, `must be from -${bound} to ${bound}`)
  }

const address =
  (schemes: readonly string[]): Rule =>
  (value, at) => {
    const url = typeof value === 'string' && value.length <= 2048 ? URL.parse(value) : null
    if (!url || !schemes.includes(url.protocol)) fail(at, `must be an address of at most 2048 characters: ${schemes}`)
  }

const phone = matching(/^\+[1-9]\d{4,14}$/, 'a phone number in E.164')
const time = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/, 'an RFC 3339 time')
const https = address(['https:', 'http:'])

const contentInfo = object({ 'fileUrl!': https, thumbnailUrl: https, forceRefresh: flag })
const uploadedFile = object({ 'fileName!': text(2048, 1), thumbnailName: text(2048, 1) })

const compose = union(
  ['composeTextMessageAction', 'composeRecordingMessageAction'],
  object({
    composeTextMessageAction: object({ 'phoneNumber!': phone, 'text!': text(3072, 1) }),
    composeRecordingMessageAction: object({ 'phoneNumber!': phone, 'type!': word('AUDIO', 'VIDEO') }),
  }),
)

const viewLocation: Rule = (value, at) => {
  const given = objectAt(value, at)
  if ((given['latLong'] === undefined) === (given['query'] === undefined)) fail(at, 'must have latLong or query')
  object({ latLong: object({ latitude: within(90), longitude: within(180) }), label: text(100), query: text(1000, 1) })(
    value,
    at,
  )
}

const openUrl: Rule = (value, at) => {
  const given = objectAt(value, at)
  if (given['application'] !== 'WEBVIEW' && given['webviewViewMode'] !== undefined)
    fail(at, 'webviewViewMode goes with application WEBVIEW')
  object({
    'url!': https,
    application: word('BROWSER', 'WEBVIEW'),
    webviewViewMode: word('FULL', 'HALF', 'TALL'),
    description: text(500),
  })(value, at)
}

const actions: Shape = {
  dialAction: object({ 'phoneNumber!': phone }),
  viewLocationAction: viewLocation,
  createCalendarEventAction: object({
    'startTime!': time,
    'endTime!': time,
    'title!': text(100, 1),
    description: text(500),
  }),
  openUrlAction: openUrl,
  shareLocationAction: object({}),
  composeAction: compose,
}

const label = text(25, 1)
const postback = text(2048)
const suggestion = union(
  ['reply', 'action'],
  object({
    reply: object({ 'text!': label, 'postbackData!': postback }),
    action: union(
      Object.keys(actions),
      object({ 'text!': label, 'postbackData!': postback, fallbackUrl: https, ...actions }),
    ),
  }),
)

const media = union(
  ['contentInfo', 'uploadedRbmFile'],
  object({
    'height!': word('SHORT', 'MEDIUM', 'TALL'),
    contentDescription: text(500),
    contentInfo,
    uploadedRbmFile: uploadedFile,
  }),
)

const card: Rule = (value, at) => {
  const given = objectAt(value, at)
  if (!['title', 'description', 'media'].some((name) => given[name] !== undefined && given[name] !== ''))
    fail(at, 'must have a title, a description or media')
  object({ title: text(200), description: text(2000), media, suggestions: list(suggestion, 4) })(value, at)
}

const standalone: Rule = (value, at) => {
  const given = objectAt(value, at)
  const isHorizontal = given['cardOrientation'] === 'HORIZONTAL'
  if (isHorizontal !== (given['thumbnailImageAlignment'] !== undefined))
    fail(at, 'thumbnailImageAlignment goes with cardOrientation HORIZONTAL, and only with it')
  object({
    'cardOrientation!': word('HORIZONTAL', 'VERTICAL'),
    thumbnailImageAlignment: word('LEFT', 'RIGHT'),
    'cardContent!': card,
  })(value, at)
}

const carousel: Rule = (value, at) => {
  object({ 'cardWidth!': word('SMALL', 'MEDIUM'), 'cardContents!': list(card, 10, 2) })(value, at)
  const { cardWidth, cardContents } = value as { cardWidth: string; cardContents: { media?: { height?: string } }[] }
  if (cardWidth === 'SMALL' && cardContents.some(({ media: shown }) => shown?.height === 'TALL'))
    fail(at, 'a TALL medium needs cards of width MEDIUM')
}

const richCard = union(
  ['standaloneCard', 'carouselCard'],
  object({ standaloneCard: standalone, carouselCard: carousel }),
)

const contents = ['text', 'contentInfo', 'uploadedRbmFile', 'richCard']

const contentMessage = union(
  contents,
  object({
    text: text(3072, 1),
    contentInfo,
    uploadedRbmFile: uploadedFile,
    richCard,
    suggestions: list(suggestion, 11),
    persistent: flag,
  }),
)

const ttl: Rule = (value, at) => {
  const match = typeof value === 'string' ? /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(value) : null
  const seconds = Number(match?.[1] ?? Number.NaN)
  if (!(seconds >= 10 && seconds <= 15 * 86_400)) fail(at, 'must be a duration from "10s" to "1296000s"')
}

const message = object({
  'contentMessage!': contentMessage,
  messageTrafficType: word('AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'),
  expireTime: time,
  ttl,
})

/** Throws Malformed when the body of a message is not as the reference has it. */
export function checkAgentMessage(body: unknown): void {
  const given = objectAt(body, 'message')
  if (given['expireTime'] !== undefined && given['ttl'] !== undefined)
    fail('message', 'has two of the union expiration')
  const bytes = Buffer.byteLength(JSON.stringify(given['contentMessage'] ?? null))
  if (bytes > 250 * 1024) fail('message.contentMessage', `has ${bytes} octets, more than 250 KB`)
  message(body, 'message')
}
