import { type Static, Type } from 'typebox'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { Int32Id } from '../resource/action-schemas.ts'

const optionalOrNull = <T extends Parameters<typeof nullableSchema>[0]>(schema: T) =>
  Type.Optional(nullableSchema(schema))

/** A value put in scope under a name. */
export const TemplateVariable = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 255, description: 'Name of the variable.' }),
  value: Type.Unknown({ description: 'Value of the variable.' }),
})

/** Body of a validation: requests a test, or the validation for production, which is also the default without a body. */
export const ActionValidationBody = Type.Object({
  fortest: optionalOrNull(
    Type.Boolean({ description: 'True: run a test. False, null or absent: validate for production.' }),
  ),
  testSegments: optionalOrNull(
    Type.Array(Int32Id, {
      maxItems: 100,
      description:
        'IDs of the test segments (`isTest` true) to send proofs to. Required for a test without `mediaForTest`.',
    }),
  ),
  mediaForTest: optionalOrNull(
    Type.String({
      maxLength: 254,
      description:
        'Email address, or phone number in E.164, that receives all proofs instead of the contacts. Alone: one proof for an empty contact.',
    }),
  ),
  version: optionalOrNull(
    Type.String({
      maxLength: 32,
      description:
        'ID of the version of the experiment to test alone, which leaves the action untested. Absent: proofs of every version.',
    }),
  ),
  textandHtml: optionalOrNull(
    Type.Boolean({
      description:
        'Send two proofs to each contact, one HTML only and one text only. For emails with `contentFormat` 2.',
    }),
  ),
  campaignAnalyser: optionalOrNull(
    Type.Boolean({
      description:
        'Analyse the content as well, such as its size, dead links and a missing unsubscribe link. The results are findings, which never fail a test.',
    }),
  ),
  variables: optionalOrNull(
    Type.Array(TemplateVariable, { maxItems: 1000, description: 'Variables for the templates of the test.' }),
  ),
  comments: optionalOrNull(
    Type.String({ maxLength: 4000, description: 'Comments, stored with the test or validation.' }),
  ),
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
