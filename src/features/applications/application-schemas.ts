import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { buildTaggedUnion, buildTypeTag } from '../../lib/type-tags.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

const Name = Type.String({ minLength: 1, maxLength: 100, description: 'unique in the account, whatever the case' })
const Description = nullableSchema(Type.String({ maxLength: 500, description: 'words that say what it is for' }))
const IconUrl = nullableSchema(Type.String({ maxLength: 2048, description: 'https address' }))
const Address = Type.String({ minLength: 1, maxLength: 2000, description: 'an address that begins with a scheme' })

const ApplicationNamedValue = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, description: 'unique in its list' }),
  value: Type.Object(
    {
      type: buildTypeTag('literal'),
      value: Type.String({ minLength: 1, maxLength: 2048, description: 'the value itself' }),
    },
    { description: 'the value itself' },
  ),
  default: Type.Boolean({ description: 'at most one in a list' }),
})
/** A route or a channel of an application. */
export type ApplicationNamedValue = Static<typeof ApplicationNamedValue>

const NamedValues = (description: string) =>
  nullableSchema(Type.Array(ApplicationNamedValue, { maxItems: 200, description }))
const RouteValues = NamedValues('places in the app that a tap may lead to; null: never given')
const ChannelValues = NamedValues('channels that a user of the app may mute; null: never given')

export const deviceIdentifierTypes = ['id', 'unicity', 'hash'] as const
export type DeviceIdentifierType = (typeof deviceIdentifierTypes)[number]
export const deviceProofModes = ['none', 'required'] as const
const DeviceRegistration = Type.Object(
  {
    open: Type.Boolean({ description: 'whether the device route takes anything' }),
    identifiers: Type.Array(Type.Enum([...deviceIdentifierTypes]), {
      uniqueItems: true,
      maxItems: 3,
      description: 'by what a device may name its contact',
    }),
    proof: Type.Enum([...deviceProofModes], {
      description:
        'what a device that names its contact proves: nothing, or that a server of yours let it (linked.proof)',
    }),
    secret: nullableSchema(
      Type.String({
        description: 'of HS256, which signs proofs; shown once: in the answer to the request that had it made',
      }),
    ),
  },
  { description: 'how devices register themselves' },
)
export type DeviceRegistration = Static<typeof DeviceRegistration>
const DeviceRegistrationBody = Type.Partial(
  Type.Object({
    ...DeviceRegistration.properties,
    secret: nullableSchema(
      Type.String({
        minLength: 32,
        maxLength: 200,
        description:
          'HS256 secret that signs proofs; absent or null: unchanged, or generated when proofs are required and no secret is set',
      }),
    ),
  }),
)
export type DeviceRegistrationBody = Static<typeof DeviceRegistrationBody>

const WriteOnly = (secretName: string) => Type.Null({ description: `${secretName}: written, never shown` })
const Fingerprint = nullableSchema(Type.String({ description: 'first 16 hex digits of the SHA-256 of the secret' }))
const SenderId = nullableSchema(
  Type.String({ maxLength: 200, description: 'id of the project, where the key names none' }),
)
const KeyId = Type.String({ pattern: '^[A-Za-z0-9]{1,40}$', description: 'id of the key at Apple' })
const BundleId = Type.String({ pattern: '^[A-Za-z0-9.-]{1,255}$', description: 'id of the app: apns-topic' })
export const apnsEnvironments = ['production', 'sandbox'] as const
const ApnsEnvironment = Type.Enum([...apnsEnvironments])
const baseUrlOptions = { description: 'only where another address than that of the push service is called' }
const BaseUrl = Type.Optional(Type.String(baseUrlOptions))

const SuspendedSince = Type.Optional(
  Type.String({
    format: 'date-time',
    description:
      'only while nothing leaves through it, as too many devices were said to be gone; activating the application again ends it',
  }),
)
const SuspendedUntil = Type.Optional(
  Type.String({
    format: 'date-time',
    description:
      'only while its credentials are refused: nothing leaves through it before; new credentials, or activating the application again, end it',
  }),
)

