import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { buildTaggedUnion, buildTypeTag } from '../../lib/type-tags.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Name of the application: 1 to 100 characters, unique in the account regardless of case.',
})
const Description = nullableSchema(
  Type.String({ maxLength: 500, description: 'Description of the application, for users. Null: none.' }),
)
const IconUrl = nullableSchema(
  Type.String({ maxLength: 2048, description: 'Address of the icon, `https`. Null: none.' }),
)
const Address = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'URL that the provider calls, starting with its scheme, such as `https://`.',
})

const ApplicationNamedValue = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the route or channel, unique in its list.' }),
  value: Type.Object(
    {
      type: buildTypeTag('literal'),
      value: Type.String({ minLength: 1, maxLength: 2048, description: 'The value.' }),
    },
    { description: 'Value that the app receives.' },
  ),
  default: Type.Boolean({ description: 'True if this is the default of the list; at most one is. Default: false.' }),
})
/** A route or a channel of an application. */
export type ApplicationNamedValue = Static<typeof ApplicationNamedValue>

const NamedValues = (description: string) =>
  nullableSchema(Type.Array(ApplicationNamedValue, { maxItems: 200, description }))
const RouteValues = NamedValues('Places in the app that a tap can open. Null: none.')
const ChannelValues = NamedValues('Channels that a user of the app can mute. Null: none.')

export const deviceIdentifierTypes = ['id', 'unicity', 'hash'] as const
export type DeviceIdentifierType = (typeof deviceIdentifierTypes)[number]
export const deviceProofModes = ['none', 'required'] as const
const DeviceRegistration = Type.Object(
  {
    open: Type.Boolean({
      description: 'True: devices can register themselves. False: their requests are refused. Default: true.',
    }),
    identifiers: Type.Array(Type.Enum([...deviceIdentifierTypes]), {
      uniqueItems: true,
      maxItems: 3,
      description:
        'Ways in which a device can identify its contact. `id`: ID of the contact. `unicity`: values of the unicity ' +
        'fields. `hash`: MD5 hash of the concatenated unicity. Default: all.',
    }),
    proof: Type.Enum([...deviceProofModes], {
      description:
        'Proof that a device must send in `linked.proof` to identify its contact. `none`: no proof. ' +
        '`required`: a proof signed by a server of yours. Default: `none`.',
    }),
    secret: nullableSchema(
      Type.String({
        description:
          'HS256 secret that signs the proofs. Shown once, in the response to the request that generated it; ' +
          'otherwise null.',
      }),
    ),
  },
  { description: 'Rules for the registration of devices.' },
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
          'HS256 secret that signs the proofs. Absent or null: unchanged, or generated if proofs are ' +
          'required and no secret is set.',
      }),
    ),
  }),
)
export type DeviceRegistrationBody = Static<typeof DeviceRegistrationBody>

const WriteOnly = (secretName: string) =>
  Type.Null({ description: `${secretName}. Write-only; always null in responses.` })
const Fingerprint = nullableSchema(
  Type.String({
    description:
      'Fingerprint of the secret: the first 16 hexadecimal digits of its SHA-256. Null: no secret is ' + 'set.',
  }),
)
const SenderId = nullableSchema(
  Type.String({ maxLength: 200, description: 'ID of the Firebase project, if the key does not contain it.' }),
)
const KeyId = Type.String({ pattern: '^[A-Za-z0-9]{1,40}$', description: 'ID of the key at Apple.' })
const BundleId = Type.String({
  pattern: '^[A-Za-z0-9.-]{1,255}$',
  description: 'Bundle ID of the app, sent as `apns-topic`.',
})
export const apnsEnvironments = ['production', 'sandbox'] as const
const ApnsEnvironment = Type.Enum([...apnsEnvironments])
const baseUrlOptions = { description: 'Address that replaces the push service. Absent: the push service is called.' }
const BaseUrl = Type.Optional(Type.String(baseUrlOptions))

const SuspendedSince = Type.Optional(
  Type.String({
    format: 'date-time',
    description:
      'Time since which nothing is sent through this provider because it reported too many devices as ' +
      'gone, in UTC. Absent: not suspended. Activating the application again ends the suspension.',
  }),
)
const SuspendedUntil = Type.Optional(
  Type.String({
    format: 'date-time',
    description:
      'Time until which nothing is sent through this provider because it refuses the credentials, in ' +
      'UTC. Absent: not suspended. New credentials, or activating the application again, end the ' +
      'suspension.',
  }),
)

