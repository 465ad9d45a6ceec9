/** Reads a stream of bytes in portions of chosen sizes. */
export interface ByteQueue {
  /** The next `size` bytes, fewer only where the stream ends. */
  take(size: number): Promise<Buffer>
  /** The next `size` bytes in pieces as they arrive. */
  pieces(size: number): AsyncGenerator<Buffer>
  close(): Promise<void>
}

/** A queue on a stream; its memory is one piece of the stream plus the portion read. */
export function createByteQueue(chunks: AsyncIterable<Buffer>): ByteQueue {
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
