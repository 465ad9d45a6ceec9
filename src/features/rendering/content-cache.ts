import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { compileContent } from './compile.ts'
import type { CompiledContent, ContentSource } from './content.ts'

/** Compiled contents by hash of their source (or another key that names one), the least recently used ones let go. */
export interface ContentCache {
  get(key: string): CompiledContent | undefined
  /** Compiles the source, unless the key is known. */
  compile(key: string, source: ContentSource): CompiledContent
}

export function createContentCache(limit: number): ContentCache {
  const kept = new LRUCache<string, CompiledContent>({ max: limit })

  return {
    get: (key) => kept.get(key),
    compile(key, source) {
      const known = kept.get(key)
      if (known !== undefined) return known
      const compiled = compileContent(source)
      kept.set(key, compiled)
      return compiled
    },
  }
}

/** The same for two sources that say the same. */
export function buildContentKey(source: ContentSource): string {
  return createHash('sha256').update(JSON.stringify(source)).digest('base64url')
}
