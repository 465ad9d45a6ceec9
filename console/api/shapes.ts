import type { paths } from './operations.d.ts'

type Json<R> = R extends { content: { 'application/json': infer T } } ? T : never

/** What an operation answers: `Answer<'/segments', 'get'>`. */
export type ApiAnswer<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends {
  responses: { 200: infer R }
}
  ? Json<R>
  : never

/** What an operation takes. */
export type ApiRequestBody<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends {
  requestBody?: infer B
}
  ? Json<B>
  : never

export type ApiCurrentUser = ApiAnswer<'/me', 'get'>
export type ApiUser = NonNullable<ApiCurrentUser['person']>
export type ApiRight = ApiCurrentUser['rights'][number]
export type ApiSignInState = ApiAnswer<'/auth/sign-in', 'post'>
export type ApiPasskeyResponse = ApiRequestBody<'/auth/passkey', 'post'>['passkey']
