import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Problem } from '../../lib/errors/problem.ts'
import type { HttpApp } from '../app-type.ts'
import { serializeBySchema } from './serializing.ts'

/** A strong entity tag (RFC 9110, 8.8.3) of a representation. */
export function computeEntityTag(representation: string | Buffer): string {
  return `"${createHash('sha1').update(representation).digest('base64url')}"`
}

function matchesTag(header: string, tag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag)
}

/** Gives single resources an ETag, and answers 304 to an If-None-Match that names it (RFC 9110, 13.1.2). */
export function registerConditionalRequests(app: HttpApp): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!request.routeOptions.config?.etag || reply.statusCode !== 200) return payload
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    const tag = computeEntityTag(payload)
    reply.header('etag', tag)
    const tagList = request.headers['if-none-match']
    if (!tagList || !['GET', 'HEAD'].includes(request.method) || !matchesTag(tagList, tag)) return payload
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return ''
  })
}

/** Obeys If-Match (RFC 9110, 13.1.1): one of the tags must be named. Throws 412. */
export function requireIfMatch({ headers }: FastifyRequest, tags: readonly string[]): void {
  const ifMatchHeader = headers['if-match']
  if (ifMatchHeader === undefined || tags.some((tag) => matchesTag(ifMatchHeader, tag))) return
  throw new Problem(
    412,
    'precondition-failed',
    'The resource has changed, and its ETag no longer matches. Read it again.',
  )
}

/**
 * Obeys If-Match within the transaction that changes the resource: `readCurrent` gives the current representation after its row was
 * locked. Throws 412 when the tag differs, and whatever `readCurrent` throws.
 */
export async function requirePrecondition(
  request: FastifyRequest,
  schema: TSchema,
  readCurrent: () => Promise<object>,
): Promise<void> {
  if (request.headers['if-match'] === undefined) return
  requireIfMatch(request, [computeEntityTag(serializeBySchema(schema, await readCurrent()))])
}
