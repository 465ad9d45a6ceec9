import { isJsonObject } from './objects.ts'

/** A document after a merge patch (RFC 7396): null takes a member away, objects merge, all else replaces. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch
  const result: Record<string, unknown> = isJsonObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = applyMergePatch(result[name], value)
  }
  return result
}
