import { type Static, Type } from 'typebox'
import { ListPageQuery } from '../../http/resource/list.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

export const AuditQuery = Type.Object({
  ...ListPageQuery.properties,
  start: Type.Optional(Type.String({ description: 'Start of the period, inclusive.' })),
  end: Type.Optional(Type.String({ description: 'End of the period, exclusive.' })),
  who: Type.Optional(
    Type.String({
      pattern: '^((person|key)(:[0-9A-Za-z-]{1,64})?|system|command)?$',
      description: 'Actor: `person`, `key`, `system` or `command`; a user or key also with its ID, as in `key:12`.',
    }),
  ),
  operation: Type.Optional(
    Type.String({
      maxLength: 300,
      description: 'Operation: the whole (`PUT /segments/{id}`), the method alone or the path alone.',
    }),
  ),
  object: Type.Optional(
    Type.String({
      pattern: '^([a-z][a-z-]{0,40}(:.{1,200})?)?$',
      description: 'Object: a type, or a type and an ID, as in `segment:41`.',
    }),
  ),
})
export type AuditQuery = Static<typeof AuditQuery>

const AuditActorSchema = Type.Object({
  type: Type.Enum(['person', 'key', 'system', 'command'], {
    description:
      'Type of the actor. `person`: a user. `key`: an API key. `system`: the service itself. `command`: the ' +
      'command line.',
  }),
  id: Type.Optional(Type.String({ description: 'ID of the user or key.' })),
  name: Type.Optional(Type.String({ description: 'Name of the actor.' })),
})

const AuditObjectSchema = Type.Object({
  type: Type.String({ description: 'Type of the object.' }),
  id: nullableSchema(Type.String({ description: 'ID of the object.' })),
  name: nullableSchema(Type.String({ description: 'Name of the object.' })),
})

/** A row of the audit. */
export const AuditRow = Type.Object({
  id: Type.Integer({ description: 'ID of the entry.' }),
  at: Type.String({ format: 'date-time', description: 'Time of the act, in UTC.' }),
  account: nullableSchema(Type.String({ description: 'Code of the account. Null: the installation.' })),
  who: { ...AuditActorSchema, description: 'Actor of the request.' },
  from: nullableSchema(Type.String({ description: 'Network address of the client. Null: none.' })),
  request: nullableSchema(
    Type.String({ description: 'ID of the request, as in the `x-request-id` header. Null: none.' }),
  ),
  operation: Type.String({ description: 'Method and path template of the operation, or the words of the command.' }),
  object: nullableSchema({ ...AuditObjectSchema, description: 'Object of the act. Null: no single object.' }),
  changes: Type.Record(
    Type.String(),
    Type.Tuple([Type.Unknown({ description: 'Value before.' }), Type.Unknown({ description: 'Value after.' })]),
    {
      description:
        'Changed members by JSON Pointer (RFC 6901), each with the values before and after. `"***"`: not ' +
        'recorded. `{"omitted": bytes}`: too long.',
    },
  ),
  omitted: Type.Integer({ description: 'Number of changes left out because they exceed 16 KiB.' }),
  outcome: Type.Enum(['done', 'refused'], {
    description: 'Outcome of the act. `done`: performed. `refused`: refused with a problem.',
  }),
  problem: nullableSchema(Type.String({ description: 'Type of the problem that refused the act. Null: none.' })),
})
export type AuditRow = Static<typeof AuditRow>
