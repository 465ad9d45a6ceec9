import { decodeEncodedWords, findMailField, type MailField } from '../../../lib/text/mail/fields.ts'

/** Senders of reports: programs use these names, people do not. */
const REPORTER_PATTERN =
  /(?:^|[<\s"(])(?:mailer[- ]?daemon|mail-?daemon|post[-_ ]?master|maildelivery|mail[ ._-]?delivery|delivery[ ._-]?(?:subsystem|system|notification)|system administrator|mail administrator|mdaemon|mmdf|mail(?:er)?[ ._-]?(?:system|transport|server)|bounces?|no-?reply|content-filter)/i

/** Subjects that only reports have. */
const FAILURE_SUBJECT =
  /undeliver|unzustellbar|non remis|non[- ]distribu|non recapit|failed mail|mail fail|delivery (?:status|fail|problem|report|notification|has failed)|(?:delivery|failure|mail|message) (?:failure|failed|notice|notification|delivery)|returned (?:mail|to sender)|mail (?:delivery|system) (?:error|fail|sub)|could not (?:be )?(?:deliver|send)|not delivered|no entregad|недостав|не доставлен|不達|配信不能|退信|投递失败|returning message|status report|not (?:a )?member/i

/** Subjects of reports that people use too. */
const VAGUE_SUBJECT = /fail|delay|warning|error|problem|rejected|blocked|mailbox|entrega|エラー|配信/i

/** Phrases of failure reports, in several languages; a pattern each for those that take long to judge. */
const FAILURE_TEXTS: readonly RegExp[] = [
  /(?:could|can|was|were|is|has|have|did)(?: ?not|n't|not been) (?:be )?(?:able to )?(?:deliver|reach|send|sent)/i,
  /(?:delivery|message|mail)(?: \S{1,100}){0,6} (?:failed|failure|has been delayed|rejected|bounced|returned|refused|blocked|stopped)/i,
  /mail ?box(?: \S{1,100}){0,3} is full/i,
  /undeliver|(?:unable|wasn't able|not able) to deliver|permanent (?:fatal )?error|fatal errors|delivery problems|transcript of session|rejected (?:your|the) (?:message|recipient)|no (?:such user|valid recipients)|user unknown|unknown user|mailbox (?:is )?full|n'a pas pu [êe]tre|échec de la remise|konnte nicht|nicht zugestellt/i,
  /no se pudo|no se ha podido|não pôde ser|non (?:è )?(?:stato possibile|riuscito)|не может быть доставлен|não foi possível|送信できません|配信できません|无法(?:投递|送达)|返送|無法投遞|non-delivered|not a member of|exceeds allowed size|invalid (?:final|user)|failure reasons/i,
]

/** The reply code of a server, at the beginning of a phrase, where amounts and years do not stand. */
const REFUSAL_REPLY =
  /(?:[45]\d\d[ -]+#?|\()#?[45]\.\d{1,3}\.\d{1,3}|(?:^|["'(>:]|\bsaid|\breturned)[ \t]*[45][0-5]\d[ -]+[\p{L}<]/mu

/** Subjects of automatic replies: out of office, and challenges to the sender. */
const AUTOREPLY_SUBJECT =
  /^(?:re: ?)?(?:auto(?:matic|matische|mated)?[- ]?(?:repl|response|antwort|svar|reply)|automatische antwort|out of (?:the )?office|r[ée]ponse automatique|absence|absent du bureau|abwesen|respuesta autom|resposta autom|risposta automatica|fuera de (?:la )?oficina|away (?:from|until)|vacation|on vacation|on leave|ooo\b|i am out|i'm out|afwezig|автоответ|отсутств|自動(?:応答|返信)|不在|自动回复|자동)|please confirm|confirm your|verification required|challenge|has received your (?:message|mail|e-?mail)|ticket|thank you for (?:your|contacting)/i

interface ReportText {
  fields: readonly MailField[]
  /** The text of the mail without the returned message. */
  text: string
}

const WARNING_SUBJECT = /delay|^warning|still being (?:re)?tried|verz[öo]ger|retard|задерж/i
const WARNING_TEXT =
  /this is (?:only )?a warning|only a warning|warning (?:message )?only|(?:has|have) been delayed|delivery (?:is )?delayed|still being (?:re)?tried|will (?:be|keep) (?:re)?tr(?:ied|ying)|temporary failure report/i

/** True if a mail reports a delay, not a final failure. */
export function isDelayWarning({ fields, text }: ReportText): boolean {
  return (
    WARNING_SUBJECT.test(decodeEncodedWords(findMailField(fields, 'subject') ?? '').trim()) ||
    WARNING_TEXT.test(foldText(text))
  )
}

function foldText(text: string): string {
  return text.slice(0, 20_000).replace(/\s+/g, ' ')
}

/** True if a mail that is not a delivery report reports a failure in its text. */
export function isInformalBounce({ fields, text }: ReportText): boolean {
  if (findMailField(fields, 'x-failed-recipients') !== undefined) return true
  const subject = decodeEncodedWords(findMailField(fields, 'subject') ?? '')
  const isReporter = REPORTER_PATTERN.test(decodeEncodedWords(findMailField(fields, 'from') ?? ''))
  const isReport = FAILURE_SUBJECT.test(subject)
  const isRefusal = REFUSAL_REPLY.test(text)
  const phrases = foldText(text)
  const isFailure = FAILURE_TEXTS.some((pattern) => pattern.test(phrases))
  const signs = [isReporter, isReport || VAGUE_SUBJECT.test(subject), isRefusal, isFailure]
  // One sign may be chance: people write about errors, and daemons greet. A person does not write a server's words.
  const isOfServer = isReporter || isReport || isRefusal
  return isOfServer && signs.filter((sign) => sign).length >= (isAutomaticReply({ fields, text }) ? 3 : 2)
}

/** True if a mail is an automatic reply (RFC 3834), or a challenge to its sender. */
function isAutomaticReply({ fields }: ReportText): boolean {
  const readLowerField = (name: string): string => findMailField(fields, name)?.toLowerCase() ?? ''
  if (AUTOREPLY_SUBJECT.test(decodeEncodedWords(findMailField(fields, 'subject') ?? '').trim())) return true
  if (/auto[-_]?reply/.test(readLowerField('precedence'))) return true
  const autoReplyHeaders = ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply-from', 'x-mail-autoreply']
  return (
    readLowerField('auto-submitted').startsWith('auto-replied') ||
    autoReplyHeaders.some((name) => readLowerField(name) !== '')
  )
}
