import { type Static, type TSchema, Type } from 'typebox'
import { MailLocalPart, nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { MessageAttachment } from '../execution/item-schemas.ts'

const optionalOrNullable = <T extends TSchema>(schema: T) => Type.Optional(nullableSchema(schema))

const PartSchema = Type.String({ maxLength: 1_000_000 })
const SubjectSchema = Type.String({ maxLength: 998, description: 'the subject of the mail' })
const ReplyToSchema = Type.String({ format: 'email', maxLength: 254, description: 'address that answers go to' })
const ContactIdsSchema = Type.Array(Type.String({ maxLength: 8 }), { maxItems: 20, description: 'ids of contacts' })

/** Body of the single send that preceded executions: two vocabularies for the same data. */
export const LegacySendBody = Type.Object({
  data: optionalOrNullable(
    Type.Record(Type.String(), Type.Unknown(), { description: 'values that templates and scripts read as `data`' }),
  ),
  content: optionalOrNullable(
    Type.Object(
      {
        html: optionalOrNullable({ ...PartSchema, description: 'the text in HTML' }),
        text: optionalOrNullable({ ...PartSchema, description: 'the text, plain' }),
      },
      { description: 'what it says or holds' },
    ),
  ),
  header: optionalOrNullable(
    Type.Object(
      {
        subject: optionalOrNullable(SubjectSchema),
        mailFrom: optionalOrNullable(Type.String({ maxLength: 500, description: 'address, or label <address>' })),
        replyTo: optionalOrNullable(ReplyToSchema),
      },
      { description: 'subject, sender and address of answers, in older words' },
    ),
  ),
  views: optionalOrNullable(
    Type.Object(
      {
        subject: optionalOrNullable(SubjectSchema),
        html: optionalOrNullable({ ...PartSchema, description: 'the text in HTML' }),
        text: optionalOrNullable({ ...PartSchema, description: 'the text, plain' }),
        fromLabel: optionalOrNullable(Type.String({ maxLength: 200, description: 'name of the sender' })),
        fromPrefix: optionalOrNullable({ ...MailLocalPart, description: 'what stands before the @ of the sender' }),
        replyTo: optionalOrNullable(ReplyToSchema),
      },
      { description: 'content, subject and sender, in older words' },
    ),
  ),
  cc: optionalOrNullable(ContactIdsSchema),
  bcc: optionalOrNullable(ContactIdsSchema),
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
