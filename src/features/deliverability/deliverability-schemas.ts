import { type Static, Type } from 'typebox'

const RefusalGroup = Type.Object({
  pattern: Type.String({ description: 'the rule that its wording fits' }),
  subject: Type.String({ description: 'what it is about' }),
  verdict: Type.Enum(['hard', 'soft'], { description: 'hard: the address is of no use; soft: it may be later' }),
  count: Type.Integer({ description: 'how many there are' }),
})

const NullableRate = Type.Union([Type.Number(), Type.Null()], { description: 'null: nothing was sent' })

const DestinationResults = Type.Object({
  destination: Type.Union([Type.String(), Type.Null()], {
    description: 'the operator of the mailboxes, else their domain; null: contacts that were erased since',
  }),
  domains: Type.Array(Type.String(), { description: 'those with the most messages, at most ten' }),
  sent: Type.Integer({ description: 'accepted by the far side' }),
  refused: Type.Integer({ description: 'final answer no' }),
  refusals: Type.Array(RefusalGroup, { description: 'the same by pattern, the most frequent first, at most ten' }),
  bounces: Type.Object(
    { hard: Type.Integer({ description: 'for good' }), soft: Type.Integer({ description: 'for now' }) },
    { description: 'that came later, of messages that were accepted' },
  ),
  complaints: Type.Integer({ description: 'how many recipients complained' }),
  bounceRate: Type.Unsafe<number | null>({
    ...NullableRate,
    description: 'refused and hard bounces, of all that was answered',
  }),
  complaintRate: Type.Unsafe<number | null>({ ...NullableRate, description: 'complaints, of what was accepted' }),
})
export type MailDestinationResults = Static<typeof DestinationResults>

const DomainWarmUp = Type.Object({
  domain: Type.String({ description: 'a domain name' }),
  startDate: Type.String({ description: 'the first day, in UTC' }),
  day: Type.Integer({ description: 'the first is 1; 0: it begins later' }),
  allowance: Type.Union([Type.Integer(), Type.Null()], {
    description: 'messages to one destination today; null: it is over, as many as there are',
  }),
  schedule: Type.Array(Type.Integer(), { description: 'of each of its days' }),
  sent: Type.Array(
    Type.Object({
      destination: Type.String({ description: 'the domain that mail goes to' }),
      count: Type.Integer({ description: 'how many there are' }),
    }),
    {
      description: 'today, what senders have at hand among it',
    },
  ),
})
export type DomainWarmUpState = Static<typeof DomainWarmUp>

/** Deliverability of mail. */
export const DeliverabilityReport = Type.Object({
  start: Type.String({ format: 'date-time', description: 'the start of the time, inclusive' }),
  end: Type.String({ format: 'date-time', description: 'the end of the time, exclusive' }),
  destinations: Type.Array(DestinationResults, {
    description: 'of mail; those with the most messages first, at most 100',
  }),
  warmUps: Type.Array(DomainWarmUp, { description: 'of sending domains, by name' }),
})
export type DeliverabilityReport = Static<typeof DeliverabilityReport>
