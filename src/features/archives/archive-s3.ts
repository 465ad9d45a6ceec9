import { createS3Client, type S3Location } from '../../lib/net/s3.ts'
import type { ArchiveStore } from './archive-store.ts'

/** A storage that says nothing for so long is away: messages wait for it meanwhile. */
const S3_TIMEOUT_MS = 15_000

/** Packs as objects of an S3-compatible storage. A 404 is a pack that is not there; any other bad answer throws. */
export function openS3ArchiveStore(place: S3Location, timeoutMs = S3_TIMEOUT_MS): ArchiveStore {
  const sendRequest = createS3Client(place)

  async function putObject(name: string, bytes: Buffer): Promise<void> {
    const response = await sendRequest({ method: 'PUT', name, body: new Uint8Array(bytes), timeoutMs })
    if (response === undefined) throw new Error('the archive storage returned 404 for PUT')
    await response.arrayBuffer()
  }

  return {
    write: putObject,
    async read(name, { start, length }) {
      const headers = { range: `bytes=${start}-${start + length - 1}` }
      const response = await sendRequest({ method: 'GET', name, headers, timeoutMs })
      const objectBytes = response && Buffer.from(await response.arrayBuffer())
      // One that knows no ranges gives the whole.
      return response?.status === 200 ? objectBytes?.subarray(start, start + length) : objectBytes
    },
    async overwrite(name, parts) {
      const response = await sendRequest({ method: 'GET', name, timeoutMs })
      if (!response) return
      const objectBytes = Buffer.from(await response.arrayBuffer())
      for (const part of parts) part.bytes.copy(objectBytes, part.start)
      await putObject(name, objectBytes)
    },
    async remove(name) {
      await (await sendRequest({ method: 'DELETE', name, timeoutMs }))?.arrayBuffer()
    },
  }
}
