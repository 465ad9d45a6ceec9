import { parentPort } from 'node:worker_threads'
import type { CompiledContent, ContentReport, ContentSource } from './content.ts'
import { createContentCache } from './content-cache.ts'
import { type RenderInput, type RenderOutcome, renderMessage } from './render.ts'

/** What the pool asks of a thread. Without `input` it asks what is known of the content itself. */
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

const KEPT_CONTENTS = 100

const contents = createContentCache(KEPT_CONTENTS)

parentPort?.on('message', (request: RenderRequest) => parentPort?.postMessage(reply(request)))
parentPort?.postMessage({ type: 'ready' } satisfies RenderReply)

function reply({ job, key, source, input }: RenderRequest): RenderReply {
  try {
    const compiled = source === undefined ? contents.get(key) : contents.compile(key, source)
    if (compiled === undefined) return { job, type: 'missing' }
    if (input === undefined) return { job, type: 'report', report: reportOf(compiled) }
    if (isList(input)) return { job, type: 'all', rendered: input.map((one) => renderMessage(compiled, one)) }
    return { job, type: 'rendered', rendered: renderMessage(compiled, input) }
  } catch (error) {
    return { job, type: 'fault', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function isList(input: RenderInput | readonly RenderInput[]): input is readonly RenderInput[] {
  return Array.isArray(input)
}

/** The part of a compiled content that can leave the thread. */
function reportOf({ links, errors, findings, needs }: CompiledContent): ContentReport {
  return { links, errors, findings, needs }
}
