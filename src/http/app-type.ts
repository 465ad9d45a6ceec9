import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { AccessRight, AccountId, Actor, RequestUser } from '../lib/account.ts'
import type { PersonalFields } from '../lib/text/masking.ts'
import type { OperationNotes } from './openapi/document.ts'
import type { AuditExemption, AuditObjectRule, AuditRecorder } from './resource/audit-types.ts'
import type { StreamedBody } from './streamed-body.ts'

/** Fastify whose handlers are typed by their schemas. */
export type HttpApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifySchema extends OperationNotes {}
  interface FastifyContextConfig {
    /** The right that the key or the person needs. Every route declares it or one of the next three members. */
    right?: AccessRight | readonly AccessRight[]
    /** The right that a person needs, if it is less than that of a key: the handler checks the rest. */
    rightOfPeople?: AccessRight
    /** No key is asked for, and no account is known. */
    public?: boolean
    /** `own`: a person's session is asked for, and no account: what is here is the person's own. */
    session?: 'own'
    /** An operator of the installation is asked for. */
    operator?: boolean
    /**
     * A person may send the request without naming an account. `optional`: the only account of the person is used, otherwise none.
     * `installation`: for an operator it means all accounts. Routes without a right declare it as well: any key or person may use them.
     */
    account?: 'optional' | 'installation'
    /** A key may also come as `Authorization: Bearer`. */
    bearer?: boolean
    /** A GET that starts something: with a session it must come from a page of ours. */
    starts?: boolean
    /** On this machine no key is needed; without one, no account is known. */
    local?: boolean
    /** Its answer shows addresses and numbers whatever is masked: refused to people who see masked values. */
    revealing?: boolean
    /** Answers carry an ETag and If-None-Match is obeyed. */
    etag?: boolean
    /** Media types of the body in addition to the JSON ones. */
    accepts?: readonly string[]
    /** The handler reads the body by `arriving`. */
    streams?: boolean
    /** The audit rule of the route, or the reason why it is exempt. Every route that writes declares it. */
    audit?: AuditObjectRule | AuditExemption
  }
  interface FastifyRequest {
    /** The account of the key, or the one that a person names. On a public route reading it is a mistake: it is 0 there, and where no account is known. */
    account: AccountId
    /** The rights of the key or the person; null on a public route. */
    rights: readonly AccessRight[] | null
    /** Id of the key, 0 on a public route and for a person. */
    apiKey: number
    /** The actor; null on a public route, and for a local request without a key. */
    actor: Actor | null
    /** The signed-in user; null for a key. */
    person: RequestUser | null
    /** The fields that are masked in every answer to this request; null if nothing is masked. */
    masking: PersonalFields | null
    /** The body on a streaming route if the request has an Idempotency-Key. */
    streamed: StreamedBody | null
    /** True if an audit row records the effect of the request. */
    isTold: boolean
  }
  interface FastifyInstance {
    audit: AuditRecorder
    /** Cursors of lists: opaque texts that reveal nothing. An unreadable cursor is undefined. */
    cursors: {
      write(request: FastifyRequest, key: unknown): string
      read(request: FastifyRequest, text: string): unknown
    }
  }
}
