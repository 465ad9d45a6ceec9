import type { MailPart, ParsedMimeMail } from '../../../lib/text/mail/mime.ts'
import { decodeMailPartText } from '../../../lib/text/mail/part-text.ts'

/** What a notification written for people says about one recipient. */
export interface RecipientNotice {
  /** Null when no address is found. */
  recipient: string | null
  /** Texts about it, the most specific first; none is empty. */
  texts: readonly string[]
  /** The other text: about all recipients, or around the only one; or ''. */
  context: string
}

/** What the rest of the mail says about the addresses in a text. */
export interface MailAddressHints {
  /** Those that a header lists as failed. */
  failed: readonly string[]
  /** Those of the sender and of the reporter, in lower case: never failed recipients. */
  senders: ReadonlySet<string>
}

/** The rules need no more, and their time grows with it. */
const MAX_NOTICE_LENGTH = 4000
const MAX_NOTICES = 50
const MAX_LINES = 2000
/** Each is looked at with those after it. */
const MAX_PLACES = 500

const IN_ADDRESS = String.raw`[^\s<>"'(),:;@[\]|]`
const NO_DOT = String.raw`[^\s<>"'(),:;@[\]|.]`
/** A domain ends before the dots that end it. */
const ADDRESS = String.raw`(?:"[^"\s]{1,64}"|${IN_ADDRESS}+)@[a-z0-9\u0080-\uffff](?:\.*${NO_DOT})+`
const [MAX_LOCAL, MAX_DOMAIN] = [128, 254]

/** Addresses in a text: each begins where a run of its characters begins. */
const ADDRESSES = new RegExp(`(?<!${IN_ADDRESS})${ADDRESS}`, 'giu')
const MAX_ADDRESSES = 200

function isOfAddressLength(address: string): boolean {
  const at = address.lastIndexOf('@')
  return at <= MAX_LOCAL && address.length - at - 1 <= MAX_DOMAIN
}

/** The addresses of some values, in order. */
export function findMailAddresses(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.slice(0, 20_000).match(ADDRESSES) ?? [])
    .filter(isOfAddressLength)
    .slice(0, MAX_ADDRESSES)
}

/** An address that does not end within a longer one. */
const A = `<?(${ADDRESS})(?!\\.*${NO_DOT})`
const ONE = '<?[^\\s<>@,;]+@[^\\s<>@,;]+>?'
/** Further addresses after it, and nothing else. */
const MORE = `((?:\\s*[,;]\\s*${ONE})*)[.:]?\\s*$`

// `<ann@shop.example>: host mx said: ...`, `ann@shop.example`, `ann@shop.example on 29.04.`, `<ann@shop.example> Unknown`
const AT_START = new RegExp(
  `^[\\s>*|#"'-]{0,20}(?:\\d{1,3}[.)]\\s+)?${A}\\.*>?["']?(?:\\s*<[^\\s<>]+>|\\s*\\((?:(?:expanded|generated|ultimately)[^)]*|<?[^\\s()@]+@[^\\s()]+)\\))*\\s*(?:[:;,.]|[-–—=]+(?=\\s)|(?=[[(])|\\bon\\b|invalid address|(?<=>\\s)|(?<=\\.\\s)|$)(.*)`,
  'iu',
)
// `550 <ann@shop.example>... User unknown`
const IN_TRANSCRIPT = new RegExp(`^\\s*[45]\\d\\d(?: [45]\\.\\d{1,3}\\.\\d{1,3})? ${A}>?\\.\\.\\.(.*)`, 'iu')
// `Recipient address: ann@shop.example`, `RCPT TO: ann@shop.example`, `Recipient: [SMTP:ann@shop.example]`
const AFTER_LABEL = new RegExp(
  `^(?!\\s*to:)[^@:]{2,80}:\\s*(?:\\[?(?:smtp|rfc822)[:;]\\s*)?${A}\\.*>?\\]?(?:\\s*\\([^)]{0,200}\\))?${MORE}`,
  'iu',
)
// `ann@shop.example has no mailbox here`
const BARE_AT_START = new RegExp(`^\\s*["']?${A}\\.*>?["']?\\s+(.*)`, 'iu')
// `There was an error delivering your mail to <ann@shop.example>.`
const IN_SENTENCE = new RegExp(`\\b(?:to|recipient|rcpt to:?|address|user|account|for)\\s+["']?${A}\\.*>?(.*)`, 'iu')
// `To: ann@shop.example` may be of the head of the returned message, with other recipients.
const TO_LINE = new RegExp(`^\\s*to:\\s*${A}\\.*>?${MORE}`, 'iu')

/** How lines name a recipient, the most reliable first; all lines of the first kind found are used. */
const RECIPIENT_LINES = [AT_START, IN_TRANSCRIPT, AFTER_LABEL, BARE_AT_START, IN_SENTENCE, TO_LINE]

