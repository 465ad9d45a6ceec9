import { type Static, Type } from 'typebox'
import { ListPageQuery } from '../../http/resource/list.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

export const AuditQuery = Type.Object({
  ...ListPageQuery.properties,
  start: Type.Optional(Type.String({ description: 'inclusive' })),
  end: Type.Optional(Type.String({ description: 'exclusive' })),
  who: Type.Optional(
    Type.String({
      pattern: '^((person|key)(:[0-9A-Za-z-]{1,64})?|system|command)?$',
      description: 'person, key, system or command; person and key also with an id: key:12',
    }),
  ),
  operation: Type.Optional(
    Type.String({ maxLength: 300, description: 'whole (PUT /segments/{id}), its method or its path alone' }),
  ),
  object: Type.Optional(
    Type.String({ pattern: '^([a-z][a-z-]{0,40}(:.{1,200})?)?$', description: 'a type, or one object: segment:41' }),
  ),
})
export type AuditQuery = Static<typeof AuditQuery>

const AuditActorSchema = Type.Object({
  type: Type.Enum(['person', 'key', 'system', 'command'], { description: 'which of the possible kinds it is' }),
  id: Type.Optional(Type.String({ description: 'of a person or key' })),
  name: Type.Optional(Type.String({ description: 'the name that people give it' })),
})

const AuditObjectSchema = Type.Object({
  type: Type.String({ description: 'which of the possible kinds it is' }),
  id: nullableSchema(Type.String({ description: 'what names it in this account' })),
  name: nullableSchema(Type.String({ description: 'the name that people give it' })),
})

/** A row of the audit. */
export const AuditRow = Type.Object({
  id: Type.Integer({ description: 'what names it in this account' }),
  at: Type.String({ format: 'date-time', description: 'when it happened' }),
  account: nullableSchema(Type.String({ description: 'its code; null: the installation' })),
  who: { ...AuditActorSchema, description: 'who asked for it' },
  from: nullableSchema(Type.String({ description: 'address of the client' })),
  request: nullableSchema(Type.String({ description: 'id of the request' })),
  operation: Type.String({ description: 'method and path, or the words of a command' }),
  object: nullableSchema({ ...AuditObjectSchema, description: 'what it was about; null: no one thing' }),
  changes: Type.Record(Type.String(), Type.Tuple([Type.Unknown(), Type.Unknown()]), {
    description:
      'by pointer (RFC 6901): before and after; "***" for what is not kept, {"omitted": bytes} for what is too long',
  }),
  omitted: Type.Integer({ description: 'changes that did not fit into 16 KiB' }),
  outcome: Type.Enum(['done', 'refused'], { description: 'how it ended' }),
  problem: nullableSchema(Type.String({ description: 'kind of the problem that refused it' })),
})
export type AuditRow = Static<typeof AuditRow>
