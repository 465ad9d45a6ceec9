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
  let bufferedBytes: Buffer = Buffer.alloc(0)

  async function* readPieces(size: number): AsyncGenerator<Buffer> {
    for (let remainingBytes = size; remainingBytes > 0; ) {
      if (bufferedBytes.length === 0) {
        const next = await source.next()
        if (next.done) return
        bufferedBytes = next.value
      }
      const piece = bufferedBytes.subarray(0, remainingBytes)
      bufferedBytes = bufferedBytes.subarray(piece.length)
      remainingBytes -= piece.length
      yield piece
    }
  }

  return {
    take: async (size) => Buffer.concat(await Array.fromAsync(readPieces(size))),
    pieces: readPieces,
    close: async () => void (await source.return?.()),
  }
}
