import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { buildTypeTag } from '../../lib/type-tags.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { Footprint } from '../contacts/records/identification-schemas.ts'

const Uuid = Type.String({ format: 'uuid' })
const Instant = Type.String({ format: 'date-time' })
const Authorship = Type.Object(
  {
    date: { ...Instant, description: 'when it happened, in UTC' },
    user: Type.Union(
      [
        Type.Object({
          id: Type.Integer({ description: 'what names it in this account' }),
          name: Type.String({ description: 'the name that people give it' }),
        }),
        Type.Null(),
      ],
      {
        description: 'the API key; null: the device itself',
      },
    ),
  },
  { description: 'when, and by whom' },
)
const protocolOptions = { description: 'free text of the app, such as a version; at most 20 characters' }
export const pushProviderTypes = ['firebase', 'apns', 'http', 'webpush'] as const
const TokenAddress = Type.Object({
  type: Type.Enum(['firebase', 'apns', 'http'], { description: 'which of the possible kinds it is' }),
  token: Type.String({ description: '1 to 4,096 characters; of apns hex, in lower case' }),
})
const BrowserAddress = Type.Object({
  type: buildTypeTag('webpush'),
  endpoint: Type.String({ description: 'address at the push service of the browser' }),
  keys: Type.Object(
    {
      p256dh: Type.String({ description: 'its public key, base64url' }),
      auth: Type.String({ description: 'its secret, base64url' }),
    },
    { description: 'keys of the browser' },
  ),
})

/** One installation of an application. */
export const SubscriptionResource = Type.Object(
  {
    id: { ...Uuid, description: 'what names it in this account' },
    application: { ...Uuid, description: 'id of the application' },
    provider: Type.Union([TokenAddress, BrowserAddress], { description: 'who carries it' }),
    contact: Type.Union([Footprint, Type.Null()], { description: 'the contact, by its id' }),
    culture: Type.Union([Type.String(), Type.Null()], {
      description: 'the language and country that texts are made for',
    }),
    protocol: Type.Union([Type.String(protocolOptions), Type.Null()]),
    muted: Type.Union(
      [
        Type.Object({
          global: Type.Boolean({ description: 'whether nothing at all is wanted' }),
          channels: Type.Array(nullableSchema(Type.String()), { description: "null: the app's own default channel" }),
        }),
        Type.Null(),
      ],
      { description: 'what the user of the device does not want; null: nothing' },
    ),
    lifecycle: Type.Object(
      { creation: Authorship, modification: Type.Optional(Authorship) },
      { description: 'when it was made and changed, and by whom' },
    ),
  },
  { title: 'Subscription' },
)
export type SubscriptionResource = Static<typeof SubscriptionResource>

const TextInput = Type.Optional(nullableSchema(Type.String()))
const ProviderInput = Type.Object({
  type: Type.Enum([...pushProviderTypes], { description: 'which of the possible kinds it is' }),
  token: Type.Optional(Type.String({ description: 'a text that stands for a right; keep it secret' })),
  endpoint: Type.Optional(Type.String({ description: 'of webpush, https on a listed push host' })),
  keys: Type.Optional(
    Type.Object(
      {
        p256dh: Type.Optional(Type.String({ description: 'its public key, base64url' })),
        auth: Type.Optional(Type.String({ description: 'its secret, base64url' })),
      },
      { description: 'keys of the browser' },
    ),
  ),
})
const ContactInput = Type.Object({
  type: Type.Enum(['id', 'unicity', 'hash', 'footprint'], { description: 'which of the possible kinds it is' }),
  value: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description: 'the value itself' })),
  id: Type.Optional(Type.String({ description: 'what names it in this account' })),
  unicity: ignoredMemberSchema,
  hash: ignoredMemberSchema,
})

/** A request, in the words of the interface or in those of installed apps (`gateway`, `linked`). */
export const SubscriptionBody = Type.Object({
  id: Type.Optional(nullableSchema(Type.String({ description: 'of the installation; made when absent' }))),
  application: Type.String({ description: 'id of the application' }),
  provider: Type.Optional({ ...ProviderInput, description: 'who carries it' }),
  gateway: Type.Optional({ ...ProviderInput, description: 'read as provider' }),
  contact: Type.Optional(Type.Union([ContactInput, Type.Null()], { description: 'absent: kept; null: detached' })),
  linked: Type.Optional(
    Type.Union([ContactInput, Type.Null()], { description: 'read as contact; null, or with an empty value: absent' }),
  ),
  culture: Type.Optional({ ...TextInput, description: 'the language and country that texts are made for' }),
  protocol: Type.Optional(nullableSchema(Type.String(protocolOptions))),
  muted: ignoredMemberSchema,
  lifecycle: ignoredMemberSchema,
})
export type SubscriptionBody = Static<typeof SubscriptionBody>

/** `?unicity=` or `?hash=`. */
export const SubscriptionContactQuery = Type.Object({
  unicity: Type.Optional(Type.String({ description: 'the joined unicity values' })),
  hash: Type.Optional(Type.String({ description: '32 hexadecimal digits' })),
})
