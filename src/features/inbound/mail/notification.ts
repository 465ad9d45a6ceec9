import type { MailPart, ParsedMimeMail } from '../../../lib/text/mail/mime.ts'
import { decodeMailPartText } from '../../../lib/text/mail/part-text.ts'

/** The part of a notification in plain language that concerns one recipient. */
export interface RecipientNotice {
  /** Null when no address is found. */
  recipient: string | null
  /** Texts about it, the most specific first; none is empty. */
  texts: readonly string[]
  /** The other text: about all recipients, or around the only one; or ''. */
  context: string
}

/** Hints on the addresses in a text, from the other parts of the mail. */
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
const MAX_OCCURRENCES = 500

const ADDRESS_CHARACTER = String.raw`[^\s<>"'(),:;@[\]|]`
const ADDRESS_CHARACTER_NO_DOT = String.raw`[^\s<>"'(),:;@[\]|.]`
/** A domain ends before the dots that end it. */
const ADDRESS_SOURCE = String.raw`(?:"[^"\s]{1,64}"|${ADDRESS_CHARACTER}+)@[a-z0-9\u0080-\uffff](?:\.*${ADDRESS_CHARACTER_NO_DOT})+`
const [MAX_LOCAL, MAX_DOMAIN] = [128, 254]

/** Addresses in a text: each begins where a run of its characters begins. */
const ADDRESSES_PATTERN = new RegExp(`(?<!${ADDRESS_CHARACTER})${ADDRESS_SOURCE}`, 'giu')
const MAX_ADDRESSES = 200

function hasAddressLength(address: string): boolean {
  const atIndex = address.lastIndexOf('@')
  return atIndex <= MAX_LOCAL && address.length - atIndex - 1 <= MAX_DOMAIN
}

/** The addresses of some values, in order. */
export function findMailAddresses(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.slice(0, 20_000).match(ADDRESSES_PATTERN) ?? [])
    .filter(hasAddressLength)
    .slice(0, MAX_ADDRESSES)
}

/** An address that does not end within a longer one. */
const BOUNDED_ADDRESS = `<?(${ADDRESS_SOURCE})(?!\\.*${ADDRESS_CHARACTER_NO_DOT})`
const ANY_ADDRESS = '<?[^\\s<>@,;]+@[^\\s<>@,;]+>?'
/** Further addresses after it, and nothing else. */
const FURTHER_ADDRESSES = `((?:\\s*[,;]\\s*${ANY_ADDRESS})*)[.:]?\\s*$`

// `<ann@shop.example>: host mx said: ...`, `ann@shop.example`, `ann@shop.example on 29.04.`, `<ann@shop.example> Unknown`
const START_PATTERN = new RegExp(
  `^[\\s>*|#"'-]{0,20}(?:\\d{1,3}[.)]\\s+)?${BOUNDED_ADDRESS}\\.*>?["']?(?:\\s*<[^\\s<>]+>|\\s*\\((?:(?:expanded|generated|ultimately)[^)]*|<?[^\\s()@]+@[^\\s()]+)\\))*\\s*(?:[:;,.]|[-–—=]+(?=\\s)|(?=[[(])|\\bon\\b|invalid address|(?<=>\\s)|(?<=\\.\\s)|$)(.*)`,
  'iu',
)
// `550 <ann@shop.example>... User unknown`
const TRANSCRIPT_PATTERN = new RegExp(
  `^\\s*[45]\\d\\d(?: [45]\\.\\d{1,3}\\.\\d{1,3})? ${BOUNDED_ADDRESS}>?\\.\\.\\.(.*)`,
  'iu',
)
// `Recipient address: ann@shop.example`, `RCPT TO: ann@shop.example`, `Recipient: [SMTP:ann@shop.example]`
const LABEL_PATTERN = new RegExp(
  `^(?!\\s*to:)[^@:]{2,80}:\\s*(?:\\[?(?:smtp|rfc822)[:;]\\s*)?${BOUNDED_ADDRESS}\\.*>?\\]?(?:\\s*\\([^)]{0,200}\\))?${FURTHER_ADDRESSES}`,
  'iu',
)
// `ann@shop.example has no mailbox here`
const BARE_START_PATTERN = new RegExp(`^\\s*["']?${BOUNDED_ADDRESS}\\.*>?["']?\\s+(.*)`, 'iu')
// `There was an error delivering your mail to <ann@shop.example>.`
const SENTENCE_PATTERN = new RegExp(
  `\\b(?:to|recipient|rcpt to:?|address|user|account|for)\\s+["']?${BOUNDED_ADDRESS}\\.*>?(.*)`,
  'iu',
)
// `To: ann@shop.example` may be of the head of the returned message, with other recipients.
const TO_LINE_PATTERN = new RegExp(`^\\s*to:\\s*${BOUNDED_ADDRESS}\\.*>?${FURTHER_ADDRESSES}`, 'iu')

