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
  interface FastifyContextConfig {
    /** What the key or the person must be allowed to do. Every route says it, or one of the next three. */
    right?: AccessRight | readonly AccessRight[]
    /** What a person must be allowed to do, where it is less than a key must be: the handler asks for the rest. */
    rightOfPeople?: AccessRight
    /** No key is asked for, and no account is known. */
    public?: boolean
    /** `own`: a person's session is asked for, and no account: what is here is the person's own. */
    session?: 'own'
    /** An operator of the installation is asked for. */
    operator?: boolean
    /**
     * A person may come without naming an account: `optional`, the only one of the person is meant, else none;
     * `installation`, an operator means all of them. Routes without a right say so, too: any key or person may come.
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
    /** Media types of the body beside the JSON ones. */
    accepts?: readonly string[]
    /** The handler reads the body by `arriving`. */
    streams?: boolean
    /** What the audit tells of it, or why it tells nothing. Every route that writes says it. */
    audit?: AuditObjectRule | AuditExemption
  }
  interface FastifyRequest {
    /** The account of the key, or the one that a person names. On a public route reading it is a mistake: it is 0 there, and where no account is known. */
    account: AccountId
    /** What the key or the person may do; null on a public route. */
    rights: readonly AccessRight[] | null
    /** Id of the key, 0 on a public route and for a person. */
    apiKey: number
    /** Who acts; null on a public route, and for a local request without a key. */
    actor: Actor | null
    /** Who is signed in; null for a key. */
    person: RequestUser | null
    /** What is masked in all that this request gets; null where nothing is. */
    masking: PersonalFields | null
    /** Of a route that streams, where there is an Idempotency-Key. */
    streamed: StreamedBody | null
    /** A row of the audit tells what it did. */
    isTold: boolean
  }
  interface FastifyInstance {
    audit: AuditRecorder
    /** Where pages of lists go on: texts that tell nothing. What cannot be read is undefined. */
    cursors: {
      write(request: FastifyRequest, key: unknown): string
      read(request: FastifyRequest, text: string): unknown
    }
  }
}
