import { type Static, Type } from 'typebox'
import { ExperimentResult } from '../../actions/experiments/experiment-schemas.ts'

const countOf = (description: string) => Type.Integer({ minimum: 0, description })

const ReactionCounts = Type.Object({
  human: countOf('by people'),
  machine: countOf('by robots and relays'),
  contacts: countOf('different contacts behind the former'),
})

const rateOf = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description}, by what was delivered` })

const UsualCampaignRates = Type.Object({
  openRate: rateOf('contacts that opened'),
  clickRate: rateOf('contacts that clicked'),
  unsubscribeRate: rateOf('unsubscriptions'),
  complaintRate: rateOf('complaints'),
})
export type UsualCampaignRates = Static<typeof UsualCampaignRates>

/** The bounds of what is sent on demand. */
export const ReportQuery = Type.Object({
  start: Type.Optional(
    Type.String({ description: 'of the execution, inclusive; only of what is sent on demand, all of it by default' }),
  ),
  end: Type.Optional(Type.String({ description: 'of the execution, exclusive; only of what is sent on demand' })),
})
export type ReportQuery = Static<typeof ReportQuery>

/** The results of what was sent. */
export const ReportResource = Type.Object(
  {
    audience: countOf(
      'every message: the sum of the seven that follow, also while it runs; proofs and copies are left out',
    ),
    sent: countOf('accepted by the far side'),
    refused: countOf('final answer no'),
    held: countOf('in doubt'),
    cancelled: Type.Array(
      Type.Object({
        type: Type.String({ description: 'which of the possible kinds it is' }),
        count: countOf('messages'),
      }),
      {
        description: 'not handed over, by why; the most frequent first',
      },
    ),
    postponed: countOf('put off by marketing pressure'),
    deferred: countOf('told to come later at least once'),
    waiting: countOf('the rest'),
    holdout: countOf('contacts that get nothing on purpose; not in the audience'),
    experiment: Type.Union([ExperimentResult, Type.Null()], {
      description: 'versions compared, and the decision; null: none (campaigns of email, SMS and RCS may have one)',
    }),
    delivered: Type.Union([Type.Integer(), Type.Null()], {
      description: 'email: sent less hard bounces that came later; SMS, RCS: by delivery reports; push: null',
    }),
    opens: { ...ReactionCounts, description: 'how many were opened' },
    clicks: { ...ReactionCounts, description: 'how many links were followed' },
    unsubscribes: countOf('STOP answers and opt-outs of devices among them'),
    complaints: countOf('reported as spam'),
    replies: countOf('other answers'),
    bounces: Type.Array(
      Type.Object({
        destination: Type.Union([Type.String(), Type.Null()], {
          description: 'the operator of the mailbox, else its domain; null: no mail, or the contact was erased',
        }),
        verdict: Type.Enum(['hard', 'soft'], { description: 'hard: the address is of no use; soft: it may be later' }),
        cause: Type.String({ description: 'what the refusal was about' }),
        count: countOf('refusals, at once and later'),
      }),
      { description: 'the most frequent first' },
    ),
    links: Type.Array(
      Type.Object({
        id: Type.Integer({ description: '0: the link of a push message' }),
        address: Type.Union([Type.String(), Type.Null()], { description: 'as written; null: not in the content now' }),
        clicks: countOf('by people'),
        contacts: countOf('different contacts'),
      }),
      { description: 'that were followed, by number' },
    ),
    devices: Type.Array(
      Type.Object({
        type: Type.String({ description: 'which of the possible kinds it is' }),
        os: Type.Union([Type.String(), Type.Null()], { description: 'its system; null: not known' }),
        client: Type.Union([Type.String(), Type.Null()], {
          description: 'what the message or page was read with; null: not known',
        }),
        opens: countOf('by people'),
        clicks: countOf('by people'),
      }),
      { description: 'the most frequent first' },
    ),
    series: Type.Array(
      Type.Object({
        at: Type.String({ format: 'date-time', description: 'when it happened' }),
        sends: countOf('final answers, deliveries to each device apart'),
        opens: countOf('by people'),
        clicks: countOf('by people'),
      }),
      { description: 'by hour, of more than a week by day (UTC); hours without anything are left out' },
    ),
    usual: Type.Union([UsualCampaignRates, Type.Null()], {
      description: 'medians of the last ten finished campaigns of the channel and purpose; null below three',
    }),
    at: Type.String({ format: 'date-time', description: 'when it was read' }),
  },
  { title: 'Report' },
)
export type ReportResource = Static<typeof ReportResource>

/** Filter of the listed messages or contacts. */
export const ReportContactsQuery = Type.Object({
  of: Type.String({
    description:
      'audience, sent, refused, held, cancelled or cancelled:{type}, postponed, deferred, waiting, delivered, opens, clicks, link:{id}, unsubscribes, complaints, replies, bounces, holdout, version:{id} of its experiment, goal:{id} or goal:holdout (who reached its goal)',
  }),
  ...ReportQuery.properties,
})

/** One behind a number. */
export const ReportContactResource = Type.Object(
  {
    id: Type.Union([Type.String(), Type.Null()], { description: 'of the contact; null: an address without one' }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'mail address or phone number; null: erased, or none',
    }),
    stamp: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], { description: 'of the message' }),
    at: Type.String({ format: 'date-time', description: 'when it happened; of what waits: when it was asked for' }),
    detail: Type.Union([Type.String(), Type.Null()], {
      description: 'why: the type of a cancellation, the words of a server, the text of a reply, the address of a link',
    }),
  },
  { title: 'ReportContact' },
)
export type ReportContactResource = Static<typeof ReportContactResource>