/** Patterns of lines that name a recipient, the most reliable first. All lines of the first pattern found are used. */
const RECIPIENT_PATTERNS = [
  START_PATTERN,
  TRANSCRIPT_PATTERN,
  LABEL_PATTERN,
  BARE_START_PATTERN,
  SENTENCE_PATTERN,
  TO_LINE_PATTERN,
]

/** A text of addresses only. */
const ADDRESS_LIST_PATTERN = new RegExp(`^[\\s,;]*${ANY_ADDRESS}(?:[\\s,;]+${ANY_ADDRESS})*\\s*[.:]?$`)

/** A line with more addresses is no list of recipients. */
const MAX_OTHER_ADDRESSES = 50

/** The further addresses of a line that names nothing else after its first. */
function listOtherAddresses(lineRest: string): string[] {
  const otherAddresses = ADDRESS_LIST_PATTERN.test(lineRest.trimEnd()) ? findMailAddresses([lineRest]) : []
  return otherAddresses.length > MAX_OTHER_ADDRESSES ? [] : otherAddresses
}

/** Lines that name senders, not recipients. */
const SENDER_LINE =
  /^\s*(?:from|reply-to|sender|return-path|mail from|cc|x-[\w-]+|message-id|contact|if you|please|for (?:further|more))\b/i

/**
 * Finds the recipients of a text and the text on each, in order. Returns one notice without a recipient if it finds none. The text below
 * an address concerns it, up to the next one; some formats place it above.
 */
export function parseRecipientNotices(text: string, hints: MailAddressHints): RecipientNotice[] {
  const lines = text.split('\n', MAX_LINES)
  const occurrencesByPattern = RECIPIENT_PATTERNS.map((pattern) => findOccurrences(lines, pattern, hints))
  const occurrences = occurrencesByPattern.find((some) => some.length > 0) ?? []
  const recipientNotices = buildNotices(lines, occurrences, findOccurrences(lines, TRANSCRIPT_PATTERN, hints))
  const failedNotices = recipientNotices.filter(
    ({ recipient }) => hints.failed.length === 0 || includesAddress(recipient, hints.failed),
  )
  const missingAddresses = hints.failed.filter(
    (address) => !recipientNotices.some(({ recipient }) => includesAddress(recipient, [address])),
  )
  const withoutText = (recipient: string | null): RecipientNotice => ({ recipient, texts: [], context: '' })
  const allNotices = [...failedNotices, ...missingAddresses.map(withoutText)].slice(0, MAX_NOTICES)
  const [soleNotice = withoutText(findAnyAddress(text, hints)), secondNotice] = allNotices
  if (secondNotice === undefined) return [{ ...soleNotice, context: removeAddresses(lines, occurrences) }]
  // The beginning of a transcript is about the first recipient alone.
  const [occurrence] = occurrences
  const precedingText =
    occurrence && occurrence.pattern !== TRANSCRIPT_PATTERN ? joinLines(lines.slice(0, occurrence.line)) : ''
  return allNotices.map((notice) => ({ ...notice, context: precedingText }))
}

/** The first address in a text that is not a sender's. */
function findAnyAddress(text: string, { senders }: MailAddressHints): string | null {
  return findMailAddresses([text]).find((address) => !senders.has(address.toLowerCase())) ?? null
}

/** An occurrence of an address; `rest` follows it on its line. */
interface AddressOccurrence {
  line: number
  recipient: string
  rest: string
  pattern: RegExp
}

function findOccurrences(
  lines: readonly string[],
  pattern: RegExp,
  { senders }: MailAddressHints,
): AddressOccurrence[] {
  const occurrences = lines.flatMap((line, n) => {
    const [, recipient, lineRest = ''] =
      line.length > 1000 || SENDER_LINE.test(line) ? [] : (pattern.exec(line.trimStart()) ?? [])
    if (recipient === undefined || !hasAddressLength(recipient)) return []
    const otherAddresses = listOtherAddresses(lineRest)
    return [recipient, ...otherAddresses]
      .map((address) => address.replace(/(?<!\.)\.+$/, ''))
      .filter((address) => !senders.has(address.toLowerCase()))
      .map((address) => ({ line: n, recipient: address, rest: otherAddresses.length > 0 ? '' : lineRest, pattern }))
  })
  return occurrences.slice(0, MAX_OCCURRENCES)
}