const FirebaseProvider = Type.Object({
  type: buildTypeTag('firebase'),
  key: WriteOnly('JSON of a service account'),
  sender: SenderId,
  baseUrl: BaseUrl,
  tokenUrl: BaseUrl,
  fingerprint: Fingerprint,
  restingSince: SuspendedSince,
  restingUntil: SuspendedUntil,
})
const P12Certificate = Type.Object({
  type: buildTypeTag('p12'),
  value: WriteOnly('base64'),
  password: WriteOnly('that of the file'),
  expiration: nullableSchema(Type.String({ format: 'date-time', description: 'of the certificate' })),
})
const P8Certificate = Type.Object({
  type: buildTypeTag('p8'),
  value: WriteOnly('PEM'),
  keyId: KeyId,
  teamId: { ...KeyId, description: 'id of the team at Apple' },
})
const ApnsProvider = Type.Object({
  type: buildTypeTag('apns'),
  certificate: Type.Union([P12Certificate, P8Certificate], { description: 'a certificate as p12, or a key as p8' }),
  bundle: BundleId,
  environment: { ...ApnsEnvironment, description: 'values that every template of it reads' },
  baseUrl: BaseUrl,
  fingerprint: Fingerprint,
  restingSince: SuspendedSince,
  restingUntil: SuspendedUntil,
})
const HttpProvider = Type.Object({
  type: buildTypeTag('http'),
  url: Address,
  secret: nullableSchema(Type.String({ description: 'shown once: in the answer to the request that had it made' })),
  fingerprint: Fingerprint,
  restingSince: SuspendedSince,
  restingUntil: SuspendedUntil,
})
const WebPushProvider = Type.Object({
  type: buildTypeTag('webpush'),
  publicKey: nullableSchema(Type.String({ description: 'base64url: applicationServerKey of the browser' })),
  privateKey: WriteOnly('base64url'),
  subject: Type.String({ description: 'mailto: or https address of who is responsible' }),
  baseUrl: BaseUrl,
  fingerprint: Fingerprint,
  restingSince: SuspendedSince,
  restingUntil: SuspendedUntil,
})

const SecretInput = (maxLength: number, description: string) =>
  Type.Optional(
    nullableSchema(Type.String({ minLength: 1, maxLength, description: `${description}; absent or null: kept` })),
  )
const BaseUrlInput = Type.Optional(nullableSchema({ ...Address, ...baseUrlOptions }))
const FirebaseProviderBody = Type.Object({
  type: FirebaseProvider.properties.type,
  key: Type.Optional(
    Type.Union([Type.String({ maxLength: 20_000 }), Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'JSON of a service account, as string or object; absent or null: kept',
    }),
  ),
  sender: Type.Optional(SenderId),
  baseUrl: BaseUrlInput,
  tokenUrl: BaseUrlInput,
  fingerprint: ignoredMemberSchema,
  restingSince: ignoredMemberSchema,
  restingUntil: ignoredMemberSchema,
})
const ApnsCertificateBody = Type.Object({
  type: Type.Enum(['p12', 'p8'], { description: 'which of the possible kinds it is' }),
  value: SecretInput(100_000, 'p12: base64 of the file; p8: PEM, or base64 of it'),
  password: Type.Optional(nullableSchema(Type.String({ maxLength: 1000, description: 'of a p12' }))),
  expiration: ignoredMemberSchema,
  keyId: Type.Optional(nullableSchema(KeyId)),
  teamId: Type.Optional(nullableSchema({ ...KeyId, description: 'id of the team at Apple' })),
})
const ApnsProviderBody = Type.Object({
  type: ApnsProvider.properties.type,
  certificate: Type.Optional({ ...ApnsCertificateBody, description: 'a certificate as p12, or a key as p8' }),
  bundle: Type.Optional(BundleId),
  environment: Type.Optional({ ...ApnsEnvironment, description: 'values that every template of it reads' }),
  baseUrl: BaseUrlInput,
  fingerprint: ignoredMemberSchema,
  restingSince: ignoredMemberSchema,
  restingUntil: ignoredMemberSchema,
})
const HttpProviderBody = Type.Object({
  type: HttpProvider.properties.type,
  url: Type.Optional(Address),
  secret: SecretInput(200, 'whsec_ and base64; one is made when there is none'),
  fingerprint: ignoredMemberSchema,
  restingSince: ignoredMemberSchema,
  restingUntil: ignoredMemberSchema,
})
const WebPushProviderBody = Type.Object({
  type: WebPushProvider.properties.type,
  publicKey: Type.Optional(
    nullableSchema(Type.String({ maxLength: 200, description: 'base64url; a pair is made when there is none' })),
  ),
  privateKey: SecretInput(200, 'base64url; a pair is made when there is none'),
  subject: Type.Optional(
    Type.String({ maxLength: 500, description: 'mailto: or https address of who is responsible' }),
  ),
  baseUrl: BaseUrlInput,
  fingerprint: ignoredMemberSchema,
  restingSince: ignoredMemberSchema,
  restingUntil: ignoredMemberSchema,
})

