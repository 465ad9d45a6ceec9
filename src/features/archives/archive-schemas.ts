import { type Static, Type } from 'typebox'

const instantSchema = Type.String({ format: 'date-time' })

/** A message that was kept as it left. */
export const ArchivedMessage = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'ID of the archive.' }),
    action: Type.String({ description: 'ID of the action.' }),
    target: Type.String({ description: 'ID of the contact.' }),
    stamp: Type.String({ format: 'uuid', description: 'Stamp ID of the message.' }),
    sendingDate: { ...instantSchema, description: 'Time of sending, in UTC.' },
    url: Type.String({ description: 'Signed URL that downloads the email without a key; new in each answer.' }),
    expiresOn: Type.String({
      format: 'date-time',
      description: 'Expiry of `url`, in UTC: 32 days from now, or the end of retention if that is sooner.',
    }),
  },
  { title: 'Archive' },
)
export type ArchivedMessage = Static<typeof ArchivedMessage>
