import { type Static, type TSchema, Type } from 'typebox'
import { MailLocalPart, nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { MessageAttachment } from '../execution/item-schemas.ts'

const optionalOrNullable = <T extends TSchema>(schema: T) => Type.Optional(nullableSchema(schema))

const PartSchema = Type.String({ maxLength: 1_000_000 })
const SubjectSchema = Type.String({ maxLength: 998, description: 'Subject of the email.' })
const ReplyToSchema = Type.String({ format: 'email', maxLength: 254, description: 'Reply-to address.' })
const ContactIdsSchema = Type.Array(Type.String({ maxLength: 8 }), {
  maxItems: 20,
  description: 'IDs of contacts who receive a copy; at most 20.',
})

/** Body of the single send that preceded executions: two vocabularies for the same data. */
export const LegacySendBody = Type.Object({
  data: optionalOrNullable(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Values that templates read as `data`.' }),
  ),
  content: optionalOrNullable(
    Type.Object(
      {
        html: optionalOrNullable({ ...PartSchema, description: 'HTML part of the email.' }),
        text: optionalOrNullable({ ...PartSchema, description: 'Text part of the email.' }),
      },
      { description: 'Content that replaces that of the action.' },
    ),
  ),
  header: optionalOrNullable(
    Type.Object(
      {
        subject: optionalOrNullable(SubjectSchema),
        mailFrom: optionalOrNullable(
          Type.String({ maxLength: 500, description: 'Sender, as `address` or `label <address>`.' }),
        ),
        replyTo: optionalOrNullable(ReplyToSchema),
      },
      { description: 'Subject, sender and reply-to address that replace those of the action.' },
    ),
  ),
  views: optionalOrNullable(
    Type.Object(
      {
        subject: optionalOrNullable(SubjectSchema),
        html: optionalOrNullable({ ...PartSchema, description: 'HTML part of the email.' }),
        text: optionalOrNullable({ ...PartSchema, description: 'Text part of the email.' }),
        fromLabel: optionalOrNullable(Type.String({ maxLength: 200, description: 'Name of the sender.' })),
        fromPrefix: optionalOrNullable({
          ...MailLocalPart,
          description: 'Local part of the sender address, before the `@`.',
        }),
        replyTo: optionalOrNullable(ReplyToSchema),
      },
      { description: 'Content, subject and sender that replace those of the action, in an older form.' },
    ),
  ),
  cc: optionalOrNullable(ContactIdsSchema),
  bcc: optionalOrNullable(ContactIdsSchema),
  attachments: Type.Optional(
    Type.Array(MessageAttachment, {
      maxItems: 100,
      description: 'Files to attach, read from the parts `attachments` of a multipart body.',
    }),
  ),
})
export type LegacySendBody = Static<typeof LegacySendBody>

/** Members with which a send replaces what the action has. */
export const legacyOverrideMembers = ['content', 'header', 'views', 'attachments'] as const
