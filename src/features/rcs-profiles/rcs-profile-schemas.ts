import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { buildTaggedUnion, buildTypeTag } from '../../lib/type-tags.ts'
import { nullableSchema, SmsSenderName } from '../accounts/sending-settings-schemas.ts'

const Name = Type.String({ minLength: 1, maxLength: 100, description: 'unique in the account, whatever the case' })
const Description = nullableSchema(Type.String({ maxLength: 500, description: 'words that say what it is for' }))
const AgentId = Type.String({ pattern: '^[A-Za-z0-9_.@-]{1,200}$', description: 'id of the RBM agent' })
const CountryCode = Type.String({
  maxLength: 3,
  description: "ISO 3166-1 alpha-3, the account's by default: how national numbers are read",
})
const SendingSpeed = Type.Integer({
  minimum: 0,
  maximum: 5000,
  description: 'messages handed over a second, 100 by default; 0: no limit',
})

const CapabilityMembers = Type.Object(
  {
    check: Type.Boolean({ description: 'whether the provider is asked about a phone before its first message' }),
    cacheHours: Type.Integer({ minimum: 0, maximum: 720, description: 'how long its answer is kept, 24 by default' }),
  },
  { description: 'whether phones are asked what they can show' },
)
export type RcsCapabilitySettings = Static<typeof CapabilityMembers>

const SenderSchema = nullableSchema(SmsSenderName)
const Fallback = Type.Object(
  { type: buildTypeTag('sms'), sender: SenderSchema },
  { description: 'sender null: that of the default SMS profile. null: no action of this profile may fall back' },
)
export type RcsProfileFallback = Static<typeof Fallback>

export const googleRcsRegions = ['us', 'europe', 'asia'] as const
const GoogleRegion = nullableSchema(
  Type.Enum([...googleRcsRegions], { description: 'of the host; null: the global one' }),
)
const HttpsUrl = nullableSchema(
  Type.String({ minLength: 1, maxLength: 2000, description: "replaces Google's; https and a public address" }),
)

/** Provider settings for messages of a profile, without its secrets. */
const GoogleRcsSettings = Type.Object({ region: GoogleRegion, baseUrl: HttpsUrl, tokenUrl: HttpsUrl })
export type GoogleRcsSettings = Static<typeof GoogleRcsSettings>

const GoogleProvider = Type.Object({
  type: buildTypeTag('google-rbm'),
  ...GoogleRcsSettings.properties,
  credentials: Type.Null({ description: 'written, never shown' }),
  fingerprint: Type.Union([Type.String(), Type.Null()], {
    description: 'first 16 hex digits of the SHA-256 of client_email, a line feed, private_key',
  }),
  clientToken: Type.Null({ description: 'written, never shown' }),
  clientTokenSet: Type.Boolean({ description: 'whether there is a clientToken' }),
})
const CaptureProvider = Type.Object({
  type: buildTypeTag('capture'),
})

const GoogleProviderBody = Type.Object({
  type: GoogleProvider.properties.type,
  ...Type.Partial(GoogleRcsSettings).properties,
  credentials: Type.Optional(
    Type.Union([Type.String({ maxLength: 20_000 }), Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'JSON of a service account, as object or string; absent or null: kept',
    }),
  ),
  clientToken: Type.Optional(
    nullableSchema(
      Type.String({ minLength: 1, maxLength: 200, description: 'that of the webhook; absent or null: kept' }),
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
    id: Type.Integer({ description: 'what names it in this account' }),
    name: Name,
    description: Description,
    agent: AgentId,
    active: Type.Boolean({ description: 'false: nothing is validated, executed or handed over with it' }),
    country: CountryCode,
    speed: SendingSpeed,
    capability: CapabilityMembers,
    fallback: Type.Union([Fallback, Type.Null()], { description: 'the SMS that goes out instead' }),
    provider: Type.Union([GoogleProvider, CaptureProvider], { description: 'who carries it' }),
    webhook: Type.Union(
      [Type.Object({ url: Type.String({ description: 'an address that begins with a scheme' }) }), Type.Null()],
      {
        description: 'the address to give to RBM; null for keys without the right admin',
      },
    ),
    stamp: Type.Object(
      {
        creation: { ...Instant, description: 'when it was made, in UTC' },
        modification: { ...Instant, description: 'when it was changed last, in UTC' },
      },
      { description: 'when it was made and changed last' },
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
  active: Type.Optional(Type.Boolean({ description: 'whether it is in use' })),
  country: Type.Optional(CountryCode),
  speed: Type.Optional(SendingSpeed),
  capability: Type.Optional(
    Type.Partial(CapabilityMembers, { description: 'whether phones are asked what they can show' }),
  ),
  fallback: Type.Optional(
    nullableSchema(
      Type.Object(
        { type: Fallback.properties.type, sender: Type.Optional(SenderSchema) },
        { description: 'the SMS that goes out instead' },
      ),
    ),
  ),
  provider: Type.Optional({ ...RcsProviderBody, description: 'who carries it' }),
  webhook: ignoredMemberSchema,
  stamp: ignoredMemberSchema,
})
export type RcsProfileBody = Static<typeof RcsProfileBody>

export const RcsProfileQuery = Type.Object({
  active: Type.Optional(Type.Boolean({ description: 'only those that are active, or are not' })),
})

export const PhoneCapabilityQuery = Type.Object({
  phone: Type.String({
    minLength: 1,
    maxLength: 40,
    description: "in international form, or in the national one of the profile's country",
  }),
})

/** Answer of the provider about a phone. */
export const PhoneCapability = Type.Object({
  phone: Type.String({ description: 'E.164' }),
  reachable: Type.Boolean({ description: 'whether it can get RCS messages' }),
  features: Type.Array(Type.String(), { description: 'words of RBM, such as RICHCARD_CAROUSEL' }),
  checkedAt: { ...Instant, description: 'when the provider was asked, in UTC' },
})
export type PhoneCapability = Static<typeof PhoneCapability>
