import { type Static, Type } from 'typebox'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { Int32Id } from '../resource/action-schemas.ts'

const optionalOrNull = <T extends Parameters<typeof nullableSchema>[0]>(schema: T) =>
  Type.Optional(nullableSchema(schema))

/** A value put in scope under a name. */
export const TemplateVariable = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 255, description: 'the name of the entry' }),
  value: Type.Unknown({ description: 'the value itself' }),
})

/** Body of a validation: requests a test, or the validation for production, which is also the default without a body. */
export const ActionValidationBody = Type.Object({
  fortest: optionalOrNull(Type.Boolean({ description: 'true: a test; else validation for production' })),
  testSegments: optionalOrNull(Type.Array(Int32Id, { maxItems: 100, description: 'segments with isTest true' })),
  mediaForTest: optionalOrNull(
    Type.String({ maxLength: 254, description: 'receives all proofs instead of the contacts' }),
  ),
  version: optionalOrNull(
    Type.String({
      maxLength: 32,
      description:
        'of the experiment: proofs of this version alone, which does not make the action tested; absent: of each',
    }),
  ),
  textandHtml: optionalOrNull(Type.Boolean({ description: 'two proofs a contact: HTML alone, text alone' })),
  campaignAnalyser: optionalOrNull(Type.Boolean({ description: 'also look for what is unwise' })),
  variables: optionalOrNull(
    Type.Array(TemplateVariable, { maxItems: 1000, description: 'values that templates and scripts read by name' }),
  ),
  comments: optionalOrNull(Type.String({ maxLength: 4000, description: 'words kept with the validation' })),
})
export type ActionValidationBody = Static<typeof ActionValidationBody>

/** Problem types that say why an action cannot be validated, tested or sent. */
export const ACTION_NOT_READY_KINDS =
  'action-state action-incomplete action-not-ready field-missing test-too-large profile-without-credentials ' +
  'segment-missing segment-expired segment-not-test start-missing start-past end-past consent-field-missing ' +
  'topic-missing experiment-too-slow'

/** Problem types of the operations that validate, pause and resume by status. */
export const actionValidationRefusals = {
  403: 'approval-required',
  409: `${ACTION_NOT_READY_KINDS} approval-waiting`,
  410: 'gone',
}
