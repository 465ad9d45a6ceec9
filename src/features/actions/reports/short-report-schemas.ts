import { type Static, Type } from 'typebox'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'

const runCounter = (description: string) =>
  nullableSchema(Type.Integer({ description: `${description}; null: it has not started, or is sent on demand` }))

const ReactionsSchema = Type.Object({
  human: Type.Integer({ description: 'how many by people' }),
  machine: Type.Integer({ description: 'how many by robots and relays' }),
  contacts: Type.Integer({ description: 'different contacts behind the former' }),
})

/** The results of one sending in a line, from the kept summaries: they trail the events by no more than a moment. */
export const ShortReport = Type.Object(
  {
    audience: runCounter('whom it is for'),
    sent: Type.Integer({
      description: 'accepted by the far side; of what is sent on demand: final answers, refusals among them',
    }),
    refused: runCounter('final answer no'),
    held: runCounter('in doubt'),
    cancelled: runCounter('not handed over, for a reason'),
    pending: runCounter('to be sent yet'),
    opens: { ...ReactionsSchema, description: 'how many were opened' },
    clicks: { ...ReactionsSchema, description: 'how many links were followed' },
    unsubscribes: Type.Integer({ description: 'STOP answers and opt-outs of devices among them' }),
    complaints: Type.Integer({ description: 'how many recipients complained' }),
    replies: Type.Integer({ description: 'how many answers came' }),
    bounces: Type.Integer({ description: 'at once and later' }),
  },
  { description: 'its results' },
)
export type ShortReport = Static<typeof ShortReport>
