import { type Static, Type } from 'typebox'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'

const runCounter = (description: string) =>
  nullableSchema(
    Type.Integer({
      description: `${description} Null: the campaign has not started, or the messages are sent on demand.`,
    }),
  )

const ReactionsSchema = Type.Object({
  human: Type.Integer({ description: 'Number by people.' }),
  machine: Type.Integer({ description: 'Number by robots and relays.' }),
  contacts: Type.Integer({ description: 'Number of different contacts among the people.' }),
})

/** The results of one sending in a line, from the kept summaries: they trail the events by no more than a moment. */
export const ShortReport = Type.Object(
  {
    audience: runCounter('Number of messages of the campaign.'),
    sent: Type.Integer({
      description:
        'Number of messages accepted by the receiving side. For messages on demand: number of final answers, including refusals.',
    }),
    refused: runCounter('Number of messages permanently refused.'),
    held: runCounter('Number of messages in doubt.'),
    cancelled: runCounter('Number of messages cancelled before they were sent.'),
    pending: runCounter('Number of messages that are still to be sent.'),
    opens: { ...ReactionsSchema, description: 'Opens.' },
    clicks: { ...ReactionsSchema, description: 'Clicks on links.' },
    unsubscribes: Type.Integer({
      description: 'Number of unsubscribes, including STOP replies and devices that opted out.',
    }),
    complaints: Type.Integer({ description: 'Number of complaints.' }),
    replies: Type.Integer({ description: 'Number of replies other than STOP.' }),
    bounces: Type.Integer({ description: 'Number of bounces, immediate and later.' }),
  },
  { description: 'Short report of the results.' },
)
export type ShortReport = Static<typeof ShortReport>
