import { type Static, Type } from 'typebox'
import { ExperimentResult } from '../../actions/experiments/experiment-schemas.ts'

const countOf = (description: string) => Type.Integer({ minimum: 0, description })

const ReactionCounts = Type.Object({
  human: countOf('Number of human reactions.'),
  machine: countOf('Number of reactions by robots and relays.'),
  contacts: countOf('Number of distinct contacts with human reactions.'),
})

const rateOf = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], {
    description: `${description}, divided by the delivered messages. Null: not known.`,
  })

const UsualCampaignRates = Type.Object({
  openRate: rateOf('Contacts that opened'),
  clickRate: rateOf('Contacts that clicked'),
  unsubscribeRate: rateOf('Unsubscriptions'),
  complaintRate: rateOf('Complaints'),
})
export type UsualCampaignRates = Static<typeof UsualCampaignRates>

/** The bounds of what is sent on demand. */
export const ReportQuery = Type.Object({
  start: Type.Optional(
    Type.String({
      description:
        'Start of the period in which messages on demand were requested, inclusive. Absent: all. Not allowed ' +
        'for campaigns.',
    }),
  ),
  end: Type.Optional(
    Type.String({
      description:
        'End of the period in which messages on demand were requested, exclusive. Absent: all. Not allowed for campaigns.',
    }),
  ),
})
export type ReportQuery = Static<typeof ReportQuery>

/** The results of what was sent. */
export const ReportResource = Type.Object(
  {
    audience: countOf(
      'Number of messages, without tests and copies: the sum of `sent`, `refused`, `held`, `cancelled`, ' +
        '`postponed`, `deferred` and `waiting`.',
    ),
    sent: countOf('Number of messages accepted by the receiving side.'),
    refused: countOf('Number of messages refused for good.'),
    held: countOf('Number of messages whose outcome is unknown.'),
    cancelled: Type.Array(
      Type.Object({
        type: Type.String({ description: 'Reason, as the type of a cancellation. `unknown`: no longer recorded.' }),
        count: countOf('Number of messages.'),
      }),
      {
        description: 'Messages that were not handed over, by reason; the most frequent first.',
      },
    ),
    postponed: countOf('Number of messages postponed by marketing pressure.'),
    deferred: countOf('Number of messages deferred by the receiving side at least once, and not yet final.'),
    waiting: countOf('Number of all other messages.'),
    holdout: countOf('Number of contacts held out of the campaign on purpose; not part of `audience`.'),
    experiment: Type.Union([ExperimentResult, Type.Null()], {
      description:
        'Comparison of the versions, and the decision. Null: no experiment; only campaigns of email, SMS and ' +
        'RCS can have one.',
    }),
    delivered: Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Number of delivered messages. Email: sent, minus later hard bounces. SMS and RCS: by delivery ' +
        'reports. Null: notifications.',
    }),
    opens: { ...ReactionCounts, description: 'Number of opens.' },
    clicks: { ...ReactionCounts, description: 'Number of clicks.' },
    unsubscribes: countOf('Number of unsubscriptions, including STOP replies and opt-outs of devices.'),
    complaints: countOf('Number of spam complaints.'),
    replies: countOf('Number of replies other than STOP.'),
    bounces: Type.Array(
      Type.Object({
        destination: Type.Union([Type.String(), Type.Null()], {
          description: 'Provider of the mailbox, or its domain. Null: not an email, or the contact was erased.',
        }),
        verdict: Type.Enum(['hard', 'soft'], {
          description: '`hard`: the address is invalid. `soft`: the address may work later.',
        }),
        cause: Type.String({ description: 'Cause of the refusal. `unknown`: not known.' }),
        count: countOf('Number of bounces, immediate and later.'),
      }),
      { description: 'Bounces by destination, verdict and cause; the most frequent first.' },
    ),
    links: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'Number of the link. 0: the link of a notification.' }),
        address: Type.Union([Type.String(), Type.Null()], {
          description: 'Address of the link as in the content. Null: not in the current content.',
        }),
        clicks: countOf('Number of human clicks.'),
        contacts: countOf('Number of distinct contacts with human clicks.'),
      }),
      { description: 'Links with clicks, by number.' },
    ),
    devices: Type.Array(
      Type.Object({
        type: Type.String({ description: 'Type of the device.' }),
        os: Type.Union([Type.String(), Type.Null()], { description: 'Operating system. Null: not known.' }),
        client: Type.Union([Type.String(), Type.Null()], {
          description: 'Email client or browser. Null: not known.',
        }),
        opens: countOf('Number of human opens.'),
        clicks: countOf('Number of human clicks.'),
      }),
      { description: 'Devices with opens or clicks; the most frequent first.' },
    ),
    series: Type.Array(
      Type.Object({
        at: Type.String({ format: 'date-time', description: 'Start of the hour or day, in UTC.' }),
        sends: countOf('Number of final answers of the receiving side; each device of a notification counts.'),
        opens: countOf('Number of human opens.'),
        clicks: countOf('Number of human clicks.'),
      }),
      {
        description:
          'Counts by hour, or by day if they cover more than a week. Hours and days without counts are left out.',
      },
    ),
    usual: Type.Union([UsualCampaignRates, Type.Null()], {
      description:
        'Medians of the last ten finished campaigns of the same channel and purpose. Null: fewer than three, ' +
        'or not a campaign.',
    }),
    at: Type.String({ format: 'date-time', description: 'Time of the report, in UTC.' }),
  },
  { title: 'Report' },
)
export type ReportResource = Static<typeof ReportResource>

/** Filter of the listed messages or contacts. */
export const ReportContactsQuery = Type.Object({
  of: Type.String({
    description:
      'Number of the report: `audience`, `sent`, `refused`, `held`, `cancelled`, `cancelled:{type}`, ' +
      '`postponed`, `deferred`, `waiting`, `delivered`, `opens`, `clicks`, `link:{id}`, `unsubscribes`, ' +
      '`complaints`, `replies`, `bounces`, `holdout`, `version:{id}`, `goal:{id}` or `goal:holdout`; the ' +
      'last four belong to its experiment.',
  }),
  ...ReportQuery.properties,
})

/** One behind a number. */
export const ReportContactResource = Type.Object(
  {
    id: Type.Union([Type.String(), Type.Null()], {
      description: 'ID of the contact. Null: an address without a contact.',
    }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'Email address or phone number. Null: erased, or none.',
    }),
    stamp: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
      description: 'ID of the message. Null: none.',
    }),
    at: Type.String({
      format: 'date-time',
      description: 'Time of the event, in UTC; of a waiting message, the time of the request.',
    }),
    detail: Type.Union([Type.String(), Type.Null()], {
      description:
        'Detail: type of a cancellation, diagnostic of a server, text of a reply, or address of a link. Null: none.',
    }),
  },
  { title: 'ReportContact' },
)
export type ReportContactResource = Static<typeof ReportContactResource>
