import { type Static, Type } from 'typebox'
import { gatewayChannelNames } from '../../gateways/gateway.ts'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

const GatewayChannel = Type.Enum([...gatewayChannelNames])
const GatewayScope = Type.Enum(['account', 'installation'], {
  description:
    'Scope of the gateway. `account`: carries messages of this account. `installation`: carries messages of ' +
    'all accounts without a gateway of their own for the channel.',
})
const Name = Type.String({ minLength: 1, maxLength: 100, description: 'Name of the gateway.' })
const GatewaySettings = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Settings of the gateway, by the schema of its kind in `GET /gateways/kinds`.',
})

export const GatewayKindResource = Type.Object({
  kind: Type.String({ description: 'Kind of the gateway.' }),
  channels: Type.Array(GatewayChannel, { description: 'Channels that the kind can carry.' }),
  settings: nullableSchema(
    Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the settings. Null: none.' }),
  ),
  secrets: nullableSchema(
    Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the secrets. Null: none.' }),
  ),
  callbacks: Type.Boolean({ description: 'True: delivery reports and replies arrive as HTTP requests.' }),
})
export type GatewayKindResource = Static<typeof GatewayKindResource>

const gatewayProperties = {
  id: nullableSchema(
    Type.Integer({ description: 'ID of the gateway. Null: defined by the environment, and not editable here.' }),
  ),
  scope: GatewayScope,
  channel: { ...GatewayChannel, description: 'Channel of the gateway.' },
  name: Name,
  kind: Type.String({ description: 'Kind of the gateway.' }),
  settings: nullableSchema(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Settings with their defaults. Null: a gateway of the installation, whose settings only operators see.',
    }),
  ),
  secrets: Type.Array(Type.String(), {
    description: 'Names of the secrets that are set; their values are never shown.',
  }),
  carries: Type.Boolean({
    description:
      'True: messages of this account on this channel leave through this gateway. Messages of a channel ' +
      'without a gateway are captured.',
  }),
  creationDate: nullableSchema(
    Type.String({ format: 'date-time', description: 'Time of creation, in UTC. Null: defined by the environment.' }),
  ),
}

/** A way out for the messages of a channel. */
export const GatewayResource = Type.Object(gatewayProperties)
export type GatewayResource = Static<typeof GatewayResource>

/** Response to a creation. */
export const CreatedGateway = Type.Object({
  ...gatewayProperties,
  callback: nullableSchema(
    Type.String({
      description:
        'Address for delivery reports and replies of the provider, shown only once. Null: the kind has no callbacks.',
    }),
  ),
})
export type CreatedGateway = Static<typeof CreatedGateway>

const readOnlyProperties = {
  id: ignoredMemberSchema,
  carries: ignoredMemberSchema,
  creationDate: ignoredMemberSchema,
  callback: ignoredMemberSchema,
}

/** Texts by their names. An array is what a reading gave, which names them and says nothing: it is passed over. */
const GatewaySecrets = Type.Unsafe<Record<string, string | null> | string[] | null>({
  type: ['object', 'array', 'null'],
  additionalProperties: { type: ['string', 'null'] },
  items: { type: 'string' },
  description:
    'Secrets by the schema of the kind; stored encrypted and never shown. An array, as in responses, is ' +
    'ignored. Null: removes all secrets.',
})

export const NewGatewayBody = Type.Object({
  kind: Type.String({ minLength: 1, maxLength: 100, description: 'Kind of the gateway.' }),
  channel: Type.Optional(
    nullableSchema({
      ...GatewayChannel,
      description: 'Channel of the gateway. Null or absent: the only channel of the kind, or email.',
    }),
  ),
  name: Type.Optional(nullableSchema(Name)),
  scope: Type.Optional(nullableSchema(GatewayScope)),
  settings: Type.Optional(nullableSchema(GatewaySettings)),
  secrets: Type.Optional(GatewaySecrets),
  ...readOnlyProperties,
})
export type NewGatewayBody = Static<typeof NewGatewayBody>

/** A change: settings and secrets are merged (RFC 7396), so that null takes one away. */
export const GatewayBody = Type.Object({
  kind: Type.Optional(Type.String({ description: 'Kind of the gateway; cannot change.' })),
  channel: Type.Optional(Type.String({ description: 'Channel of the gateway; cannot change.' })),
  scope: Type.Optional(Type.String({ description: 'Scope of the gateway; cannot change.' })),
  name: Type.Optional(Name),
  settings: Type.Optional(nullableSchema(GatewaySettings)),
  secrets: Type.Optional(GatewaySecrets),
  ...readOnlyProperties,
})
export type GatewayBody = Static<typeof GatewayBody>

export const GatewayTestResult = Type.Object({
  ok: Type.Boolean({ description: 'True: the test succeeded.' }),
  detail: Type.String({ description: 'Finding of the test, or its error.' }),
  durationMs: Type.Integer({ description: 'Duration of the test in milliseconds.' }),
})
export type GatewayTestResult = Static<typeof GatewayTestResult>
