import { type Static, Type } from 'typebox'

/** A request to the interface, without its bodies and values. */
export const LoggedRequest = Type.Object({
  id: Type.Integer({ description: 'ID of the entry.' }),
  date: Type.String({ format: 'date-time', description: 'Time of the response, in UTC.' }),
  method: Type.String({ description: 'HTTP method of the request.' }),
  path: Type.String({ description: 'Path template of the operation, such as `/targets/{id}`.' }),
  status: Type.Integer({ description: 'HTTP status of the response.' }),
  durationMs: Type.Integer({ description: 'Milliseconds from request to response.' }),
  request: Type.String({ description: 'ID of the request, as in the `x-request-id` header.' }),
  by: Type.Object(
    {
      type: Type.Enum(['key', 'person'], { description: 'Type of the caller. `key`: an API key. `person`: a user.' }),
      id: Type.String({ description: 'ID of the key or user.' }),
      name: Type.String({ description: 'Name of the key or user.' }),
    },
    { description: 'Caller of the request.' },
  ),
})
export type LoggedRequest = Static<typeof LoggedRequest>
