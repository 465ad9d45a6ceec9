/** One SMTP reply (RFC 5321, 4.2): the code and its text, lines joined by line feeds. */
export interface SmtpReply {
  code: number
  text: string
}

/** RFC 5321 4.5.3.1.5 allows 512 octets a line; some peers say more. Beyond these limits it is not taken for a mail server. */
const MAX_LINE = 4096
const MAX_LINES = 200

/** Characters of a reply kept in a diagnostic. */
const MAX_DIAGNOSTIC = 2000

const LINE = /^([2-5]\d\d)(?:([ -])(.*))?$/s
const NON_ASCII = /[^\x00-\x7f]/
const CONTROLS = /[\x00-\x1f\x7f]+/g

/** RFC 2034 puts the code first; some peers hide it in brackets or after a #. Not part of an IP address. */
const ENHANCED = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d]|\.\d)/

/** The enhanced code is repeated on every line of a reply; once is enough. */
const REPEATED = /\n[245]\.\d{1,3}\.\d{1,3}(?: |(?=\n|$))/g

/** Peers with SMTPUTF8 may answer in UTF-8 (RFC 6531, 3.7.4); the wire is read as latin1. */
function decode(text: string): string {
  return NON_ASCII.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text
}

/**
 * Takes a piece of latin1 text as it arrived. Answers undefined, or what is wrong when the peer does not speak SMTP:
 * it must not be called again then.
 */
export type SmtpReplyReader = (chunk: string) => string | undefined

/** Reads replies from pieces of text, wherever they are cut, and calls `onReply` for each whole one. */
export function createSmtpReplyReader(onReply: (reply: SmtpReply) => void): SmtpReplyReader {
  let rest = ''
  let code = 0
  let lines: string[] = []

  function readLine(line: string): string | undefined {
    const match = LINE.exec(line)
    if (match === null) return `"${line.slice(0, 80).replace(CONTROLS, ' ')}" is no SMTP reply`
    const number = Number(match[1])
    if (lines.length > 0 && number !== code) return `the lines of one reply disagree: ${code}, ${number}`
    code = number
    const text = match[3] ?? ''
    if (match[2] === '-') {
      if (lines.push(text) > MAX_LINES) return `a reply of more than ${MAX_LINES} lines`
      return undefined
    }
    const whole = lines.length === 0 ? text : [...lines, text].join('\n')
    lines = []
    onReply({ code, text: decode(whole) })
    return undefined
  }

  return (chunk) => {
    const text = rest === '' ? chunk : rest + chunk
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const fault = readLine(text.slice(start, text.charCodeAt(end - 1) === 13 ? end - 1 : end))
      if (fault !== undefined) return fault
      start = end + 1
    }
    rest = start === 0 ? text : text.slice(start)
    return rest.length > MAX_LINE ? `a line of more than ${MAX_LINE} characters` : undefined
  }
}

/** Whether the reply's class is `digit`: 2 done, 3 go on, 4 not now, 5 never. */
export function isReplyClass(reply: SmtpReply, digit: 2 | 3 | 4 | 5): boolean {
  return Math.floor(reply.code / 100) === digit
}

/** The enhanced code (RFC 3463) in the text when its class is that of the reply (RFC 2034), else `x.0.0`. */
export function getEnhancedCode(reply: SmtpReply): string {
  const digit = String(Math.floor(reply.code / 100))
  const match = ENHANCED.exec(reply.text)
  return match?.[1] === digit ? `${digit}.${Number(match[2])}.${Number(match[3])}` : `${digit}.0.0`
}

/** One line for people and bounce rules: code and text, without control characters, at most 2,000 characters. */
export function formatReplyDiagnostic(reply: SmtpReply): string {
  const text = reply.text.replace(REPEATED, ' ').replace(CONTROLS, ' ')
  return `${reply.code} ${text}`.trimEnd().slice(0, MAX_DIAGNOSTIC)
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

/** Throws SmtpSessionRefused unless the reply is of class 2; `what` ends the sentence «the relay refused …». */
export function assertReplyDone(reply: SmtpReply, what: string): SmtpReply {
  if (!isReplyClass(reply, 2)) throw new SmtpSessionRefused(`the relay refused ${what}`, reply)
  return reply
}
