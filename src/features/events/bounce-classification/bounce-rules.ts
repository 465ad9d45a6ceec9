import { type BounceSubjectCode, isHardBounceCode } from './bounce-subjects.ts'
import {
  closedMailboxPattern,
  matchAnyWording,
  movedMailboxPattern,
  unknownDomainPattern,
  unknownMailboxPattern,
} from './bounce-wordings.ts'

/** Stage of the SMTP dialogue at which a mail was refused; `lookup`: before the dialogue, by this service's own DNS query. */
export type SmtpStage = 'lookup' | 'connect' | 'mail' | 'rcpt' | 'data'

/** Traits of a refusal that the rules evaluate. */
export interface BounceTraits {
  stage: SmtpStage | null
  reply: number | null
  /** Second and third number of the enhanced code, when it says anything: not `0.0`. */
  code: BounceSubjectCode | undefined
  /** True if there is an enhanced code without a meaning. */
  isVague: boolean
  /** The diagnostic in lower case with single blanks; addresses are `<a>`, hosts and IP addresses `<h>`. */
  text: string
}

/** `pattern` and `when` must both hold, where they are given. `code`: the subject of the enhanced code, if there is one. */
export interface BounceRule {
  id: string
  pattern?: RegExp
  when?: (facts: BounceTraits) => boolean
  subject: BounceSubjectCode | { code: true; else: BounceSubjectCode }
  verdict: 'hard' | 'soft'
}

/** A code that says that the address is bad outweighs general words about the way there. */
const isAddressUnresolved = ({ code }: BounceTraits): boolean => code === undefined || !isHardBounceCode(code)
const isLookupStage = ({ stage }: BounceTraits): boolean => stage === 'lookup'

/**
 * The rules that judge a refused mail; the first that applies decides. Hard only when the address or its domain does not
 * exist, or the mailbox is closed for good; so what names quotas, delays, senders, blocks or content goes first.
 */
