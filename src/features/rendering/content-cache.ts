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
  const cachedContents = new LRUCache<string, CompiledContent>({ max: limit })

  return {
    get: (key) => cachedContents.get(key),
    compile(key, source) {
      const cachedContent = cachedContents.get(key)
      if (cachedContent !== undefined) return cachedContent
      const compiledContent = compileContent(source)
      cachedContents.set(key, compiledContent)
      return compiledContent
    },
  }
}

/** The same for two sources that say the same. */
export function buildContentKey(source: ContentSource): string {
  return createHash('sha256').update(JSON.stringify(source)).digest('base64url')
}
