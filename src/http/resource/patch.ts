import type { FastifyRequest } from 'fastify'
import { mergePatch } from '../../lib/merge-patch.ts'
import { mediaType } from '../middleware/parsing.ts'
import { jsonPatch } from './json-patch.ts'

export { mergePatch }

/** The document after a PATCH; by media type and form, an array is a JSON Patch and an object a merge patch. */
export function patched(request: FastifyRequest, target: unknown): unknown {
  const isOperations =
    mediaType(request.headers['content-type']) === 'application/json-patch+json' || Array.isArray(request.body)
  return isOperations ? jsonPatch(target, request.body) : mergePatch(target, request.body ?? {})
}
