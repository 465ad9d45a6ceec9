import { type Static, Type } from 'typebox'

const instantSchema = Type.String({ format: 'date-time' })

/** A message that was kept as it left. */
export const ArchivedMessage = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
    action: Type.String({ description: 'id of the action' }),
    target: Type.String({ description: 'contact' }),
    stamp: Type.String({ format: 'uuid', description: 'what names one send' }),
    sendingDate: { ...instantSchema, description: 'when it was sent, in UTC' },
    url: Type.String({ description: 'where its octets can be fetched without a key, signed anew at each reading' }),
    expiresOn: Type.String({ format: 'date-time', description: 'the end of that address' }),
  },
  { title: 'Archive' },
)
export type ArchivedMessage = Static<typeof ArchivedMessage>
