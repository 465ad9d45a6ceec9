import { UnreachableError } from './refusal.ts'

/**
 * Yields the text of an answer in parts as they arrive; text after the last separator is not a part. Throws Unreachable if the stream
 * breaks off.
 */
export async function* splitTextStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined,
  separator: RegExp,
): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  const readChunk = () =>
    reader.read().catch((error: unknown): never => {
      throw new UnreachableError(error)
    })
  let remainder = ''
  for (let part = await readChunk(); !part.done; part = await readChunk()) {
    const parts = `${remainder}${part.value}`.split(separator)
    remainder = parts.pop() ?? ''
    yield* parts
  }
}
