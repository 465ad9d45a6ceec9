/** Collects one message as it arrives in pieces of any size. */
export interface BodyReader {
  /** Reads from `start`; answers where the message ended in this chunk, or -1 when all of it belongs to the message. */
  feed(chunk: Buffer, start: number): number
  /** Octets so far, without the final dot. */
  octets(): number
  /** The message, dots unstuffed; empty unless it is kept. */
  bytes(): Buffer
}

const END = '\r\n.\r\n'
const FINAL_DOT = 3

function unstuff(body: Buffer): Buffer {
  if (body[0] !== 0x2e && body.indexOf('\r\n.') === -1) return body
  return Buffer.from(body.toString('latin1').replace(/(^|\r\n)\./g, '$1'), 'latin1')
}

/** Reads the answer to DATA, up to the line of a single dot (RFC 5321, 4.5.2). The end may lie across chunks. */
export function dataReader(keep: boolean): BodyReader {
  const chunks: Buffer[] = []
  let received = 0
  // As if a line had just ended: a dot may be the very first line.
  let tail = '\r\n'

  function endIn(chunk: Buffer, start: number): number {
    const seam = tail + chunk.toString('latin1', start, start + END.length - 1)
    const across = seam.indexOf(END)
    if (across !== -1) return start + across + END.length - tail.length
    const within = chunk.indexOf(END, start, 'latin1')
    return within === -1 ? -1 : within + END.length
  }

  return {
    feed(chunk, start) {
      const end = endIn(chunk, start)
      const last = end === -1 ? chunk.length : end
      received += last - start
      if (keep) chunks.push(chunk.subarray(start, last))
      if (end === -1) tail = (tail + chunk.toString('latin1', Math.max(start, last - 4), last)).slice(-4)
      return end
    },
    octets: () => received - FINAL_DOT,
    bytes: () => (keep ? unstuff(Buffer.concat(chunks, received).subarray(0, received - FINAL_DOT)) : Buffer.alloc(0)),
  }
}

/** Reads the octets of one BDAT (RFC 3030), which says how many there are. */
export function chunkReader(size: number, keep: boolean): BodyReader {
  const chunks: Buffer[] = []
  let received = 0
  return {
    feed(chunk, start) {
      const end = Math.min(chunk.length, start + size - received)
      received += end - start
      if (keep) chunks.push(chunk.subarray(start, end))
      return received === size ? end : -1
    },
    octets: () => received,
    bytes: () => Buffer.concat(chunks),
  }
}
