import type { paths } from './operations.d.ts'

type Json<R> = R extends { content: { 'application/json': infer T } } ? T : never

/** What an operation answers: `Answer<'/segments', 'get'>`. */
export type Answer<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends {
  responses: { 200: infer R }
}
  ? Json<R>
  : never

/** What an operation takes. */
export type Body<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { requestBody?: infer B }
  ? Json<B>
  : never

export type Me = Answer<'/me', 'get'>
export type Person = NonNullable<Me['person']>
export type Right = Me['rights'][number]
export type SignInState = Answer<'/auth/sign-in', 'post'>
export type PasskeyAnswer = Body<'/auth/passkey', 'post'>['passkey']
