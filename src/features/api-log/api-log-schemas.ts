import { type Static, Type } from 'typebox'

/** A request to the interface, without its bodies and values. */
export const LoggedRequest = Type.Object({
  id: Type.Integer(),
  date: Type.String({ format: 'date-time', description: 'when it was answered' }),
  method: Type.String(),
  path: Type.String({ description: 'as it is documented: /targets/{id}' }),
  status: Type.Integer(),
  durationMs: Type.Integer(),
  request: Type.String({ description: 'its x-request-id' }),
  by: Type.Object({
    type: Type.Enum(['key', 'person']),
    id: Type.String({ description: 'number of the key, uuid of the person' }),
    name: Type.String(),
  }),
})
export type LoggedRequest = Static<typeof LoggedRequest>