/** A text of addresses only. */
const ONLY_ADDRESSES = new RegExp(`^[\\s,;]*${ONE}(?:[\\s,;]+${ONE})*\\s*[.:]?$`)

/** A line with more addresses is no list of recipients. */
const MAX_OTHERS = 50

/** The further addresses of a line that names nothing else after its first. */
function othersIn(rest: string): string[] {
  const others = ONLY_ADDRESSES.test(rest.trimEnd()) ? findMailAddresses([rest]) : []
  return others.length > MAX_OTHERS ? [] : others
}

/** Lines that name senders, not recipients. */
const OF_SENDER =
  /^\s*(?:from|reply-to|sender|return-path|mail from|cc|x-[\w-]+|message-id|contact|if you|please|for (?:further|more))\b/i

/**
 * Finds the recipients of a text and what it says about each, in order; one notice without recipient when there is none.
 * The text under an address is about it, up to the next one; in some formats it stands above.
 */
export function parseRecipientNotices(text: string, known: MailAddressHints): RecipientNotice[] {
  const lines = text.split('\n', MAX_LINES)
  const kinds = RECIPIENT_LINES.map((pattern) => found(lines, pattern, known))
  const places = kinds.find((some) => some.length > 0) ?? []
  const named = noticesOf(lines, places, found(lines, IN_TRANSCRIPT, known))
  const wanted = named.filter(({ recipient }) => known.failed.length === 0 || isAmong(recipient, known.failed))
  const missing = known.failed.filter((address) => !named.some(({ recipient }) => isAmong(recipient, [address])))
  const withoutText = (recipient: string | null): RecipientNotice => ({ recipient, texts: [], context: '' })
  const all = [...wanted, ...missing.map(withoutText)].slice(0, MAX_NOTICES)
  const [only = withoutText(anyAddress(text, known)), another] = all
  if (another === undefined) return [{ ...only, context: withoutPlaces(lines, places) }]
  // The beginning of a transcript is about the first recipient alone.
  const [place] = places
  const before = place && place.pattern !== IN_TRANSCRIPT ? joined(lines.slice(0, place.line)) : ''
  return all.map((notice) => ({ ...notice, context: before }))
}

/** The first address in a text that is not a sender's. */
function anyAddress(text: string, { senders }: MailAddressHints): string | null {
  return findMailAddresses([text]).find((address) => !senders.has(address.toLowerCase())) ?? null
}

/** Where an address is named; `rest` follows it on its line. */
interface AddressPlace {
  line: number
  recipient: string
  rest: string
  pattern: RegExp
}

function found(lines: readonly string[], pattern: RegExp, { senders }: MailAddressHints): AddressPlace[] {
  const places = lines.flatMap((line, n) => {
    const [, recipient, rest = ''] =
      line.length > 1000 || OF_SENDER.test(line) ? [] : (pattern.exec(line.trimStart()) ?? [])
    if (recipient === undefined || !isOfAddressLength(recipient)) return []
    const others = othersIn(rest)
    return [recipient, ...others]
      .map((address) => address.replace(/(?<!\.)\.+$/, ''))
      .filter((address) => !senders.has(address.toLowerCase()))
      .map((address) => ({ line: n, recipient: address, rest: others.length > 0 ? '' : rest, pattern }))
  })
  return places.slice(0, MAX_PLACES)
}

/** One notice a recipient, at its first place. */
function noticesOf(
  lines: readonly string[],
  places: readonly AddressPlace[],
  transcript: readonly AddressPlace[],
): RecipientNotice[] {
  const isAbove =
    places.length > 1 &&
    places.every(({ line, rest }) => !hasWords(rest) && hasWords(lines[line - 1]) && !hasWords(lines[line + 1]))
  const groups = Map.groupBy(
    places.map((place, n) => ({ place, n })),
    ({ place }) => place.recipient.toLowerCase(),
  )
  const textsBelow = textsUnder(lines, places)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { recipient } = first.place
    const under = group.map(({ n }) => textsBelow[n] ?? '')
    const above = isAbove ? group.map(({ n }) => textAbove(lines, places, n)) : []
    const inTranscript = transcript.flatMap((place, n) =>
      isAmong(place.recipient, [recipient]) ? [textAbove(lines, transcript, n), ...answers(lines, place.line)] : [],
    )
    const texts = [joined(above), joined(under.map(firstParagraph)), joined(inTranscript), joined(under)]
    return [{ recipient, texts: texts.filter(hasWords), context: '' }]
  })
}

