import { type Static, Type } from 'typebox'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { Int32Id } from '../resource/action-schemas.ts'

const optional = <T extends Parameters<typeof nullableSchema>[0]>(schema: T) => Type.Optional(nullableSchema(schema))

/** A value put in scope under a name. */
export const TemplateVariable = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 255 }),
  value: Type.Unknown(),
})

/** What a validation asks for: a test, or the validation for production. No body asks for the latter. */
export const ActionValidationBody = Type.Object({
  fortest: optional(Type.Boolean({ description: 'true: a test; else validation for production' })),
  testSegments: optional(Type.Array(Int32Id, { maxItems: 100, description: 'segments with isTest true' })),
  mediaForTest: optional(Type.String({ maxLength: 254, description: 'receives all proofs instead of the contacts' })),
  version: optional(
    Type.String({
      maxLength: 32,
      description:
        'of the experiment: proofs of this version alone, which does not make the action tested; absent: of each',
    }),
  ),
  textandHtml: optional(Type.Boolean({ description: 'two proofs a contact: HTML alone, text alone' })),
  campaignAnalyser: optional(Type.Boolean({ description: 'also look for what is unwise' })),
  variables: optional(Type.Array(TemplateVariable, { maxItems: 1000 })),
  comments: optional(Type.String({ maxLength: 4000 })),
})
export type ActionValidationBody = Static<typeof ActionValidationBody>
