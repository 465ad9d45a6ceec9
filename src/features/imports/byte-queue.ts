/** Reads a stream of bytes in portions of one's own choosing. */
export interface ByteQueue {
  /** The next `size` bytes, fewer only where the stream ends. */
  take(size: number): Promise<Buffer>
  /** The next `size` bytes in pieces as they arrive. */
  pieces(size: number): AsyncGenerator<Buffer>
  close(): Promise<void>
}

/** Puts a queue before a stream; memory is one of its pieces plus what is taken at once. */
export function byteQueue(chunks: AsyncIterable<Buffer>): ByteQueue {
  const source = chunks[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)

  async function* pieces(size: number): AsyncGenerator<Buffer> {
    for (let missing = size; missing > 0; ) {
      if (held.length === 0) {
        const next = await source.next()
        if (next.done) return
        held = next.value
      }
      const piece = held.subarray(0, missing)
      held = held.subarray(piece.length)
      missing -= piece.length
      yield piece
    }
  }

  return {
    take: async (size) => Buffer.concat(await Array.fromAsync(pieces(size))),
    pieces,
    close: async () => void (await source.return?.()),
  }
}
