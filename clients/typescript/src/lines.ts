/** The lines of a body, as they arrive, without their ends; what follows the last end is a line too unless it is empty. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const lines = rest.split(/\r?\n/)
      rest = lines.pop() ?? ''
      yield* lines
      if (done) break
    }
    if (rest !== '') yield rest
  } finally {
    // Whoever stops reading ends the request too.
    await reader.cancel().catch(() => undefined)
  }
}

/** The documents of a body of NDJSON, one a line. */
export async function* documentsOf<Item>(body: ReadableStream<Uint8Array>): AsyncGenerator<Item> {
  for await (const line of linesOf(body)) if (line.trim() !== '') yield JSON.parse(line) as Item
}
