import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { buildTypeTag } from '../../lib/type-tags.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { Footprint } from '../contacts/records/identification-schemas.ts'

const Uuid = Type.String({ format: 'uuid' })
const Instant = Type.String({ format: 'date-time' })
const Authorship = Type.Object(
  {
    date: { ...Instant, description: 'Time of the event, in UTC.' },
    user: Type.Union(
      [
        Type.Object({
          id: Type.Integer({ description: 'ID of the API key.' }),
          name: Type.String({ description: 'Name of the API key.' }),
        }),
        Type.Null(),
      ],
      {
        description: 'API key that made the request. Null: a device or a user.',
      },
    ),
  },
  { description: 'Time and author.' },
)
const protocolOptions = { description: 'Free text of the app, such as a protocol version; at most 20 characters.' }
export const pushProviderTypes = ['firebase', 'apns', 'http', 'webpush'] as const
const TokenAddress = Type.Object({
  type: Type.Enum(['firebase', 'apns', 'http'], {
    description:
      'Type of the provider. `firebase`: Firebase Cloud Messaging. `apns`: Apple push notifications. ' +
      '`http`: a server of your own.',
  }),
  token: Type.String({
    description: 'Token of the device, 1 to 4,096 characters; for `apns`, lower-case hexadecimal.',
  }),
})
const BrowserAddress = Type.Object({
  type: buildTypeTag('webpush'),
  endpoint: Type.String({ description: 'Address of the browser at its push service.' }),
  keys: Type.Object(
    {
      p256dh: Type.String({ description: 'Public key of the browser, base64url.' }),
      auth: Type.String({ description: 'Authentication secret of the browser, base64url.' }),
    },
    { description: 'Keys of the browser, for encryption.' },
  ),
})

/** One installation of an application. */
export const SubscriptionResource = Type.Object(
  {
    id: { ...Uuid, description: 'ID of the subscription.' },
    application: { ...Uuid, description: 'ID of the application.' },
    provider: Type.Union([TokenAddress, BrowserAddress], {
      description: 'Provider that delivers to the device, with the address of the device there.',
    }),
    contact: Type.Union([Footprint, Type.Null()], { description: 'Contact that uses the device. Null: none.' }),
    culture: Type.Union([Type.String(), Type.Null()], {
      description:
        'Language, with an optional country, of the device, such as `fr` or `fr_FR`; free text. Null: ' + 'unknown.',
    }),
    protocol: Type.Union([Type.String(protocolOptions), Type.Null()]),
    muted: Type.Union(
      [
        Type.Object({
          global: Type.Boolean({ description: 'True if the user of the device has muted all messages.' }),
          channels: Type.Array(nullableSchema(Type.String()), {
            description: 'Muted channels of the application; null in the list means the default channel of the app.',
          }),
        }),
        Type.Null(),
      ],
      {
        description:
          'Messages that the user of the device has muted. Null: none. Registering the device again unmutes ' + 'it.',
      },
    ),
    lifecycle: Type.Object(
      { creation: Authorship, modification: Type.Optional(Authorship) },
      { description: 'Creation and last change.' },
    ),
  },
  { title: 'Subscription' },
)
export type SubscriptionResource = Static<typeof SubscriptionResource>

const TextInput = Type.Optional(nullableSchema(Type.String()))
const ProviderInput = Type.Object({
  type: Type.Enum([...pushProviderTypes], {
    description:
      'Type of the provider. `firebase`: Firebase Cloud Messaging. `apns`: Apple push notifications. ' +
      '`http`: a server of your own. `webpush`: the push service of a browser.',
  }),
  token: Type.Optional(
    Type.String({
      description:
        'Token of the device, 1 to 4,096 characters; hexadecimal for `apns`. Required except for ' + '`webpush`.',
    }),
  ),
  endpoint: Type.Optional(
    Type.String({
      description:
        'Address of the browser at its push service: `https`, on a push host that the installation allows. ' +
        'Only for `webpush`.',
    }),
  ),
  keys: Type.Optional(
    Type.Object(
      {
        p256dh: Type.Optional(Type.String({ description: 'Public key of the browser, base64url.' })),
        auth: Type.Optional(Type.String({ description: 'Authentication secret of the browser, base64url.' })),
      },
      { description: 'Keys of the browser, for encryption.' },
    ),
  ),
})
const ContactInput = Type.Object({
  type: Type.Enum(['id', 'unicity', 'hash', 'footprint'], {
    description: 'Way of identifying the contact. `footprint`: a contact as it is returned, identified by `id`.',
  }),
  value: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description:
        'ID, unicity or hash of the contact; a unicity as one string or as an array with one string per ' +
        'unicity field.',
    }),
  ),
  id: Type.Optional(Type.String({ description: 'ID of the contact, for `footprint`.' })),
  unicity: ignoredMemberSchema,
  hash: ignoredMemberSchema,
})