/** The text under each place, up to the next one; for a list of addresses, the text under its last. */
function textsUnder(lines: readonly string[], places: readonly AddressPlace[]): string[] {
  const texts: string[] = []
  for (const [n, place] of [...places.entries()].toReversed()) {
    const next = places[n + 1]
    const isInList = next !== undefined && !hasWords(place.rest) && next.line - place.line <= 1
    texts[n] = isInList ? (texts[n + 1] ?? '') : textUnder(lines, place, next)
  }
  return texts
}

function textUnder(lines: readonly string[], { line, rest, pattern }: AddressPlace, next?: AddressPlace): string {
  // A transcript gives the reason before the address.
  if (pattern === IN_TRANSCRIPT) return ''
  const own = pattern === AT_START ? rest : (lines[line] ?? '')
  return [own, ...lines.slice(line + 1, Math.max(line + 1, next?.line ?? lines.length))].join('\n')
}

/** The text between a place and the one before it. */
function textAbove(lines: readonly string[], places: readonly AddressPlace[], n: number): string {
  return lines.slice((places[n - 1]?.line ?? -1) + 1, places[n]?.line).join('\n')
}

/** A line of a transcript, with the server's replies that follow. */
function answers(lines: readonly string[], at: number): string[] {
  const end = lines.findIndex((line, n) => n > at && !/^\s*<<</.test(line))
  return lines.slice(at, end < 0 ? undefined : end)
}

/** The text up to its first blank line. */
function firstParagraph(text: string): string {
  return (
    text
      .slice(0, MAX_NOTICE_LENGTH)
      .trim()
      .split(/\n[ \t]*\n/, 1)[0] ?? ''
  )
}

function hasWords(text: string | undefined): boolean {
  return /[\p{L}\d]{3}/u.test(text ?? '')
}

/** The text without the addresses and the words that join them to their reasons. */
function withoutPlaces(lines: readonly string[], places: readonly AddressPlace[]): string {
  const rests = new Map(places.flatMap(({ line, rest, pattern }) => (pattern === AT_START ? [[line, rest]] : [])))
  return joined(lines.map((line, n) => rests.get(n) ?? line))
}

function joined(lines: readonly string[]): string {
  let length = 0
  const end = lines.findIndex((line) => (length += line.length + 1) > MAX_NOTICE_LENGTH)
  return lines
    .slice(0, end < 0 ? undefined : end + 1)
    .join('\n')
    .slice(0, MAX_NOTICE_LENGTH)
}

function isAmong(recipient: string | null, addresses: readonly string[]): boolean {
  return addresses.some((address) => address.toLowerCase() === recipient?.toLowerCase())
}

/** Whether a part is a delivery report (RFC 3464; RFC 6533). */
export function isDeliveryReport({ media }: MailPart): boolean {
  return /^message\/(?:global-)?delivery-status$/.test(media.type)
}

/** The text for people, without the returned message; of a forwarded report, the text within it. */
export function extractNotificationText({ parts }: ParsedMimeMail): string {
  const own = parts.filter(({ isReturned }) => !isReturned)
  const isSentOn = !own.some(isDeliveryReport) && parts.some(isDeliveryReport)
  const texts = (isSentOn ? parts : own).filter(({ media }) => media.type.startsWith('text/'))
  const plain = texts.filter(({ media }) => media.type === 'text/plain')
  const readable = plain.length > 0 ? plain : texts.filter(({ media }) => media.type === 'text/html')
  return readable.map((part) => decodeMailPartText(part)).join('\n')
}

/** Lines after which a notification returns the original message. */
const RETURNED_MARKERS: readonly RegExp[] = [
  /^[ \t]{0,20}-{2,40}[^\n]{0,60}(?:below this line|original m|copy of (?:the|your)|returned mes|unsent mes|message header|header of the|undelivered mes|body follows)/im,
  /^[ \t]*(?:the )?(?:original message|message headers?|returned message|undelivered message)[^\n.]{0,30}(?:follows?\b|:|\.)[ \t]*\.?\s*$/im,
  /^[ \t]*(?:included is a copy|below is (?:a copy|the original)|a copy of (?:the|your) (?:original )?(?:message|mail)|your original message|original message headers?)\b/im,
  // The head of a mail: at least three consecutive fields, the first of which is one that mails begin with.
  /^(?:received|return-path|dkim-signature|x-[\w-]+|arc-seal|delivered-to|mime-version|message-id|from|date|to|subject):.*\r?\n(?:(?:[ \t].*|[\w-]{2,40}:.*)\r?\n){2}/im,
]

/** Divides a text into that of the report itself, and the message returned after it. */
export function splitReturnedMessage(text: string): { own: string; returned: string } {
  const starts = RETURNED_MARKERS.flatMap((pattern) => pattern.exec(text)?.index ?? [])
  const start = Math.min(text.length, ...starts)
  return { own: text.slice(0, start), returned: text.slice(start) }
}
