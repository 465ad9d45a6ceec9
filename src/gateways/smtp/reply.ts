/** One SMTP reply (RFC 5321, 4.2): the code and its text, lines joined by line feeds. */
export interface SmtpReply {
  code: number
  text: string
}

/** RFC 5321 4.5.3.1.5 allows 512 octets a line; some peers say more. Beyond these limits it is not taken for a mail server. */
const MAX_LINE_LENGTH = 4096
const MAX_LINES = 200

/** Characters of a reply kept in a diagnostic. */
const MAX_DIAGNOSTIC_LENGTH = 2000

const REPLY_LINE_PATTERN = /^([2-5]\d\d)(?:([ -])(.*))?$/s
const NON_ASCII_PATTERN = /[^\x00-\x7f]/
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f]+/g

/** RFC 2034 puts the code first; some peers hide it in brackets or after a #. Not part of an IP address. */
const ENHANCED_CODE_PATTERN = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d]|\.\d)/

/** The enhanced code is repeated on every line of a reply; once is enough. */
const REPEATED_CODE_PATTERN = /\n[245]\.\d{1,3}\.\d{1,3}(?: |(?=\n|$))/g

/** Peers with SMTPUTF8 may answer in UTF-8 (RFC 6531, 3.7.4); the wire is read as latin1. */
function decodeReplyText(text: string): string {
  return NON_ASCII_PATTERN.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text
}

/**
 * Takes a piece of latin1 text as it arrived. Answers undefined, or what is wrong when the peer does not speak SMTP:
 * it must not be called again then.
 */
export type SmtpReplyReader = (chunk: string) => string | undefined

/** Reads replies from pieces of text, wherever they are cut, and calls `onReply` for each whole one. */
export function createSmtpReplyReader(onReply: (reply: SmtpReply) => void): SmtpReplyReader {
  let partialLine = ''
  let code = 0
  let lines: string[] = []

  function readLine(line: string): string | undefined {
    const match = REPLY_LINE_PATTERN.exec(line)
    if (match === null) return `"${line.slice(0, 80).replace(CONTROL_CHARACTERS, ' ')}" is not an SMTP reply`
    const lineCode = Number(match[1])
    if (lines.length > 0 && lineCode !== code) return `the lines of one reply disagree: ${code}, ${lineCode}`
    code = lineCode
    const text = match[3] ?? ''
    if (match[2] === '-') {
      if (lines.push(text) > MAX_LINES) return `a reply of more than ${MAX_LINES} lines`
      return undefined
    }
    const replyText = lines.length === 0 ? text : [...lines, text].join('\n')
    lines = []
    onReply({ code, text: decodeReplyText(replyText) })
    return undefined
  }

  return (chunk) => {
    const text = partialLine === '' ? chunk : partialLine + chunk
    let lineStart = 0
    for (let lineEnd = text.indexOf('\n'); lineEnd !== -1; lineEnd = text.indexOf('\n', lineStart)) {
      const fault = readLine(text.slice(lineStart, text.charCodeAt(lineEnd - 1) === 13 ? lineEnd - 1 : lineEnd))
      if (fault !== undefined) return fault
      lineStart = lineEnd + 1
    }
    partialLine = lineStart === 0 ? text : text.slice(lineStart)
    return partialLine.length > MAX_LINE_LENGTH ? `a line of more than ${MAX_LINE_LENGTH} characters` : undefined
  }
}

/** Returns true if the reply's class is `digit`: 2 success, 3 continue, 4 temporary failure, 5 permanent failure. */
export function isReplyClass(reply: SmtpReply, digit: 2 | 3 | 4 | 5): boolean {
  return Math.floor(reply.code / 100) === digit
}

/** The enhanced code (RFC 3463) in the text when its class is that of the reply (RFC 2034), else `x.0.0`. */
export function getEnhancedCode(reply: SmtpReply): string {
  const classDigit = String(Math.floor(reply.code / 100))
  const match = ENHANCED_CODE_PATTERN.exec(reply.text)
  return match?.[1] === classDigit ? `${classDigit}.${Number(match[2])}.${Number(match[3])}` : `${classDigit}.0.0`
}

/** One line for people and bounce rules: code and text, without control characters, at most 2,000 characters. */
export function formatReplyDiagnostic(reply: SmtpReply): string {
  const text = reply.text.replace(REPEATED_CODE_PATTERN, ' ').replace(CONTROL_CHARACTERS, ' ')
  return `${reply.code} ${text}`.trimEnd().slice(0, MAX_DIAGNOSTIC_LENGTH)
}

/** The remote's id of an accepted message, as common servers write it, else the whole text. */
export function getReplyReference(reply: SmtpReply): string {
  const match =
    /\bqueued (?:as|mail for delivery as)\s+<?([^\s>\];,]+)|\b(?:queue-|internal)?id[=:]\s*<?([^\s>\];,]+)/i.exec(
      reply.text,
    )
  return match?.[1] ?? match?.[2] ?? formatReplyDiagnostic(reply).slice(4, 204)
}

/** The relay answers, and does not allow what the settings ask for. The message is for the operator. */
export class SmtpSessionRefused extends Error {
  /** Its reply, when that is why: as `formatReplyDiagnostic` makes it. */
  readonly reply: string | undefined

  constructor(message: string, reply?: SmtpReply) {
    super(reply === undefined ? message : `${message}: ${formatReplyDiagnostic(reply)}`)
    this.reply = reply && formatReplyDiagnostic(reply)
  }
}

/** Throws SmtpSessionRefused unless the reply is of class 2; `refusedSubject` ends the sentence «the relay refused …». */
export function assertReplyDone(reply: SmtpReply, refusedSubject: string): SmtpReply {
  if (!isReplyClass(reply, 2)) throw new SmtpSessionRefused(`the relay refused ${refusedSubject}`, reply)
  return reply
}
