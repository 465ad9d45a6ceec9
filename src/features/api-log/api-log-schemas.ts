import { type Static, Type } from 'typebox'

/** A request to the interface, without its bodies and values. */
export const LoggedRequest = Type.Object({
  id: Type.Integer({ description: 'what names it in this account' }),
  date: Type.String({ format: 'date-time', description: 'when it was answered' }),
  method: Type.String({ description: 'the method of the request' }),
  path: Type.String({ description: 'as it is documented: /targets/{id}' }),
  status: Type.Integer({ description: 'how it stands' }),
  durationMs: Type.Integer({ description: 'how long it took, in milliseconds' }),
  request: Type.String({ description: 'its x-request-id' }),
  by: Type.Object(
    {
      type: Type.Enum(['key', 'person'], { description: 'which of the possible kinds it is' }),
      id: Type.String({ description: 'number of the key, uuid of the person' }),
      name: Type.String({ description: 'the name that people give it' }),
    },
    { description: 'who did it' },
  ),
})
export type LoggedRequest = Static<typeof LoggedRequest>