const FirebaseProvider = Type.Object({
  type: buildTypeTag('firebase'),
  key: WriteOnly('Service account of Google, as JSON'),
  sender: SenderId,
  baseUrl: BaseUrl,
  tokenUrl: BaseUrl,
  fingerprint: Fingerprint,
  restingSince: SuspendedSince,
  restingUntil: SuspendedUntil,
})
const P12Certificate = Type.Object({
  type: buildTypeTag('p12'),
  value: WriteOnly('Content of the file, base64'),
  password: WriteOnly('Password of the file'),
  expiration: nullableSchema(
    Type.String({ format: 'date-time', description: 'Time of expiration of the certificate, in UTC.' }),
  ),
})
const P8Certificate = Type.Object({
  type: buildTypeTag('p8'),
  value: WriteOnly('Signing key as PEM'),
  keyId: KeyId,
  teamId: { ...KeyId, description: 'ID of the team at Apple.' },
})
const ApnsProvider = Type.Object({
  type: buildTypeTag('apns'),
  certificate: Type.Union([P12Certificate, P8Certificate], {
    description: 'Credentials for Apple: a certificate as `p12`, or a key as `p8`.',
  }),
  bundle: BundleId,
  environment: {
    ...ApnsEnvironment,
    description: 'Environment of Apple that the app is registered in. Default: `production`.',
  },
  baseUrl: BaseUrl,
  fingerprint: Fingerprint,
  restingSince: SuspendedSince,
  restingUntil: SuspendedUntil,
})
const HttpProvider = Type.Object({
  type: buildTypeTag('http'),
  url: Address,
  secret: nullableSchema(
    Type.String({
      description:
        'Secret that signs the requests. Shown once, in the response to the request that generated it; ' +
        'otherwise null.',
    }),
  ),
  fingerprint: Fingerprint,
  restingSince: SuspendedSince,
  restingUntil: SuspendedUntil,
})
const WebPushProvider = Type.Object({
  type: buildTypeTag('webpush'),
  publicKey: nullableSchema(
    Type.String({ description: 'VAPID public key, base64url: the `applicationServerKey` of the browser.' }),
  ),
  privateKey: WriteOnly('VAPID private key, base64url'),
  subject: Type.String({ description: 'Contact for the push services: a `mailto:` or `https` address.' }),
  baseUrl: BaseUrl,
  fingerprint: Fingerprint,
  restingSince: SuspendedSince,
  restingUntil: SuspendedUntil,
})

const SecretInput = (maxLength: number, description: string) =>
  Type.Optional(
    nullableSchema(Type.String({ minLength: 1, maxLength, description: `${description} Absent or null: unchanged.` })),
  )
const BaseUrlInput = Type.Optional(nullableSchema({ ...Address, ...baseUrlOptions }))
const FirebaseProviderBody = Type.Object({
  type: FirebaseProvider.properties.type,
  key: Type.Optional(
    Type.Union([Type.String({ maxLength: 20_000 }), Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'Service account of Google, as JSON text or as an object. Absent or null: unchanged.',
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
  type: Type.Enum(['p12', 'p8'], {
    description: 'Form of the credentials. `p12`: a certificate with a password. `p8`: a signing key.',
  }),
  value: SecretInput(100_000, 'Content of the `p12` file in base64, or the `p8` key as PEM or in base64.'),
  password: Type.Optional(nullableSchema(Type.String({ maxLength: 1000, description: 'Password of the `p12` file.' }))),
  expiration: ignoredMemberSchema,
  keyId: Type.Optional(nullableSchema(KeyId)),
  teamId: Type.Optional(nullableSchema({ ...KeyId, description: 'ID of the team at Apple.' })),
})
const ApnsProviderBody = Type.Object({
  type: ApnsProvider.properties.type,
  certificate: Type.Optional({
    ...ApnsCertificateBody,
    description: 'Credentials for Apple: a certificate as `p12`, or a key as `p8`.',
  }),
  bundle: Type.Optional(BundleId),
  environment: Type.Optional({
    ...ApnsEnvironment,
    description: 'Environment of Apple that the app is registered in. Default: `production`.',
  }),
  baseUrl: BaseUrlInput,
  fingerprint: ignoredMemberSchema,
  restingSince: ignoredMemberSchema,
  restingUntil: ignoredMemberSchema,
})
const HttpProviderBody = Type.Object({
  type: HttpProvider.properties.type,
  url: Type.Optional(Address),
  secret: SecretInput(200, 'Secret that signs the requests, `whsec_` and base64; generated if there is none.'),
  fingerprint: ignoredMemberSchema,
  restingSince: ignoredMemberSchema,
  restingUntil: ignoredMemberSchema,
})
const WebPushProviderBody = Type.Object({
  type: WebPushProvider.properties.type,
  publicKey: Type.Optional(
    nullableSchema(
      Type.String({
        maxLength: 200,
        description: 'VAPID public key, base64url; a pair is generated if there is none.',
      }),
    ),
  ),
  privateKey: SecretInput(200, 'VAPID private key, base64url; a pair is generated if there is none.'),
  subject: Type.Optional(
    Type.String({ maxLength: 500, description: 'Contact for the push services: a `mailto:` or `https` address.' }),
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
    id: Type.String({ format: 'uuid', description: 'ID of the application.' }),
    name: Name,
    description: Description,
    active: Type.Boolean({
      description:
        'True if the application is active: messages can be sent to its devices. Changed by activation ' + 'only.',
    }),
    stamp: Type.Object(
      {
        creation: { ...Instant, description: 'Time of creation, in UTC.' },
        modification: { ...Instant, description: 'Time of the last change, in UTC.' },
      },
      { description: 'Times of creation and of the last change.' },
    ),
    icon: IconUrl,
    providers: Type.Array(ProviderResource, {
      description: 'Providers that deliver to the devices, at most one of each type.',
    }),
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
    Type.Array(ProviderBody, {
      maxItems: 4,
      description:
        'Providers that deliver to the devices, at most one of each type; a provider that is left out is ' +
        'removed with its secret. Absent: unchanged.',
    }),
  ),
  routes: NamedValuesInput('Places in the app that a tap can open; the list replaces the previous one. Null: none.'),
  channels: NamedValuesInput(
    'Channels that a user of the app can mute; the list replaces the previous one. Null: none.',
  ),
  registration: Type.Optional({ ...DeviceRegistrationBody, description: 'Rules for the registration of devices.' }),
})
export type ApplicationBody = Static<typeof ApplicationBody>