export type FirebaseProviderBody = Static<typeof FirebaseProviderBody>
export type ApnsProviderBody = Static<typeof ApnsProviderBody>
export type ApnsCertificateBody = Static<typeof ApnsCertificateBody>
export type HttpProviderBody = Static<typeof HttpProviderBody>
export type WebPushProviderBody = Static<typeof WebPushProviderBody>
export type PushProviderBody = FirebaseProviderBody | ApnsProviderBody | HttpProviderBody | WebPushProviderBody
export type PushProviderType = PushProviderBody['type']

const ProviderBody = buildTaggedUnion([FirebaseProviderBody, ApnsProviderBody, HttpProviderBody, WebPushProviderBody])

const Instant = Type.String({ format: 'date-time' })
const ApplicationKind = buildTypeTag('native')
const ProviderResource = Type.Union([FirebaseProvider, ApnsProvider, HttpProvider, WebPushProvider])
export type PushProviderResource = Static<typeof ProviderResource>

/** A mobile application, or a site that sends Web Push. */
export const ApplicationResource = Type.Object(
  {
    type: ApplicationKind,
    id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
    name: Name,
    description: Description,
    active: Type.Boolean({ description: 'whether it is in use' }),
    stamp: Type.Object(
      {
        creation: { ...Instant, description: 'when it was made, in UTC' },
        modification: { ...Instant, description: 'when it was changed last, in UTC' },
      },
      { description: 'when it was made and changed last' },
    ),
    icon: IconUrl,
    providers: Type.Array(ProviderResource, { description: 'at most one of each type' }),
    routes: RouteValues,
    channels: ChannelValues,
    registration: DeviceRegistration,
  },
  { title: 'Application' },
)
export type ApplicationResource = Static<typeof ApplicationResource>

const NamedValueInput = Type.Object({
  ...ApplicationNamedValue.properties,
  default: Type.Optional(ApplicationNamedValue.properties.default),
})
export type ApplicationValueBody = Static<typeof NamedValueInput>
const NamedValuesInput = (description: string) =>
  Type.Optional(nullableSchema(Type.Array(NamedValueInput, { maxItems: 200, description })))

/** A request: what is absent keeps its value, and what the service sets may come back and is passed over. */
export const ApplicationBody = Type.Object({
  type: Type.Optional(ApplicationKind),
  id: ignoredMemberSchema,
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  active: ignoredMemberSchema,
  stamp: ignoredMemberSchema,
  icon: Type.Optional(IconUrl),
  providers: Type.Optional(
    Type.Array(ProviderBody, { maxItems: 4, description: 'at most one of each type; one that is left out is removed' }),
  ),
  routes: NamedValuesInput('places in the app that a tap may lead to'),
  channels: NamedValuesInput('channels that a user of the app may mute'),
  registration: Type.Optional({ ...DeviceRegistrationBody, description: 'how devices register themselves' }),
})
export type ApplicationBody = Static<typeof ApplicationBody>
