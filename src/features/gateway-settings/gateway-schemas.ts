import { type Static, Type } from 'typebox'
import { gatewayChannelNames } from '../../gateways/gateway.ts'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

const GatewayChannel = Type.Enum([...gatewayChannelNames])
const GatewayScope = Type.Enum(['account', 'installation'], {
  description: 'installation: it carries for every account that has none of its own for the channel',
})
const Name = Type.String({ minLength: 1, maxLength: 100, description: 'the name that people give it' })
const GatewaySettings = Type.Record(Type.String(), Type.Unknown(), {
  description: 'by the schema of its kind: GET /gateways/kinds',
})

export const GatewayKindResource = Type.Object({
  kind: Type.String({ description: 'what kind of thing it is' }),
  channels: Type.Array(GatewayChannel, { description: 'the channels that it is for' }),
  settings: nullableSchema(
    Type.Object({}, { additionalProperties: true, description: 'JSON Schema; null: it has none' }),
  ),
  secrets: nullableSchema(
    Type.Object({}, { additionalProperties: true, description: 'JSON Schema; null: it has none' }),
  ),
  callbacks: Type.Boolean({ description: 'whether its receipts and replies come as HTTP requests' }),
})
export type GatewayKindResource = Static<typeof GatewayKindResource>

const gatewayProperties = {
  id: nullableSchema(Type.Integer({ description: 'null: of the environment, which alone changes it' })),
  scope: GatewayScope,
  channel: { ...GatewayChannel, description: 'the channel that it is sent by' },
  name: Name,
  kind: Type.String({ description: 'what kind of thing it is' }),
  settings: nullableSchema(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'with its defaults; null: those of the installation are shown to operators alone',
    }),
  ),
  secrets: Type.Array(Type.String(), { description: 'the names of those that are set; what they are is never shown' }),
  carries: Type.Boolean({
    description: 'messages of this account leave by it; a channel that no gateway carries is captured',
  }),
  creationDate: nullableSchema(Type.String({ format: 'date-time', description: 'when it was made, in UTC' })),
}

/** A way out for the messages of a channel. */
export const GatewayResource = Type.Object(gatewayProperties)
export type GatewayResource = Static<typeof GatewayResource>

/** Response to a creation. */
export const CreatedGateway = Type.Object({
  ...gatewayProperties,
  callback: nullableSchema(
    Type.String({ description: 'where its receipts and replies are to be sent; shown here alone' }),
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
  description: 'by the schema of its kind; sealed, and never shown',
})

export const NewGatewayBody = Type.Object({
  kind: Type.String({ minLength: 1, maxLength: 100, description: 'what kind of thing it is' }),
  channel: Type.Optional(nullableSchema({ ...GatewayChannel, description: 'the channel that it is sent by' })),
  name: Type.Optional(nullableSchema(Name)),
  scope: Type.Optional(nullableSchema(GatewayScope)),
  settings: Type.Optional(nullableSchema(GatewaySettings)),
  secrets: Type.Optional(GatewaySecrets),
  ...readOnlyProperties,
})
export type NewGatewayBody = Static<typeof NewGatewayBody>

/** A change: settings and secrets are merged (RFC 7396), so that null takes one away. */
export const GatewayBody = Type.Object({
  kind: Type.Optional(Type.String({ description: 'not to be changed' })),
  channel: Type.Optional(Type.String({ description: 'not to be changed' })),
  scope: Type.Optional(Type.String({ description: 'not to be changed' })),
  name: Type.Optional(Name),
  settings: Type.Optional(nullableSchema(GatewaySettings)),
  secrets: Type.Optional(GatewaySecrets),
  ...readOnlyProperties,
})
export type GatewayBody = Static<typeof GatewayBody>

export const GatewayTestResult = Type.Object({
  ok: Type.Boolean({ description: 'whether it went well' }),
  detail: Type.String({ description: 'what was found, or what is wrong' }),
  durationMs: Type.Integer({ description: 'how long it took, in milliseconds' }),
})
export type GatewayTestResult = Static<typeof GatewayTestResult>
