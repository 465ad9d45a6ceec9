import { createHash } from 'node:crypto'
import { compileContent } from './compile.ts'
import type { CompiledContent, ContentSource } from './content.ts'

/** Compiled contents by hash of their source (or another key that names one), the least recently used ones let go. */
export interface ContentCache {
  get(key: string): CompiledContent | undefined
  /** Compiles the source, unless the key is known. */
  compile(key: string, source: ContentSource): CompiledContent
}

export function contentCache(limit: number): ContentCache {
  const kept = new Map<string, CompiledContent>()

  function get(key: string): CompiledContent | undefined {
    const found = kept.get(key)
    if (found === undefined) return undefined
    kept.delete(key)
    kept.set(key, found)
    return found
  }

  return {
    get,
    compile(key, source) {
      const known = get(key)
      if (known !== undefined) return known
      const compiled = compileContent(source)
      kept.set(key, compiled)
      for (const oldest of kept.keys()) {
        if (kept.size <= limit) break
        kept.delete(oldest)
      }
      return compiled
    },
  }
}

/** The same for two sources that say the same. */
export function contentKey(source: ContentSource): string {
  return createHash('sha256').update(JSON.stringify(source)).digest('base64url')
}
