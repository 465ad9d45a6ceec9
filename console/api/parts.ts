import { UnreachableError } from './refusal.ts'

/** The text of an answer in parts, as they come; what follows the last separator is none. Throws Unreachable when it breaks off. */
export async function* splitTextStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined,
  separator: RegExp,
): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  const next = () =>
    reader.read().catch((error: unknown): never => {
      throw new UnreachableError(error)
    })
  let rest = ''
  for (let part = await next(); !part.done; part = await next()) {
    const parts = `${rest}${part.value}`.split(separator)
    rest = parts.pop() ?? ''
    yield* parts
  }
}
