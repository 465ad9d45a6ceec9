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

const Id = Type.Integer({ ...int32IdLimits, description: 'what names it in this account' })
const Name = Type.String({ minLength: 1, maxLength: 100, description: 'the name that people give it' })
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
  description: 'what stands before it',
})

/** An alphanumeric sender with at least one letter, or digits. */
export const SmsSenderName = Type.String({ pattern: SMS_SENDER_PATTERN, description: 'who it is sent from' })

const profileProperties = {
  id: Id,
  name: Name,
  channel: Type.Enum([...profiledChannelNames], { description: 'the channel that it is sent by' }),
  default: Type.Boolean({ description: 'true on exactly one of each channel' }),
  reply: nullableSchema({ ...EmailAddress, description: 'the answer that came' }),
  bounceDomain: nullableSchema({ ...DomainName, description: 'domain of the return path; null: the default one' }),
  trackingHost: nullableSchema(
    Type.String({
      maxLength: 260,
      pattern: '^[A-Za-z0-9.-]+(:[0-9]{1,5})?$',
      description: 'host of links; null: the public address',
    }),
  ),
  sender: nullableSchema(SmsSenderName),
}
const mailFromProperties = {
  prefix: nullableSchema(MailLocalPart),
  domain: nullableSchema({ ...DomainName, description: 'a domain name' }),
  label: nullableSchema(Type.String({ maxLength: 200, description: 'the name that people see' })),
}

const AccountSenderProfile = Type.Object({
  ...profileProperties,
  from: nullableSchema(Type.Object(mailFromProperties, { description: 'null for SMS' })),
})
const WebAnalyser = Type.Object({
  id: Id,
  name: Name,
  parameters: Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
    description: 'values by the names of query parameters',
  }),
})
const SendingDomains = Type.Array(
  Type.Object({
    domain: Type.String({ description: 'a domain name' }),
    default: Type.Boolean({ description: 'mail that names no domain is sent from it' }),
    verified: Type.Boolean({ description: 'the records of its keys were found by the last check' }),
  }),
  {
    description: 'written at /domains, and by the command line',
  },
)

const settingsProperties = {
  culture: Type.String({ maxLength: 35, description: 'BCP 47; given to actions that name none' }),
  defaultFolder: { ...Id, description: 'id of the folder of actions that name none' },
  testSubjectPrefix: { ...ShortText, description: 'put before the subject of proofs' },
  testTextPrefix: { ...ShortText, description: 'put before the text of proofs by SMS' },
  testRequired: Type.Boolean({ description: 'false: an action may be validated without a test' }),
  unverifiedDomain: Type.Enum(['substitute', 'refuse'], {
    description: 'substitute: what names an unverified domain is sent from the default one; refuse: it is not sent',
  }),
  stopMention: nullableSchema(
    Type.String({
      minLength: 1,
      maxLength: 160,
      description: 'words on how to unsubscribe that marketing SMS hold; null: none',
    }),
  ),
  stopOnStandard: Type.Boolean({ description: 'whether standard SMS need stopMention too' }),
  optInField: { ...FieldId, description: 'id of the field that says yes for consent 1' },
  doubleOptInField: { ...FieldId, description: 'id of the field that says yes for consent 2' },
  yesValues: Type.Array(ShortText, {
    maxItems: 50,
    description: 'what a consent field says for yes, whatever the case',
  }),
  serviceIgnoresRedList: Type.Boolean({ description: 'service messages pass red-list entries of origin 3 and 4' }),
  inDoubt: Type.Enum(['hold', 'send'], {
    description: 'what becomes of a message whose hand-over was cut off without an answer',
  }),
  attachmentHosts: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    maxItems: 100,
    description: 'hosts that attachments may be fetched from',
  }),
  reportAddresses: Type.Array(EmailAddress, {
    maxItems: 50,
    description: 'who gets links of exports, and reports of imports that name nobody',
  }),
  archiveDays: Type.Integer({ minimum: 1, maximum: 36_500, description: 'days that archives are kept' }),
  honeypotLink: Type.Boolean({ description: 'whether mails hold a hidden link that only robots follow' }),
  openConsentField: {
    ...FieldId,
    description: 'id of the field that must say yes for opens to be recorded; null: none must',
  },
}

/** The sending settings of an account (`/settings/sending`). */
export const AccountSendingSettings = Type.Object({
  ...settingsProperties,
  profiles: Type.Array(AccountSenderProfile, { description: 'whom messages are sent from' }),
  domains: SendingDomains,
  webAnalysers: Type.Array(WebAnalyser, { description: 'query parameters that redirects add' }),
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
          nullableSchema({ ...Type.Partial(Type.Object(mailFromProperties)), description: 'where it comes from' }),
        ),
      }),
      { maxItems: 200, description: 'whom messages are sent from' },
    ),
  ),
  domains: ignoredMemberSchema,
  webAnalysers: Type.Optional(
    Type.Array(Type.Object({ id: Type.Optional(Id), name: Name, parameters: WebAnalyser.properties.parameters }), {
      maxItems: 200,
      description: 'query parameters that redirects add',
    }),
  ),
})

export type AccountSenderProfile = Static<typeof AccountSenderProfile>
export type AccountSendingSettings = Static<typeof AccountSendingSettings>
export type SendingSettingsBody = Static<typeof SendingSettingsBody>
