import { type Static, type TSchema, Type } from 'typebox'
import { profiledChannelNames } from '../../channels/channel-traits.ts'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { int32IdLimits } from '../../lib/int32.ts'
import { SMS_SENDER_PATTERN } from '../../lib/text/sms.ts'

/** A schema, or null; said by its type where it has one, so that a fault inside it is not also one of not being null. */
export function nullableSchema<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>(
    'type' in schema ? { ...schema, type: [schema.type, 'null'] } : Type.Union([schema, Type.Null()]),
  )
}

const Id = Type.Integer({ ...int32IdLimits, description: 'ID in the account.' })
const Name = Type.String({ minLength: 1, maxLength: 100, description: 'Name of the object.' })
const EmailAddress = Type.String({ format: 'email', maxLength: 254 })
const FieldId = nullableSchema(Id)
const ShortText = Type.String({ maxLength: 100 })

/** A name of the domain system with at least one dot, as A-labels (RFC 5890, 2.3.2.1). */
const DomainName = Type.String({
  maxLength: 253,
  pattern: '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$',
})

/** A dot-atom of ASCII (RFC 5322, 3.2.3): what stands before the @. */
export const MailLocalPart = Type.String({
  maxLength: 64,
  pattern: "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$",
  description: 'Local part of the address, before the `@`.',
})

/** An alphanumeric sender with at least one letter, or digits. */
export const SmsSenderName = Type.String({
  pattern: SMS_SENDER_PATTERN,
  description: 'Sender of an SMS: a name of letters and digits, or a number.',
})

const profileProperties = {
  id: Id,
  name: Name,
  channel: Type.Enum([...profiledChannelNames], { description: 'Channel of the profile.' }),
  default: Type.Boolean({ description: 'True: default profile of its channel. Each channel has exactly one.' }),
  reply: nullableSchema({ ...EmailAddress, description: 'Reply-to address. Null: none.' }),
  bounceDomain: nullableSchema({ ...DomainName, description: 'Domain of the return path. Null: the default domain.' }),
  trackingHost: nullableSchema(
    Type.String({
      maxLength: 260,
      pattern: '^[A-Za-z0-9.-]+(:[0-9]{1,5})?$',
      description: 'Host of tracked links, optionally with a port. Null: the public address of the service.',
    }),
  ),
  sender: nullableSchema(SmsSenderName),
}
const mailFromProperties = {
  prefix: nullableSchema(MailLocalPart),
  domain: nullableSchema({ ...DomainName, description: 'Domain of the sender address. Null: the default domain.' }),
  label: nullableSchema(Type.String({ maxLength: 200, description: 'Display name of the sender.' })),
}

const AccountSenderProfile = Type.Object({
  ...profileProperties,
  from: nullableSchema(
    Type.Object(mailFromProperties, { description: 'Sender address of email. Null for other channels.' }),
  ),
})
const WebAnalyser = Type.Object({
  id: Id,
  name: Name,
  parameters: Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
    description: 'Values of the query parameters, by parameter name.',
  }),
})
const SendingDomains = Type.Array(
  Type.Object({
    domain: Type.String({ description: 'Domain name.' }),
    default: Type.Boolean({ description: 'True: email without a sender domain is sent from this domain.' }),
    verified: Type.Boolean({ description: 'True: the last check found the records of all signing keys.' }),
  }),
  {
    description: 'Sending domains of the account. Read-only; written by `/domains` and the command line.',
  },
)

