import { type Static, Type } from 'typebox'

const RefusalGroup = Type.Object({
  pattern: Type.String({ description: 'Name of the rule that matches the text of the refusal.' }),
  subject: Type.String({
    description: 'Subject of the refusal in words, such as `bad destination mailbox address`.',
  }),
  verdict: Type.Enum(['hard', 'soft'], {
    description: 'Verdict. `hard`: the address does not work. `soft`: the address can work later.',
  }),
  count: Type.Integer({ description: 'Number of refusals.' }),
})

const NullableRate = Type.Union([Type.Number(), Type.Null()], {
  description: 'Share from 0 to 1. Null: nothing was sent.',
})

const DestinationResults = Type.Object({
  destination: Type.Union([Type.String(), Type.Null()], {
    description:
      'Destination of the messages: the operator of the mailboxes, else their domain. Null: contacts ' +
      'that have been erased.',
  }),
  domains: Type.Array(Type.String(), { description: 'Domains of the destination with the most messages, at most 10.' }),
  sent: Type.Integer({ description: 'Number of messages that the destination accepted.' }),
  refused: Type.Integer({ description: 'Number of messages that the destination refused for good.' }),
  refusals: Type.Array(RefusalGroup, { description: 'Refusals by rule, the most frequent first, at most 10.' }),
  bounces: Type.Object(
    {
      hard: Type.Integer({ description: 'Number of permanent bounces.' }),
      soft: Type.Integer({ description: 'Number of temporary bounces.' }),
    },
    { description: 'Bounces reported after the message was accepted.' },
  ),
  complaints: Type.Integer({ description: 'Number of complaints.' }),
  bounceRate: Type.Unsafe<number | null>({
    ...NullableRate,
    description:
      'Share of refused messages and hard bounces in the accepted and refused messages, from 0 to 1. ' +
      'Null: nothing was sent.',
  }),
  complaintRate: Type.Unsafe<number | null>({
    ...NullableRate,
    description: 'Share of complaints in the accepted messages, from 0 to 1. Null: nothing was sent.',
  }),
})
export type MailDestinationResults = Static<typeof DestinationResults>

const DomainWarmUp = Type.Object({
  domain: Type.String({ description: 'Name of the sending domain.' }),
  startDate: Type.String({ description: 'First day of the warm-up, in UTC.' }),
  day: Type.Integer({ description: 'Current day of the warm-up, from 1. 0: it has not started.' }),
  allowance: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Maximum number of messages to one destination today. Null: the warm-up is finished and there is ' + 'no limit.',
  }),
  schedule: Type.Array(Type.Integer(), {
    description: 'Maximum number of messages to one destination on each day of the warm-up.',
  }),
  sent: Type.Array(
    Type.Object({
      destination: Type.String({ description: 'Destination of the messages.' }),
      count: Type.Integer({ description: 'Number of messages.' }),
    }),
    {
      description: 'Messages counted for today by destination, including those that senders are about to send.',
    },
  ),
})
export type DomainWarmUpState = Static<typeof DomainWarmUp>

/** Deliverability of mail. */
export const DeliverabilityReport = Type.Object({
  start: Type.String({ format: 'date-time', description: 'Start of the period, inclusive, in UTC.' }),
  end: Type.String({ format: 'date-time', description: 'End of the period, exclusive, in UTC.' }),
  destinations: Type.Array(DestinationResults, {
    description: 'Results of email by destination, those with the most messages first, at most 100.',
  }),
  warmUps: Type.Array(DomainWarmUp, { description: 'Warm-ups of sending domains, by name.' }),
})
export type DeliverabilityReport = Static<typeof DeliverabilityReport>
