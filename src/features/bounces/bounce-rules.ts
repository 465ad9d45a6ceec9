import { type Static, Type } from 'typebox'
import document from './bounce-rules.json' with { type: 'json' }
import { type BounceSubjectCode, isHardBounceCode } from './bounce-subjects.ts'

/** Stage of the SMTP dialogue at which a mail was refused; `lookup`: before the dialogue, by this service's own DNS query. */
const StageName = Type.Enum(['lookup', 'connect', 'mail', 'rcpt', 'data'])
export type SmtpStage = Static<typeof StageName>

const SubjectCode = Type.Unsafe<BounceSubjectCode>(Type.String({ pattern: String.raw`^\d\.\d{1,2}$` }))
const Verdict = Type.Enum(['hard', 'soft'])
const Wordings = Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })
const nullable = <Schema extends typeof StageName | typeof SubjectCode>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

/** A rule as the data file has it. It applies if one of its wordings is in the text, and each of its conditions holds. */
const BounceRuleRow = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    why: Type.Optional(Type.String({ description: 'Reason for the rule, its position or its conditions.' })),
    wordings: Type.Optional(Wordings),
    stages: Type.Optional(
      Type.Array(nullable(StageName), { description: 'Stages at which the rule applies. Null: the stage is unknown.' }),
    ),
    replies: Type.Optional(Type.Array(Type.Integer())),
    codes: Type.Optional(
      Type.Array(nullable(SubjectCode), {
        description: 'Enhanced status codes to which the rule applies. 0.0: a code without a meaning. Null: no code.',
      }),
    ),
    exceptCodes: Type.Optional(Type.Array(SubjectCode)),
    exceptHardCodes: Type.Optional(
      Type.Literal(true, {
        description: 'The rule does not apply if the code says that the address does not work.',
      }),
    ),
    subject: SubjectCode,
    prefersCode: Type.Optional(
      Type.Literal(true, { description: 'The enhanced status code, if there is one, replaces the subject.' }),
    ),
    verdict: Verdict,
  },
  { additionalProperties: false },
)
type BounceRuleRow = Static<typeof BounceRuleRow>

/** The data file: rules, and words that their wordings name as `{WORD}`, also by language. */
export const BounceRuleDocument = Type.Object(
  {
    words: Type.Record(Type.String(), Type.Union([Wordings, Type.Record(Type.String(), Wordings)])),
    rules: Type.Array(BounceRuleRow),
  },
  { additionalProperties: false },
)
export type BounceRuleDocument = Static<typeof BounceRuleDocument>

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

export interface BounceRule extends BounceRuleRow {
  pattern: RegExp | undefined
}

const { words, rules } = document as BounceRuleDocument

/** One pattern of many wordings, in which each `{WORD}` is replaced by its wordings. */
function joinWordings(wordings: readonly string[]): string {
  return wordings.join('|').replaceAll(/\{([A-Z_]+)\}/g, (_, word: string) => {
    const wordingsOfWord = words[word]
    if (!wordingsOfWord) throw new Error(`bounce-rules.json has no word ${word}`)
    return joinWordings(Object.values(wordingsOfWord).flat())
  })
}

/**
 * The rules that judge a refused mail; the first that applies decides. Hard only when the address or its domain does not
 * exist, or the mailbox is closed for good; so what names quotas, delays, senders, blocks or content goes first.
 */
export const bounceRules: readonly BounceRule[] = rules.map((rule) => ({
  ...rule,
  pattern: rule.wordings && new RegExp(joinWordings(rule.wordings)),
}))

/** Returns true if a rule applies to a refusal. */
export function isBounceRuleMatching(rule: BounceRule, { stage, reply, code, isVague, text }: BounceTraits): boolean {
  const { stages, replies, codes, exceptCodes, exceptHardCodes, pattern } = rule
  const statedCode = isVague ? '0.0' : (code ?? null)
  return (
    (!stages || stages.includes(stage)) &&
    (!replies || (reply !== null && replies.includes(reply))) &&
    (!codes || codes.includes(statedCode)) &&
    !(exceptCodes && statedCode !== null && exceptCodes.includes(statedCode)) &&
    !(exceptHardCodes && code !== undefined && isHardBounceCode(code)) &&
    (!pattern || pattern.test(text))
  )
}
