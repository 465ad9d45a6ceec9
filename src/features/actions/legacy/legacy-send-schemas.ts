import { type Static, type TSchema, Type } from 'typebox'
import { LocalPart, nullable } from '../../accounts/sending-settings-schemas.ts'
import { Attachment } from '../execution/item-schemas.ts'

const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))

const Part = Type.String({ maxLength: 1_000_000 })
const Subject = Type.String({ maxLength: 998 })
const Reply = Type.String({ format: 'email', maxLength: 254 })
const Contacts = Type.Array(Type.String({ maxLength: 8 }), { maxItems: 20, description: 'ids of contacts' })

/** What the send of one message took before executions: two vocabularies for the same things. */
export const LegacySend = Type.Object({
  data: optional(Type.Record(Type.String(), Type.Unknown())),
  content: optional(Type.Object({ html: optional(Part), text: optional(Part) })),
  header: optional(
    Type.Object(
      {
        subject: optional(Subject),
        mailFrom: optional(Type.String({ maxLength: 500, description: 'address, or label <address>' })),
        replyTo: optional(Reply),
      },
      { description: 'subject, sender and address of answers, in older words' },
    ),
  ),
  views: optional(
    Type.Object(
      {
        subject: optional(Subject),
        html: optional(Part),
        text: optional(Part),
        fromLabel: optional(Type.String({ maxLength: 200, description: 'name of the sender' })),
        fromPrefix: optional({ ...LocalPart, description: 'what stands before the @ of the sender' }),
        replyTo: optional(Reply),
      },
      { description: 'content, subject and sender, in older words' },
    ),
  ),
  cc: optional(Contacts),
  bcc: optional(Contacts),
  attachments: Type.Optional(
    Type.Array(Attachment, {
      maxItems: 100,
      description: 'the files of a multipart body; the part "model" is the rest',
    }),
  ),
})
export type LegacySend = Static<typeof LegacySend>

/** Members with which a send replaces what the action has. */
export const legacyReplacing = ['content', 'header', 'views', 'attachments'] as const
