import {
  type BounceRule,
  type BounceTraits,
  bounceRules,
  isBounceRuleMatching,
  type SmtpStage,
} from './bounce-rules.ts'
import { type BounceSubject, type BounceSubjectCode, findBounceSubject, isHardBounceCode } from './bounce-subjects.ts'

/** A refusal as it was received. What is null is read from the text. */
export interface BounceReport {
  stage: SmtpStage | null
  /** SMTP reply code. */
  reply: number | null
  /** The diagnostic, of any length and language. */
  text: string
  /** Enhanced code that came in addition to the text, such as `Status` of a delivery report (RFC 3464, 2.3.4). */
  enhanced?: string | null
}

/** Meaning of a refusal. */
export interface BounceAnalysis {
  /** Enhanced status code (RFC 3463), always there. */
  enhanced: string
  reply: number | null
  subject: BounceSubject
  verdict: 'hard' | 'soft'
  /** Id of the rule that decided. */
  rule: string
}

/** Characters that the rules see: more is of no use, and could take long. */
const MAX_TEXT_LENGTH = 4000

const ENHANCED_CODE = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d]|\.\d)/g
/** A reply code stands before what was said; other numbers of a text, sizes and ports, do not count. */
const REPLY_CODE = /(?:^|[\s:;'"([<>])([45][0-5]\d)(?=[-:;,]|[ \t]*["']?#?[245]\.\d|[ \t-]["'<([#*: \t-]*\p{L})/u
/** Or on the line after the verb. */
const QUOTED_REPLY_CODE = /\b(?:said|says|replied|responded|returned|answered)[: ]{1,3}["']?([45][0-5]\d)\s/i
/** Or it is all that was said. */
const BARE_REPLY_CODE = /^(?:<<< ?|smtp; ?)?([245]\d\d)$/im

// Lengths are bounded, for a text of 4,000 characters without a blank must not take long.
const ADDRESS_PATTERN = /<?["']?(?<![^\s<>"'()[\]:;,@])[^\s<>"'()[\]:;,@]{1,128}@[^\s<>"'()[\]:;,@]{1,255}["']?>?/g
const IP_PATTERN = /\[?\b\d{1,3}(?:\.\d{1,3}){3}\b\]?(?::\d+)?/g
/** Codes that stand again on each line of an answer, between its words. */
const CONTINUED_CODE =
  /(?<=\s|^)[245]\d\d(?:-#?(?:[245]\.\d{1,3}\.\d{1,3}(?=\s))?|[ \t]+[245]\.\d{1,3}\.\d{1,3}(?=\s))/g
const URL_PATTERN = /https?:\/\/\S+/g
const HOST_PATTERN = /(?<![\w@.-])(?:[a-z0-9][a-z0-9_-]{0,62}\.){1,12}[a-z]{2,24}\b/gi
/** Host names of block lists. */
const BLOCK_LIST_PATTERN =
  /(?:^|[./])(?:[a-z0-9-]{0,20}(?:rbl|dnsbl)|bl|[sxpc]bl|zen|ipcheck)\.|spamhaus|spamcop|sorbs|barracudacentral|\/reputation\/|abuseat|senderscore|(?:block|black)-?list/i
/** Footers that scanners add to the mails they pass: they say nothing about the refusal. */
const SCANNER_FOOTER =
  /^(?!.{0,300}(?:contain|infected|detected|reject|block|[45]\d\d[ -]))(?:this |the )?(?:message|e-?mail|mail) (?:has been|was|is) (?:scanned|checked|virus[- ]free|believed to be clean).{0,200}$/gim
/** Words of mail servers that look like hosts, and say what the matter is. */
const SERVER_WORD_PATTERN = /^(?:RESOLVER|STOREDRV|QUEUE|SMTPSEND|ROUTING|CAT)\./i

/** The stage of the dialogue, by words of reports; the first that matches. */
const stagePatterns: readonly [RegExp, SmtpStage][] = [
  [/end of data|final data|after (?:the )?data|\(?in reply to data|after i sent the message/i, 'data'],
  [
    /rcpt[_ ]to|rcpt response|rcpt command|does not like recipient|smtp:rcpt|rejected recipient|recipient address rejected|rcpthosts|rcptto/i,
    'rcpt',
  ],
  [/(?:after|to|at|command:?) mail from|sender was rejected|in reply to mail/i, 'mail'],
  [/initial connection|banner|in reply to (?:ehlo|helo)|my name was rejected|refused to talk to me/i, 'connect'],
]

/** The commands of a dialogue, as transcripts show them. */
const commandStages: readonly [RegExp, SmtpStage][] = [
  [/^rcpt/i, 'rcpt'],
  [/^mail/i, 'mail'],
  [/^(?:data|bdat|\.)/i, 'data'],
  [/^(?:ehlo|helo|starttls)/i, 'connect'],
]

/** The stage of the dialogue in which a refusal came, by its text; null when it is unknown. */
export function detectSmtpStage(diagnostic: string): SmtpStage | null {
  const text = diagnostic.slice(0, MAX_TEXT_LENGTH)
  const transcriptStage = detectTranscriptStage(text)
  if (transcriptStage) return transcriptStage
  const singleLineText = text.replace(/\s+/g, ' ')
  return stagePatterns.find(([pattern]) => pattern.test(singleLineText))?.[1] ?? null
}

const NO_RECIPIENTS_REPLY =
  /^<<< ?5\d\d[ -].{0,60}(?:need rcpt|no (?:valid )?recipients|(?:all|valid|send) rcpt|rcpt first)/i

/** In a transcript it is the command before the first refusal. */
function detectTranscriptStage(text: string): SmtpStage | null {
  const lines = text.split('\n').map((line) => line.trim())
  const refusalIndex = lines.findIndex((line) => /^<<< ?[45]\d\d/.test(line))
  const lastCommand = lines.slice(0, Math.max(refusalIndex, 0)).findLast((line) => line.startsWith('>>>'))
  // If commands were sent together, this is the last one. Without recipients, it failed because the recipients had failed.
  if (refusalIndex >= 0 && lines.slice(refusalIndex + 1).some((line) => NO_RECIPIENTS_REPLY.test(line))) return 'rcpt'
  if (lastCommand === undefined) return null
  return commandStages.find(([pattern]) => pattern.test(lastCommand.slice(3).trim()))?.[1] ?? null
}

/**
 * Judges a refused mail: `hard` only when the address does not exist, its domain does not exist, or the mailbox is
 * closed for good. The first rule of the table that applies decides; then the enhanced code, then the reply code.
 * A transient answer (class 4) is soft whatever its text.
 */
export function classifyBounce(report: BounceReport): BounceAnalysis {
  const text = report.text.slice(0, MAX_TEXT_LENGTH)
  const reply = report.reply ?? detectSmtpReplyCode(text)
  const embeddedCode = findEnhancedCode(text)
  const code = embeddedCode ?? findEnhancedCode(report.enhanced ?? '')
  const bounceTraits: BounceTraits = {
    stage: report.stage ?? detectSmtpStage(text),
    reply,
    code: code && code.subject !== '0.0' ? code.subject : undefined,
    isVague: code?.subject === '0.0',
    text: normalizeText(text),
  }
  // What the server itself said outweighs the status that the reporter made of it.
  const isTransientCode = code?.class === 4 && (embeddedCode !== undefined || reply === null)
  const isTransient = bounceTraits.stage !== 'lookup' && (isTransientCode || (reply !== null && reply < 500))
  const { id, subject, verdict } = evaluateRules(bounceTraits)
  const isHard = verdict === 'hard' && !isTransient
  return {
    enhanced: code?.text ?? deriveEnhancedCode(bounceTraits, subject, isHard),
    reply,
    subject: findBounceSubject(subject),
    verdict: isHard ? 'hard' : 'soft',
    rule: id,
  }
}

interface BounceVerdict {
  id: string
  subject: BounceSubjectCode
  verdict: 'hard' | 'soft'
}

function evaluateRules(facts: BounceTraits): BounceVerdict {
  const matchingRule = bounceRules.find((rule) => isBounceRuleMatching(rule, facts))
  if (matchingRule)
    return { id: matchingRule.id, subject: resolveSubject(matchingRule, facts), verdict: matchingRule.verdict }
  const { code } = facts
  if (code !== undefined)
    return { id: `code-${code}`, subject: code, verdict: isHardBounceCode(code) ? 'hard' : 'soft' }
  return classifyReply(facts)
}

function resolveSubject({ subject, prefersCode }: BounceRule, { code }: BounceTraits): BounceSubjectCode {
  return prefersCode ? (code ?? subject) : subject
}

/** A bare reply code says little: never that an address is bad for good. */
function classifyReply({ reply, stage }: BounceTraits): BounceVerdict {
  if (reply === null) return { id: 'none', subject: '0.0', verdict: 'soft' }
  const isOfAddress = stage === 'rcpt' && [550, 551, 553].includes(reply)
  const subject = isOfAddress ? '1.0' : reply === 552 ? '2.2' : reply === 554 ? '7.1' : '0.0'
  return { id: `reply-${reply}`, subject, verdict: 'soft' }
}

interface EnhancedCode {
  text: string
  class: number
  subject: BounceSubjectCode
}

/** The code of a text that says most: the first with a detail, else the first. */
function findEnhancedCode(text: string): EnhancedCode | undefined {
  const enhancedCodes = [...text.matchAll(ENHANCED_CODE)].map(([codeText, kind, subject, detail]) => ({
    text: codeText,
    class: Number(kind),
    subject: `${Number(subject)}.${Number(detail)}` as const,
  }))
  return enhancedCodes.find(({ subject }) => !subject.endsWith('.0')) ?? enhancedCodes[0]
}

/** Without a code: `x.0.0` with x of the reply, or the subject's own for what we found out ourselves. */
function deriveEnhancedCode({ stage, reply }: BounceTraits, subject: BounceSubjectCode, isHard: boolean): string {
  if (stage === 'lookup') return `${isHard ? 5 : 4}.${subject}`
  return reply !== null && reply < 500 ? '4.0.0' : '5.0.0'
}

/** The reply code of a text; null when it holds none. */
export function detectSmtpReplyCode(diagnostic: string): number | null {
  const text = diagnostic.slice(0, MAX_TEXT_LENGTH)
  const match = REPLY_CODE.exec(text) ?? QUOTED_REPLY_CODE.exec(text) ?? BARE_REPLY_CODE.exec(text.trim())
  return match ? Number(match[1]) : null
}

/**
 * The text in lower case with single spaces and straight apostrophes. Addresses and hosts are replaced with marks, because they are full
 * of misleading words; hosts of block lists leave the words "block list".
 */
function normalizeText(text: string): string {
  return text
    .replace(SCANNER_FOOTER, ' ')
    .replace(URL_PATTERN, (url) => (BLOCK_LIST_PATTERN.test(url) ? ' block list ' : ' '))
    .replace(CONTINUED_CODE, ' ')
    .replace(ADDRESS_PATTERN, ' <a> ')
    .replace(IP_PATTERN, ' <h> ')
    .replace(HOST_PATTERN, (host) =>
      SERVER_WORD_PATTERN.test(host) ? host : BLOCK_LIST_PATTERN.test(host) ? ' <h> block list ' : ' <h> ',
    )
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .trim()
}