export const bounceRules: readonly BounceRule[] = [
  {
    id: 'dns-nxdomain',
    pattern: /nxdomain|enotfound|no (?:mx|such domain)/,
    when: isLookupStage,
    subject: '1.2',
    verdict: 'hard',
  },
  { id: 'dns-null-mx', pattern: /null ?mx/, when: isLookupStage, subject: '1.10', verdict: 'hard' },
  { id: 'dns-failure', when: isLookupStage, subject: '4.3', verdict: 'soft' },
  // RFC 7505: the domain says that it has no mail; RFC 7504: these replies are given by hosts that never take any.
  {
    id: 'domain-closed',
    pattern: /(?<!sender.{0,80})null ?mx|indicated no smtp service/,
    subject: '1.10',
    verdict: 'hard',
  },
  {
    id: 'domain-closed',
    pattern: /(?:does not|doesn't|not|never) accept(?:ing|s)? (?:any )?(?:e-?mail|mail|network messages)|no mail/,
    when: ({ reply, code }) => (reply === 521 || reply === 556) && ['3.2', '1.10', '5.0', undefined].includes(code),
    subject: '1.10',
    verdict: 'hard',
  },
  {
    id: 'domain-closed',
    pattern: /(?:host|domain|system|server)(?: <h>)? does not accept (?:any )?e?-?mails?(?:[.!;]|$)/,
    when: ({ code }) => ['3.2', '1.10', '5.0', undefined].includes(code),
    subject: '1.10',
    verdict: 'hard',
  },
  {
    id: 'quota',
    pattern: matchAnyWording(
      '(?:mail ?box|mbox|in ?box|mail ?drop|mail ?folder|account|disk|storage|spool)(?: \\S+){0,4} (?:is |are )?(?:almost )?(?:full|over(?:drawn| its)?|exhausted)',
      'full mail ?box|mail ?box full|disk full|over ?quota|overquota|quota (?:\\S+ ){0,2}(?:exceeded|full|reached|violation|limit)|quotaexceeded|(?:storage|space|mail ?box|inbox) limit|at (?:its|the) limit|over (?:the|its|their|his|her) (?:\\S+ )?(?:quota|storage|limit)|above its (?:maximum|limit)',
      'exceed(?:s|ed|ing)?(?: \\S+){0,3} (?:quota|storage|space|allowed size|allotted|allocation|mailbox size)',
      'insufficient (?:system )?(?:storage|disk|quota|space)|(?:out of|not enough|no) (?:storage|disk|space|room)(?: space)?(?: left)?',
      'messages in (?:\\S+ ){0,3}mail ?box exceeded|mail ?box (?:size|has) (?:\\S+ ){0,2}(?:limit|exceed)|mailfolder is full|too many messages (?:in|on) (?:this |the )?(?:mailbox|server)',
      'bo[iî]te(?: \\S+){0,6} (?:pleine|satur[eé]e)|quota(?: \\S+){0,3} (?:d[eé]pass[eé]|atteint)',
      '(?:buz[oó]n|casilla)(?: \\S+){0,4} llen[oa]|cuota(?: \\S+){0,3} (?:excedida|superada)|caixa(?: \\S+){0,4} cheia|casella(?: \\S+){0,4} piena',
      '(?:postfach|mailbox)(?: \\S+){0,4} (?:voll|[uü]berf[uü]llt)|zu ?viele (?:e-?)?mails|speicher(?:platz|limit)|(?:postvak|mailbox)(?: \\S+){0,3} (?:is )?vol\\b',
      'переполнен|превышен[аы]? квот|skrzynka(?: \\S+){0,3} pe[lł]na|schr[aá]nka(?: \\S+){0,3} pln[aá]|postafi[oó]k(?: \\S+){0,3} (?:megtelt|tele)|c[aă]su[tț][aă](?: \\S+){0,3} plin[aă]|posta kutusu(?: \\S+){0,2} dolu',
      '(?:inkorg|brevl[aå]da|postkass|innbokse|postboks)\\S*(?: \\S+){0,3} (?:full|fuld)|overfyldt|postilaatikko(?: \\S+){0,3} t[aä]ynn[aä]|πλήρες|용량[^.]{0,8}초과|가득',
      'メールボックス[^。]{0,12}(?:一杯|いっぱい|満杯)|容量[^。]{0,8}(?:超|オーバー)|邮箱[^。]{0,6}(?:已满|空间不足)|信箱已滿',
    ),
    subject: '2.2',
    verdict: 'soft',
  },
  { id: 'temporary-greylist', pattern: /gr[ea]y-?list/, subject: { code: true, else: '4.5' }, verdict: 'soft' },
  {
    id: 'temporary-rate',
    pattern: matchAnyWording(
      'too many (?:connections|concurrent|sessions|messages|emails|recipients|errors|(?:invalid|unknown|bad) (?:recipients|addresses)|mails?)|too much mail|(?:connection|sending|mail|message) (?:rate|frequency)|rate[- ]limit|throttl|limit(?:ed)? exceeded for',
      'unusual rate|receiving mail (?:at a rate|too)|unexpected volume|sent too many|slow down|excessive (?:number|rate)|frequency limited|(?:daily|hourly|sending|relay|outbound) (?:\\S+ ){0,2}(?:quota|limit)|mail flood',
    ),
    subject: { code: true, else: '4.5' },
    verdict: 'soft',
  },
  {
    id: 'temporary-later',
    pattern: matchAnyWording(
      '(?:try|retry|send|come)(?: it| again| back| your message)* (?:again )?(?:later|in (?:a |\\d)|after|tomorrow|at a later)|temporar(?:y|ily)|server (?:is )?(?:too )?busy|resources unavailable|tempfail|currently unavailable|at this time|not available (?:now|right now)|(?<!(?:check|verif|correct|confirm|spell|settings|not going to|address)[^.]{0,80})try again\\b',
      'plus tard|momentan[eé]ment|temporairement|m[aá]s tarde|temporalmente|mais tarde|pi[uù] tardi|temporaneamente|sp[aä]ter|vor[uü]bergehend|позже|временно|しばらく|後ほど|一時的|稍[后後]|请稍|暫時|暂时|나중에|일시',
    ),
    subject: { code: true, else: '4.5' },
    verdict: 'soft',
  },
  { id: 'sender-spf', pattern: /\bspf\b/, subject: '7.23', verdict: 'soft' },
  { id: 'sender-dmarc', pattern: /\bdmarc\b/, subject: '7.26', verdict: 'soft' },
  { id: 'sender-dkim', pattern: /\bdkim\b(?!-signature)/, subject: '7.20', verdict: 'soft' },
  {
    id: 'sender-reverse-dns',
    pattern: matchAnyWording(
      'reverse[- ](?:dns|mapping|lookup|hostname|name)|\\br?dns ptr|\\bptr\\b|\\brdns\\b|(?:no|missing|bad|invalid) reverse|cannot find your (?:reverse )?hostname',
      "(?:doesn't|does not) resolve|mismatch(?:es)? client ip|valid sender domain|may not be mail exchanger|forward[- ]confirmed",
    ),
    subject: '7.25',
    verdict: 'soft',
  },
  {
    id: 'sender-unauthenticated',
    pattern:
      /unauthenticated|authentication (?:is )?(?:required|failed|information|checks? failed)|not authenticated|must (?:first )?authenticate|fails? to pass|failed authentication/,
    subject: '7.26',
    verdict: 'soft',
  },
  {
    id: 'sender-refused',
    pattern: matchAnyWording(
      '(?<!\\bto (?:the )?)sender(?: \\S+){0,4}? (?:is |was |has been )?(?:rejected|denied|refused|invalid|blocked|blacklisted|unknown|not (?:allowed|accepted|permitted|valid))',
      'mail from(?::)?(?: \\S+){0,3} (?:unknown|invalid|rejected|refused|does not exist)|unknown sender|address of the sender|sender verif(?:y|ication) fail|domain of sender|sender address|envelope[- ]sender|from: domain is invalid|(?:invalid|bad|unroutable|unverifiable|unauthori[sz]ed) (?:sender|from|return|helo|bounce|outbound|ip for sending)',
      '(?:your|sending) (?:domain|host|address|ip|server|name)(?: \\S+){0,4} (?:rejected|denied|refused|invalid|not allowed|does not exist)|not (?:allowed|permitted|authori[sz]ed) to send|helo (?:command )?rejected|bad helo|my name was rejected',
      'exp[eé]diteur(?: \\S+){0,3} (?:refus[eé]|invalide|rejet[eé])|absender(?: \\S+){0,3} (?:abgelehnt|ung[uü]ltig)|remitente(?: \\S+){0,3} (?:rechazado|inv[aá]lido)',
    ),
    subject: '7.1',
    verdict: 'soft',
  },
  // What is unknown before the recipient was named is the sender, or his host.
  {
    id: 'sender-refused',
    pattern: matchAnyWording(unknownMailboxPattern.source, unknownDomainPattern.source, 'invalid domain name'),
    when: ({ stage }) => stage === 'mail' || stage === 'connect',
    subject: '7.1',
    verdict: 'soft',
  },
  {
    id: 'block-list',
    pattern:
      /\br[bs]l\b|dnsbl|\bdrbl|black ?list|block ?list|deny ?list|blocked using|spamhaus|spamcop|sorbs|\bcbl\b|\(bl\)|(?<!not )listed (?:in|at|on|by) (?!the (?:section|message|table))|removal from this list/,
    subject: '7.1',
    verdict: 'soft',
  },
  {
    id: 'block-spam',
    pattern:
      /spam|\bu[bc]e\b|unsolicited|\bjunk|phish|\bbulk (?:e-?)?mail|unwanted|correo no deseado|ind[eé]sirable|pourriel|スパム|垃圾/,
    subject: '7.1',
    verdict: 'soft',
  },
  {
    id: 'block-reputation',
    pattern: /reputation|suspicious|complaints|abus(?:e|ive)|poor rating/,
    subject: '7.1',
    verdict: 'soft',
  },
  {
    id: 'block-permission',
    pattern: matchAnyWording(
      'not (?:be )?(?:authori[sz]ed|permitted)|(?:no|lack|require|have) (?:the )?(?:necessary |required )?permissions?|permission to (?:post|send)|not allowed to (?:post|send)|only accepts? (?:mail|messages)|restricted',
      'pas autoris|autorisation|permisos?\\b|permiss[aã]o|permiss[oõ]es|permess[oi]|autorizza|berechtig|toestemming|tillst[aå]nd|beh[oö]righet|uprawnie|opr[aá]vn[eě]n|разрешени|прав на|\\bizin|yetki',
      '権限|许可|权限|許可|權限|권한|صلاحي|إذن|مصرح|مجوز|अनुमति|অনুমতি|הרשא|สิทธิ',
    ),
    subject: '7.1',
    verdict: 'soft',
  },
  {
    id: 'block-policy',
    pattern: matchAnyWording(
      'polic(?:y|ies)|\\bbanned\\b|\\bblocked\\b|blocking|prohibited|forbidden|(?<!recipient address rejected: )access denied|no access from|(?<!disabled, )not accepting (?:connections|mail|messages)|not accepted|client host rejected|host rejected|will not accept delivery',
      '(?:message|mail|service) (?:was |is |has been )?(?:refused|refus[eé])|(?:host|network|connection|ip)s? (?:\\S+ ){0,2}not (?:allowed|accepted|welcome)|connections not accepted|firewall|filter(?:ed|ing)|rejected (?:for|due)|mail rejected|administrative(?:ly)? (?!limit)|administrator (?:has )?(?:blocked|prohibit|den)|protocol violation|(?:user|recipient)\\S{0,2} (?:preferences|rules|settings)|refuses? to (?:receive|accept)|has refused|blocked by|extended inactivity|only accept',
      'politique|richtlinie|pol[ií]tica|политик|ポリシー|策略',
    ),
    subject: '7.1',
    verdict: 'soft',
  },
  // A refusal of the relay may say that the recipient is not local, which says nothing of the mailbox.
  {
    id: 'relay',
    pattern:
      /relay(?:ing)?(?: access| mail)? (?:is )?(?:denied|not |prohibited|refused)|(?:\bnot|cannot|unable to|won't) relay/,
    subject: '7.1',
    verdict: 'soft',
  },
  // A 550 that comes after the content is a filter's, whatever it says of the mailbox: that was accepted
  // before. A code of its own, or a 554, which RFC 5321, 3.3 has for an answer to DATA without recipients, is believed.
  {
    id: 'block-after-data',
    pattern: unknownMailboxPattern,
    when: ({ stage, reply, code }) => stage === 'data' && reply === 550 && code !== '1.1',
    subject: '7.1',
    verdict: 'soft',
  },
  { id: 'block-after-data', pattern: /\b550[ :-]+:? ?: user unknown/, subject: '7.1', verdict: 'soft' },
  // A code about the mailbox says that it is there, one about policy that it does not matter; but what was said of the
  // recipient when he was named is about him.
  {
    id: 'block-contradicted',
    pattern: unknownMailboxPattern,
    when: ({ code, stage }) => (code === '2.0' || code === '2.1' || code === '7.1') && stage !== 'rcpt',
    subject: '7.1',
    verdict: 'soft',
  },
  { id: 'content-virus', pattern: /virus|malware|infected|trojan|worm\b/, subject: '6.0', verdict: 'soft' },
  {
    id: 'content-size',
    pattern: matchAnyWording(
      '(?:message|mail|e-?mail|body|header|content|data)s?(?: \\S+){0,3}? too (?:big|large|long)|too large for|(?:message|mail|size|line|header)s? (?:\\S+ ){0,3}?(?:exceeds?|exceeded|over)(?: \\S+){0,4} (?:size|limit|length|maximum)',
      '(?:size|length|line) limit|recipsizelimit|message length|max(?:imum)?\\.? (?:message )?size|message size (?:exceeds|limit)|exceeds (?:the )?(?:maximum )?(?:message )?size|trop volumineux|zu gro(?:ss|ß)|demasiado grande|troppo grande',
    ),
    subject: '3.4',
    verdict: 'soft',
  },
  {
    id: 'content-format',
    pattern: matchAnyWording(
      'content (?:was |has been |is )?(?:rejected|blocked|refused|not)|(?:malformed|invalid|bad|duplicate|missing|too many) (?:\\S+ )?(?:header|mime|message|content|body)|header error|duplicate header',
      '8-?bit|bare (?:lf|cr)|attachments? (?:\\S+ )?(?:not|type|rejected|blocked|forbidden|removed)|(?:blocked|forbidden|dangerous|illegal|executable|prohibited) attachment|lone (?:lf|cr)',
    ),
    subject: '6.0',
    verdict: 'soft',
  },
  // The program that was to take the mail over failed: what it says is about itself.
  {
    id: 'program-failed',
    pattern:
      /command (?:output|failed|died)|x-unix; \S+: |unknown mailer error|mailer error|procmail|maildrop|exit(?:ed with)? status|exited with|died with|pipe to|\|\/|aborted by signal/,
    subject: '3.0',
    verdict: 'soft',
  },
  { id: 'user-unknown', pattern: unknownMailboxPattern, subject: '1.1', verdict: 'hard' },
  {
    id: 'user-unknown',
    pattern:
      /mail ?box (?:is )?(?:unavailable|not available)|requested action not taken|(?:address|recipient) rejected[. ]*(?:<a>|\(|in reply|$)/,
    when: ({ stage, reply }) => stage === 'rcpt' && reply === 550,
    subject: '1.1',
    verdict: 'hard',
  },
  // The words that RFC 5321, 4.2.3, has for 550, of a server that gives a code with them, but none of its own.
  {
    id: 'user-unknown',
    pattern: /mail ?box (?:is )?(?:unavailable|not available)|requested action not taken/,
    when: ({ stage, reply, code, isVague }) => stage === null && reply === 550 && (isVague || code === '5.0'),
    subject: '1.1',
    verdict: 'hard',
  },
  // Only these words alone: with others they are about a policy.
  {
    id: 'user-unknown',
    pattern: /^(?:smtp; ?)?550[ :-]{1,3}(?:<a> (?:: )?)?mail ?box (?:is )?(?:unavailable|not available)[.!]?(?: <a>)?$/,
    when: ({ stage, code }) => stage === null && code === undefined,
    subject: '1.1',
    verdict: 'hard',
  },
  // What a widely used gateway says of every address that is not on its list.
  {
    id: 'user-unknown',
    pattern: /(?:address|recipient) rejected/,
    when: ({ code }) => code === '1.0',
    subject: '1.1',
    verdict: 'hard',
  },
  { id: 'user-moved', pattern: movedMailboxPattern, subject: '1.6', verdict: 'hard' },
  { id: 'user-closed', pattern: closedMailboxPattern, subject: '2.1', verdict: 'hard' },
  { id: 'domain-unknown', pattern: unknownDomainPattern, subject: '1.2', verdict: 'hard' },
  {
    id: 'syntax',
    pattern:
      /(?:malformed|illegal|bad|invalid|improper) (?:\S{1,60} )?(?:address|recipient|mailbox|local[- ]?part)|(?:address|recipient)(?: \S{1,60}){0,3} (?:syntax|malformed|format)|syntax error in (?:address|recipient|parameter)/,
    when: ({ stage }) => stage === 'rcpt',
    subject: '1.3',
    verdict: 'hard',
  },
  { id: 'syntax', pattern: /destination (?:mailbox )?address syntax/, subject: '1.3', verdict: 'hard' },
  { id: 'relay', pattern: /relay/, when: isAddressUnresolved, subject: '7.1', verdict: 'soft' },
  {
    id: 'network-loop',
    pattern: /too many (?:hops|received)|hop ?count|\bloops?\b|routing loop|loops back|forwarded more than/,
    subject: '4.6',
    verdict: 'soft',
  },
  {
    id: 'network-configuration',
    pattern: /misconfigur|configuration (?:error|problem)|incorrectly configured/,
    when: isAddressUnresolved,
    subject: '3.5',
    verdict: 'soft',
  },
  {
    id: 'network-expired',
    pattern:
      /expired|queue(?:d)? (?:for )?too long|for too long|giving up|delivery time|retry (?:time-?out|time exceeded)|multiple retries|not delivered within|could not deliver for|deleted from queue|failing for a long time|max(?:imum)? (?:retry|number of retries)|aborted after/,
    subject: '4.7',
    verdict: 'soft',
  },
  {
    id: 'network-refused',
    pattern:
      /connection (?:was )?refused|could not connect|unable to connect|(?:couldn't|can't|cannot|wasn't able to) (?:connect|establish)|no smtp service|did not accept our requests to connect|not responding|no answer|host(?: \S+)? down/,
    when: isAddressUnresolved,
    subject: '4.1',
    verdict: 'soft',
  },
  {
    id: 'network-timeout',
    pattern: /time[d-]? ?-?out|timeout/,
    when: isAddressUnresolved,
    subject: '4.1',
    verdict: 'soft',
  },
  {
    id: 'network-connection',
    pattern:
      /connection (?:was |has been |is |unexpectedly )?(?:reset|lost|dropped|closed|aborted|died)|lost connection|broken pipe|starttls|\b(?:tls|ssl)\b/,
    when: isAddressUnresolved,
    subject: '4.2',
    verdict: 'soft',
  },
  {
    id: 'network-route',
    pattern: /no route|(?:network|host) (?:is )?unreachable|unable to route/,
    when: isAddressUnresolved,
    subject: '4.4',
    verdict: 'soft',
  },
  {
    id: 'network-directory',
    pattern:
      /(?:name|dns|host ?name|mx) (?:\S{1,60} )?(?:lookup|server|service) (?:failure|failed|error)|servfail|directory server|\bldap\b|lookup failure/,
    when: isAddressUnresolved,
    subject: '4.3',
    verdict: 'soft',
  },
]
