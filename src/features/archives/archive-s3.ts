import { createS3Client, type S3Location } from '../../lib/net/s3.ts'
import type { ArchiveStore } from './archive-store.ts'

/** A storage that says nothing for so long is away: messages wait for it meanwhile. */
const ANSWER_MS = 15_000

/** Packs as objects of an S3-compatible storage. A 404 is a pack that is not there; any other bad answer throws. */
export function openS3ArchiveStore(place: S3Location, timeoutMs = ANSWER_MS): ArchiveStore {
  const ask = createS3Client(place)

  async function write(name: string, bytes: Buffer): Promise<void> {
    const answer = await ask({ method: 'PUT', name, body: new Uint8Array(bytes), timeoutMs })
    if (answer === undefined) throw new Error('the archive storage answered 404 to PUT')
    await answer.arrayBuffer()
  }

  return {
    write,
    async read(name, { start, length }) {
      const headers = { range: `bytes=${start}-${start + length - 1}` }
      const answer = await ask({ method: 'GET', name, headers, timeoutMs })
      const bytes = answer && Buffer.from(await answer.arrayBuffer())
      // One that knows no ranges gives the whole.
      return answer?.status === 200 ? bytes?.subarray(start, start + length) : bytes
    },
    async overwrite(name, parts) {
      const answer = await ask({ method: 'GET', name, timeoutMs })
      if (!answer) return
      const bytes = Buffer.from(await answer.arrayBuffer())
      for (const part of parts) part.bytes.copy(bytes, part.start)
      await write(name, bytes)
    },
    async remove(name) {
      await (await ask({ method: 'DELETE', name, timeoutMs }))?.arrayBuffer()
    },
  }
}
