import type { paths } from './operations.d.ts'

type JsonContent<R> = R extends { content: { 'application/json': infer T } } ? T : never

/** Answer of an operation: `Answer<'/segments', 'get'>`. */
export type ApiAnswer<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends {
  responses: { 200: infer R }
}
  ? JsonContent<R>
  : never

/** Request body of an operation. */
export type ApiRequestBody<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends {
  requestBody?: infer B
}
  ? JsonContent<B>
  : never

export type ApiCurrentUser = ApiAnswer<'/me', 'get'>
export type ApiUser = NonNullable<ApiCurrentUser['person']>
export type ApiRight = ApiCurrentUser['rights'][number]
export type ApiSignInState = ApiAnswer<'/auth/sign-in', 'post'>
export type ApiPasskeyResponse = ApiRequestBody<'/auth/passkey', 'post'>['passkey']