const settingsProperties = {
  culture: Type.String({
    maxLength: 35,
    description: 'Language tag (BCP 47) of actions without a culture. Default: `fr-FR`.',
  }),
  defaultFolder: { ...Id, description: 'ID of the folder of actions without a folder. Default: 1.' },
  testSubjectPrefix: { ...ShortText, description: 'Text before the subject of test email. Default: `[TEST] `.' },
  testTextPrefix: { ...ShortText, description: 'Text before test SMS. Default: empty.' },
  testRequired: Type.Boolean({
    description: 'True: an action must be tested before it is validated for production. Default: true.',
  }),
  unverifiedDomain: Type.Enum(['substitute', 'refuse'], {
    description:
      'Treatment of email from an unverified domain. `substitute`: sent from the default domain. `refuse`: ' +
      'not sent. Default: `substitute`.',
  }),
  stopMention: nullableSchema(
    Type.String({
      minLength: 1,
      maxLength: 160,
      description:
        'Opt-out text of marketing SMS; appended to a text without it. Null: not set, and no SMS that ' +
        'requires it passes its test.',
    }),
  ),
  stopOnStandard: Type.Boolean({
    description: 'True: standard marketing SMS contain `stopMention` as well. Default: false.',
  }),
  optInField: { ...FieldId, description: 'ID of the field that holds consent 1. Null: none.' },
  doubleOptInField: { ...FieldId, description: 'ID of the field that holds consent 2. Null: none.' },
  yesValues: Type.Array(ShortText, {
    maxItems: 50,
    description: 'Values of a consent field that mean yes; upper and lower case are equal.',
  }),
  serviceIgnoresRedList: Type.Boolean({
    description:
      'True: messages with the purpose `service` are sent despite entries of the suppression list with the ' +
      'origins 3 and 4. Default: false.',
  }),
  inDoubt: Type.Enum(['hold', 'send'], {
    description:
      'Treatment of a message whose transfer to the gateway was interrupted without an answer. `hold`: held ' +
      'until released. `send`: sent again. Default: `hold`.',
  }),
  attachmentHosts: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 100,
    description: 'Hosts from which attachments may be fetched.',
  }),
  reportAddresses: Type.Array(EmailAddress, {
    maxItems: 50,
    description: 'Addresses that receive export links, and the reports of imports without recipients of their own.',
  }),
  archiveDays: Type.Integer({
    minimum: 1,
    maximum: 36_500,
    description: 'Days for which archived messages are retained. Default: 1095.',
  }),
  honeypotLink: Type.Boolean({
    description: 'True: email contains a hidden link that only robots follow. Default: false.',
  }),
  openConsentField: {
    ...FieldId,
    description: 'ID of the field that must hold consent before opens are recorded. Null: no consent required.',
  },
}

/** The sending settings of an account (`/settings/sending`). */
export const AccountSendingSettings = Type.Object({
  ...settingsProperties,
  profiles: Type.Array(AccountSenderProfile, { description: 'Sender profiles.' }),
  domains: SendingDomains,
  webAnalysers: Type.Array(WebAnalyser, {
    description: 'Sets of query parameters that are added to the addresses of tracked links.',
  }),
})

/** A change: what is absent stays, lists are replaced. An entry without id is a new one. */
export const SendingSettingsBody = Type.Object({
  ...Type.Partial(Type.Object(settingsProperties)).properties,
  profiles: Type.Optional(
    Type.Array(
      Type.Object({
        ...Type.Partial(Type.Object(profileProperties)).properties,
        name: Name,
        channel: profileProperties.channel,
        from: Type.Optional(
          nullableSchema({
            ...Type.Partial(Type.Object(mailFromProperties)),
            description: 'Sender address of email. Null for other channels.',
          }),
        ),
      }),
      { maxItems: 200, description: 'Sender profiles; an absent list stays unchanged.' },
    ),
  ),
  domains: ignoredMemberSchema,
  webAnalysers: Type.Optional(
    Type.Array(Type.Object({ id: Type.Optional(Id), name: Name, parameters: WebAnalyser.properties.parameters }), {
      maxItems: 200,
      description:
        'Sets of query parameters that are added to the addresses of tracked links; an absent list stays unchanged.',
    }),
  ),
})

export type AccountSenderProfile = Static<typeof AccountSenderProfile>
export type AccountSendingSettings = Static<typeof AccountSendingSettings>
export type SendingSettingsBody = Static<typeof SendingSettingsBody>