/** One notice a recipient, at its first place. */
function buildNotices(
  lines: readonly string[],
  places: readonly AddressOccurrence[],
  transcript: readonly AddressOccurrence[],
): RecipientNotice[] {
  const isAbove =
    places.length > 1 &&
    places.every(
      ({ line, rest: lineRest }) => !hasWords(lineRest) && hasWords(lines[line - 1]) && !hasWords(lines[line + 1]),
    )
  const groups = Map.groupBy(
    places.map((place, n) => ({ place, n })),
    ({ place }) => place.recipient.toLowerCase(),
  )
  const textsBelow = collectTextsBelow(lines, places)
  return [...groups.values()].flatMap((group) => {
    const [firstOccurrence] = group
    if (firstOccurrence === undefined) return []
    const { recipient } = firstOccurrence.place
    const textsUnderGroup = group.map(({ n }) => textsBelow[n] ?? '')
    const textsAbove = isAbove ? group.map(({ n }) => readTextAbove(lines, places, n)) : []
    const inTranscript = transcript.flatMap((place, n) =>
      includesAddress(place.recipient, [recipient])
        ? [readTextAbove(lines, transcript, n), ...readServerReplies(lines, place.line)]
        : [],
    )
    const texts = [
      joinLines(textsAbove),
      joinLines(textsUnderGroup.map(takeFirstParagraph)),
      joinLines(inTranscript),
      joinLines(textsUnderGroup),
    ]
    return [{ recipient, texts: texts.filter(hasWords), context: '' }]
  })
}

/** The text under each place, up to the next one; for a list of addresses, the text under its last. */
function collectTextsBelow(lines: readonly string[], places: readonly AddressOccurrence[]): string[] {
  const texts: string[] = []
  for (const [occurrenceIndex, occurrence] of [...places.entries()].toReversed()) {
    const nextOccurrence = places[occurrenceIndex + 1]
    const isInList =
      nextOccurrence !== undefined && !hasWords(occurrence.rest) && nextOccurrence.line - occurrence.line <= 1
    texts[occurrenceIndex] = isInList
      ? (texts[occurrenceIndex + 1] ?? '')
      : readTextBelow(lines, occurrence, nextOccurrence)
  }
  return texts
}

function readTextBelow(
  lines: readonly string[],
  { line, rest: lineRest, pattern }: AddressOccurrence,
  next?: AddressOccurrence,
): string {
  // A transcript gives the reason before the address.
  if (pattern === TRANSCRIPT_PATTERN) return ''
  const ownLine = pattern === START_PATTERN ? lineRest : (lines[line] ?? '')
  return [ownLine, ...lines.slice(line + 1, Math.max(line + 1, next?.line ?? lines.length))].join('\n')
}

/** The text between a place and the one before it. */
function readTextAbove(lines: readonly string[], places: readonly AddressOccurrence[], n: number): string {
  return lines.slice((places[n - 1]?.line ?? -1) + 1, places[n]?.line).join('\n')
}

/** A line of a transcript, with the server's replies that follow. */
function readServerReplies(lines: readonly string[], at: number): string[] {
  const endLine = lines.findIndex((line, n) => n > at && !/^\s*<<</.test(line))
  return lines.slice(at, endLine < 0 ? undefined : endLine)
}

/** The text up to its first blank line. */
function takeFirstParagraph(text: string): string {
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
function removeAddresses(lines: readonly string[], places: readonly AddressOccurrence[]): string {
  const restsByLine = new Map(
    places.flatMap(({ line, rest: lineRest, pattern }) => (pattern === START_PATTERN ? [[line, lineRest]] : [])),
  )
  return joinLines(lines.map((line, n) => restsByLine.get(n) ?? line))
}

function joinLines(lines: readonly string[]): string {
  let totalLength = 0
  const endLine = lines.findIndex((line) => (totalLength += line.length + 1) > MAX_NOTICE_LENGTH)
  return lines
    .slice(0, endLine < 0 ? undefined : endLine + 1)
    .join('\n')
    .slice(0, MAX_NOTICE_LENGTH)
}

function includesAddress(recipient: string | null, addresses: readonly string[]): boolean {
  return addresses.some((address) => address.toLowerCase() === recipient?.toLowerCase())
}

/** True if a part is a delivery report (RFC 3464; RFC 6533). */
export function isDeliveryReport({ media }: MailPart): boolean {
  return /^message\/(?:global-)?delivery-status$/.test(media.type)
}

/** The text for people, without the returned message; of a forwarded report, the text within it. */
export function extractNotificationText({ parts }: ParsedMimeMail): string {
  const ownParts = parts.filter(({ isReturned }) => !isReturned)
  const isForwarded = !ownParts.some(isDeliveryReport) && parts.some(isDeliveryReport)
  const texts = (isForwarded ? parts : ownParts).filter(({ media }) => media.type.startsWith('text/'))
  const plainParts = texts.filter(({ media }) => media.type === 'text/plain')
  const readableParts = plainParts.length > 0 ? plainParts : texts.filter(({ media }) => media.type === 'text/html')
  return readableParts.map((part) => decodeMailPartText(part)).join('\n')
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
  const returnedStart = Math.min(text.length, ...starts)
  return { own: text.slice(0, returnedStart), returned: text.slice(returnedStart) }
}
