import { type Static, type TSchema, Type } from 'typebox'

const flag = Type.Optional(Type.Boolean())
const int32 = { minimum: -0x80000000, maximum: 0x7fffffff }

const Segmentation = Type.Object({
  type: Type.Literal('segmentation'),
  segmentId: Type.Integer({
    ...int32,
    description: 'a static segment, which the contact of every accepted line joins',
  }),
  emptyExisitingSegment: Type.Optional(
    Type.Boolean({ description: 'true: from the end of the run on they are its only members. Spelled so' }),
  ),
  emptyExistingSegment: flag,
})

const RedList = Type.Object({
  type: Type.Literal('redList'),
  destination: Type.Object({ mail: flag, sms: flag, email: flag }),
})

const Duplicate = Type.Object({
  type: Type.Literal('duplicate'),
  rules: Type.Optional(Type.Object({ first: flag, ignore: flag, last: flag }, { description: 'one of them true' })),
})

const Report = Type.Object({
  type: Type.Literal('report'),
  sendFinalReport: flag,
  sendErrorReport: flag,
  contactGuids: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
  groupIds: Type.Optional(Type.Array(Type.Integer(int32), { maxItems: 1000 })),
})

const Database = Type.Object({ type: Type.Literal('database'), updateExisting: flag, crushData: flag })

const Normalization = Type.Object({
  type: Type.Literal('normalization'),
  fields: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 250 }), {
      description: 'by phone field, the countries tried in order',
    }),
  ),
})

const bodies = [Segmentation, RedList, Duplicate, Report, Database, Normalization]
const type = { type: 'string', enum: bodies.map((body) => body.properties.type.const) }

/** What an import does beside writing contacts, distinguished by `type`. */
export const FeatureBody = Type.Unsafe<Static<(typeof bodies)[number]>>({
  type: 'object',
  required: ['type'],
  // The discriminator alone would not list the types.
  properties: { type },
  discriminator: { propertyName: 'type' },
  oneOf: bodies satisfies TSchema[],
})
export type FeatureBody = Static<typeof FeatureBody>

/** A feature as it is stored and answered: every member with its value. */
export type Feature =
  | { type: 'segmentation'; segmentId: number; emptyExisitingSegment: boolean }
  | { type: 'redList'; destination: { mail: boolean; sms: boolean } }
  | { type: 'duplicate'; rules: { [rule in DuplicateRule]?: true } }
  | {
      type: 'report'
      sendFinalReport: boolean
      sendErrorReport: boolean
      contactGuids: string[]
      groupIds: number[]
    }
  | { type: 'database'; updateExisting: boolean; crushData: boolean }
  | { type: 'normalization'; fields: Record<string, string[]> }

export type DuplicateRule = 'first' | 'ignore' | 'last'

export const Feature = Type.Unsafe<Feature>({
  type: 'object',
  required: ['type'],
  properties: { type },
  additionalProperties: true,
})
