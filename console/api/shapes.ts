import type { Operations } from '../../clients/typescript/src/generated/sdk.gen.ts'
import type { AnswerOf, OptionsOf } from '../../clients/typescript/src/pages.ts'

/** Answer of an operation: `ApiAnswer<'listSegments'>`. */
export type ApiAnswer<Name extends keyof Operations> = AnswerOf<Operations[Name]>

/** Request body of an operation. */
export type ApiRequestBody<Name extends keyof Operations> = NonNullable<OptionsOf<Operations[Name]>['body']>

export type ApiCurrentUser = ApiAnswer<'getMe'>
export type ApiUser = NonNullable<ApiCurrentUser['person']>
export type ApiRight = ApiCurrentUser['rights'][number]
export type ApiSignInState = ApiAnswer<'signIn'>
export type ApiPasskeyResponse = ApiRequestBody<'signInByPasskey'>['passkey']
