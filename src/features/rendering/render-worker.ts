import { parentPort } from 'node:worker_threads'
import type { CompiledContent, ContentReport, ContentSource } from './content.ts'
import { createContentCache } from './content-cache.ts'
import { type RenderInput, type RenderOutcome, renderMessage } from './render.ts'

/** Request of the pool to a thread. Without `input` it requests the report of the content itself. */
export interface RenderRequest {
  job: number
  key: string
  /** Given when the thread said that it does not know the key. */
  source: ContentSource | undefined
  input: RenderInput | readonly RenderInput[] | undefined
}

export type RenderReply =
  /** All that it needs is loaded. */
  | { type: 'ready' }
  | { job: number; type: 'missing' }
  | { job: number; type: 'rendered'; rendered: RenderOutcome }
  | { job: number; type: 'all'; rendered: RenderOutcome[] }
  | { job: number; type: 'report'; report: ContentReport }
  | { job: number; type: 'fault'; message: string }

const MAX_CACHED_CONTENTS = 100

const contentCache = createContentCache(MAX_CACHED_CONTENTS)

parentPort?.on('message', (request: RenderRequest) => parentPort?.postMessage(buildReply(request)))
parentPort?.postMessage({ type: 'ready' } satisfies RenderReply)

function buildReply({ job, key, source, input }: RenderRequest): RenderReply {
  try {
    const compiledContent = source === undefined ? contentCache.get(key) : contentCache.compile(key, source)
    if (compiledContent === undefined) return { job, type: 'missing' }
    if (input === undefined) return { job, type: 'report', report: toReport(compiledContent) }
    if (isInputList(input))
      return { job, type: 'all', rendered: input.map((messageInput) => renderMessage(compiledContent, messageInput)) }
    return { job, type: 'rendered', rendered: renderMessage(compiledContent, input) }
  } catch (error) {
    return { job, type: 'fault', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function isInputList(input: RenderInput | readonly RenderInput[]): input is readonly RenderInput[] {
  return Array.isArray(input)
}

/** The part of a compiled content that can leave the thread. */
function toReport({ links, errors, findings, needs }: CompiledContent): ContentReport {
  return { links, errors, findings, needs }
}
