import type { FastifyRequest } from 'fastify'
import { applyMergePatch } from '../../lib/merge-patch.ts'
import { parseBareMediaType } from '../middleware/parsing.ts'
import { applyJsonPatch } from './json-patch.ts'

export { applyMergePatch }

/** The document after a PATCH; by media type and form, an array is a JSON Patch and an object a merge patch. */
export function applyRequestPatch(request: FastifyRequest, target: unknown): unknown {
  const isOperations =
    parseBareMediaType(request.headers['content-type']) === 'application/json-patch+json' || Array.isArray(request.body)
  return isOperations ? applyJsonPatch(target, request.body) : applyMergePatch(target, request.body ?? {})
}
