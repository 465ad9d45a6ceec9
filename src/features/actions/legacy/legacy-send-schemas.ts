import { type Static, type TSchema, Type } from 'typebox'
import { MailLocalPart, nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { MessageAttachment } from '../execution/item-schemas.ts'

const optional = <T extends TSchema>(schema: T) => Type.Optional(nullableSchema(schema))

const Part = Type.String({ maxLength: 1_000_000 })
const Subject = Type.String({ maxLength: 998 })
const Reply = Type.String({ format: 'email', maxLength: 254 })
const Contacts = Type.Array(Type.String({ maxLength: 8 }), { maxItems: 20, description: 'ids of contacts' })

/** What the send of one message took before executions: two vocabularies for the same things. */
export const LegacySendBody = Type.Object({
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
        fromPrefix: optional({ ...MailLocalPart, description: 'what stands before the @ of the sender' }),
        replyTo: optional(Reply),
      },
      { description: 'content, subject and sender, in older words' },
    ),
  ),
  cc: optional(Contacts),
  bcc: optional(Contacts),
  attachments: Type.Optional(
    Type.Array(MessageAttachment, {
      maxItems: 100,
      description: 'the files of a multipart body; the part "model" is the rest',
    }),
  ),
})
export type LegacySendBody = Static<typeof LegacySendBody>

/** Members with which a send replaces what the action has. */
export const legacyOverrideMembers = ['content', 'header', 'views', 'attachments'] as const
