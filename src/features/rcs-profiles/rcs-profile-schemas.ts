import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { buildTaggedUnion, buildTypeTag } from '../../lib/type-tags.ts'
import { nullableSchema, SmsSenderName } from '../accounts/sending-settings-schemas.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Name of the RCS profile: 1 to 100 characters, unique in the account regardless of case.',
})
const Description = nullableSchema(
  Type.String({ maxLength: 500, description: 'Description of the RCS profile, for users. Null: none.' }),
)
const AgentId = Type.String({
  pattern: '^[A-Za-z0-9_.@-]{1,200}$',
  description: 'ID of the agent at RCS Business Messaging.',
})
const CountryCode = Type.String({
  maxLength: 3,
  description:
    'Country of phone numbers in national form, as an ISO 3166-1 alpha-3 code. Default: the default ' +
    'country of the account.',
})
const SendingSpeed = Type.Integer({
  minimum: 0,
  maximum: 5000,
  description: 'Maximum number of messages sent per second; 0: no limit. Default: 100.',
})

const CapabilityMembers = Type.Object(
  {
    check: Type.Boolean({
      description: 'True: ask the provider for the capabilities of a phone before its first message. Default: true.',
    }),
    cacheHours: Type.Integer({
      minimum: 0,
      maximum: 720,
      description: 'Hours for which an answer about a phone is kept. Default: 24.',
    }),
  },
  { description: 'Capability checks of phones, before their first message.' },
)
export type RcsCapabilitySettings = Static<typeof CapabilityMembers>

const SenderSchema = nullableSchema(SmsSenderName)
const Fallback = Type.Object(
  { type: buildTypeTag('sms'), sender: SenderSchema },
  {
    description:
      'Settings for the SMS that is sent if an RCS message cannot be delivered. A null `sender` means ' +
      'that of the default SMS profile.',
  },
)
export type RcsProfileFallback = Static<typeof Fallback>

export const googleRcsRegions = ['us', 'europe', 'asia'] as const
const GoogleRegion = nullableSchema(
  Type.Enum([...googleRcsRegions], { description: 'Region of the host. Null: the global host.' }),
)
const HttpsUrl = nullableSchema(
  Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'Address that replaces that of Google: `https`, at a public host. Null: that of Google.',
  }),
)

/** Provider settings for messages of a profile, without its secrets. */
const GoogleRcsSettings = Type.Object({ region: GoogleRegion, baseUrl: HttpsUrl, tokenUrl: HttpsUrl })
export type GoogleRcsSettings = Static<typeof GoogleRcsSettings>

const GoogleProvider = Type.Object({
  type: buildTypeTag('google-rbm'),
  ...GoogleRcsSettings.properties,
  credentials: Type.Null({ description: 'Service account of Google. Write-only; always null in responses.' }),
  fingerprint: Type.Union([Type.String(), Type.Null()], {
    description:
      'Fingerprint of the credentials: the first 16 hexadecimal digits of the SHA-256 of `client_email`, ' +
      'a line feed and `private_key`. Null: no credentials are set.',
  }),
  clientToken: Type.Null({ description: 'Client token of the webhook. Write-only; always null in responses.' }),
  clientTokenSet: Type.Boolean({ description: 'True if a client token is set.' }),
})
const CaptureProvider = Type.Object({
  type: buildTypeTag('capture'),
})

const GoogleProviderBody = Type.Object({
  type: GoogleProvider.properties.type,
  ...Type.Partial(GoogleRcsSettings).properties,
  credentials: Type.Optional(
    Type.Union([Type.String({ maxLength: 20_000 }), Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'Service account of Google, as JSON text or as an object. Absent or null: unchanged.',
    }),
  ),
  clientToken: Type.Optional(
    nullableSchema(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Client token of the webhook at Google. Absent or null: unchanged.',
      }),
    ),
  ),
  fingerprint: ignoredMemberSchema,
  clientTokenSet: ignoredMemberSchema,
})
const RcsProviderBody = buildTaggedUnion([GoogleProviderBody, CaptureProvider])
export type RcsProviderBody = Static<typeof RcsProviderBody>

const Instant = Type.String({ format: 'date-time' })

/** An agent that messages may be sent with. */
export const RcsProfileResource = Type.Object(
  {
    id: Type.Integer({ description: 'ID of the RCS profile.' }),
    name: Name,
    description: Description,
    agent: AgentId,
    active: Type.Boolean({
      description:
        'False: campaigns with this profile cannot be validated or executed, and no messages are sent with ' + 'it.',
    }),
    country: CountryCode,
    speed: SendingSpeed,
    capability: CapabilityMembers,
    fallback: Type.Union([Fallback, Type.Null()], {
      description:
        'Settings for the SMS that is sent if an RCS message cannot be delivered. Null: messages of this ' +
        'profile cannot fall back.',
    }),
    provider: Type.Union([GoogleProvider, CaptureProvider], { description: 'Provider that delivers the messages.' }),
    webhook: Type.Union([Type.Object({ url: Type.String({ description: 'URL of the webhook.' }) }), Type.Null()], {
      description:
        'Address to register as webhook at RCS Business Messaging. Null for keys and users without the ' +
        'right `admin`.',
    }),
    stamp: Type.Object(
      {
        creation: { ...Instant, description: 'Time of creation, in UTC.' },
        modification: { ...Instant, description: 'Time of the last change, in UTC.' },
      },
      { description: 'Times of creation and of the last change.' },
    ),
  },
  { title: 'RcsProfile' },
)
export type RcsProfileResource = Static<typeof RcsProfileResource>

/** A request: what is absent keeps its value, and what the service sets may come back and is passed over. */
export const RcsProfileBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  agent: Type.Optional(AgentId),
  active: Type.Optional(
    Type.Boolean({
      description:
        'False: campaigns with this profile cannot be validated or executed, and no messages are sent with ' +
        'it. Default: true.',
    }),
  ),
  country: Type.Optional(CountryCode),
  speed: Type.Optional(SendingSpeed),
  capability: Type.Optional(
    Type.Partial(CapabilityMembers, { description: 'Capability checks of phones, before their first message.' }),
  ),
  fallback: Type.Optional(
    nullableSchema(
      Type.Object(
        { type: Fallback.properties.type, sender: Type.Optional(SenderSchema) },
        {
          description:
            'Settings for the SMS that is sent if an RCS message cannot be delivered. Null: messages of this ' +
            'profile cannot fall back.',
        },
      ),
    ),
  ),
  provider: Type.Optional({ ...RcsProviderBody, description: 'Provider that delivers the messages.' }),
  webhook: ignoredMemberSchema,
  stamp: ignoredMemberSchema,
})
export type RcsProfileBody = Static<typeof RcsProfileBody>

export const RcsProfileQuery = Type.Object({
  active: Type.Optional(
    Type.Boolean({ description: 'True: return active profiles only. False: return inactive ones only. Absent: all.' }),
  ),
})

export const PhoneCapabilityQuery = Type.Object({
  phone: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'Phone number in international form, or in the national form of the country of the profile.',
  }),
})

/** Answer of the provider about a phone. */
export const PhoneCapability = Type.Object({
  phone: Type.String({ description: 'Phone number in E.164.' }),
  reachable: Type.Boolean({ description: 'True if the phone can receive RCS messages.' }),
  features: Type.Array(Type.String(), {
    description: 'Capabilities of the phone, as named by RCS Business Messaging, such as `RICHCARD_CAROUSEL`.',
  }),
  checkedAt: { ...Instant, description: 'Time at which the provider was asked, in UTC.' },
})
export type PhoneCapability = Static<typeof PhoneCapability>