/** A request, in the words of the interface or in those of installed apps (`gateway`, `linked`). */
export const SubscriptionBody = Type.Object({
  id: Type.Optional(
    nullableSchema(
      Type.String({ description: 'ID of the subscription: that of the installation of the app. Absent: generated.' }),
    ),
  ),
  application: Type.String({ description: 'ID of the application. Cannot change.' }),
  provider: Type.Optional({
    ...ProviderInput,
    description: 'Provider that delivers to the device, with the address of the device there.',
  }),
  gateway: Type.Optional({ ...ProviderInput, description: 'Same as `provider`.' }),
  contact: Type.Optional(
    Type.Union([ContactInput, Type.Null()], {
      description: 'Contact that uses the device. Absent: unchanged. Null: the device is detached from its contact.',
    }),
  ),
  linked: Type.Optional(
    Type.Union([ContactInput, Type.Null()], {
      description: 'Same as `contact`, except that null or an empty value means unchanged.',
    }),
  ),
  culture: Type.Optional({
    ...TextInput,
    description:
      'Language, with an optional country, of the device, such as `fr` or `fr_FR`; free text. Null: ' + 'unknown.',
  }),
  protocol: Type.Optional(nullableSchema(Type.String(protocolOptions))),
  muted: ignoredMemberSchema,
  lifecycle: ignoredMemberSchema,
})
export type SubscriptionBody = Static<typeof SubscriptionBody>

const DeviceContactInput = Type.Object({
  type: Type.Enum(['id', 'unicity', 'hash'], { description: 'Way of identifying the contact.' }),
  value: Type.Union([Type.String(), Type.Array(Type.String())], {
    description:
      'ID, unicity or hash of the contact; a unicity as one string or as an array with one string per unicity field. ' +
      'Empty: the contact is unchanged.',
  }),
  proof: Type.Optional(
    Type.String({ description: 'Token with which the app proves that the device belongs to the contact.' }),
  ),
})

/** The request of an installed app; null means absent. The handler reads it itself. */
export const DeviceSubscriptionBody = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the installation of the app.' }),
  application: Type.String({ format: 'uuid', description: 'ID of the application. Cannot change.' }),
  provider: Type.Optional(
    nullableSchema({
      ...ProviderInput,
      description: 'Provider that delivers to the device, with the address of the device there.',
    }),
  ),
  gateway: Type.Optional(nullableSchema({ ...ProviderInput, description: 'Same as `provider`.' })),
  contact: Type.Optional(
    nullableSchema({ ...DeviceContactInput, description: 'Contact that uses the device. Absent or null: unchanged.' }),
  ),
  linked: Type.Optional(nullableSchema({ ...DeviceContactInput, description: 'Same as `contact`.' })),
  detach: Type.Optional(
    nullableSchema(Type.Boolean({ description: 'True: the device is detached from its contact, as at a logout.' })),
  ),
  culture: Type.Optional({
    ...nullableSchema(Type.String({ maxLength: 35 })),
    description: 'Language, with an optional country, of the device, such as `fr` or `fr_FR`; free text.',
  }),
  protocol: Type.Optional(nullableSchema(Type.String({ ...protocolOptions, maxLength: 20 }))),
})

/** A report of an installed app. */
export const DeviceTelemetryBody = Type.Object(
  {
    type: Type.Optional(Type.String({ description: 'Type of the report, by which reports are counted.' })),
    error: Type.Optional(Type.Unknown({ description: 'Any JSON. Without `type`, the report counts as an error.' })),
  },
  { additionalProperties: true, description: 'Report of an app; its other members are ignored.' },
)

/** `?unicity=` or `?hash=`. */
export const SubscriptionContactQuery = Type.Object({
  unicity: Type.Optional(
    Type.String({ description: 'Concatenated unicity of the contact. Give either `unicity` or `hash`.' }),
  ),
  hash: Type.Optional(
    Type.String({ description: 'Hash of the contact, 32 hexadecimal digits. Give either `unicity` or `hash`.' }),
  ),
})
