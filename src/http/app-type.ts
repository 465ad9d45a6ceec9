import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { AccountId, Right } from '../lib/account.ts'
import type { StreamedBody } from './streamed-body.ts'

/** Fastify whose handlers are typed by their schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the key must be allowed to do. Every route has it but the public ones. */
    right?: Right | readonly Right[]
    /** No key is asked for, and no account is known. */
    public?: boolean
    /** On this machine no key is needed; without one, no account is known. */
    local?: boolean
    /** Answers carry an ETag and If-None-Match is obeyed. */
    etag?: boolean
    /** Media types of the body beside the JSON ones. */
    accepts?: readonly string[]
    /** The handler reads the body by `arriving`. */
    streams?: boolean
  }
  interface FastifyRequest {
    /** The account of the key. On a public route reading it is a mistake: it is 0 there, and for a local request without a key. */
    account: AccountId
    /** What the key may do; null on a public route. */
    rights: readonly Right[] | null
    /** Id of the key, 0 on a public route. */
    apiKey: number
    /** Of a route that streams, where there is an Idempotency-Key. */
    streamed: StreamedBody | null
  }
}
