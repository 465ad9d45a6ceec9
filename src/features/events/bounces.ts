/** What a refusal says of the address. */
export interface BounceAnalysis {
  enhanced: string
  reply: number | null
  subject: { type: string; detail?: { type: string } }
  verdict: 'hard' | 'soft'
  rule: string
}
