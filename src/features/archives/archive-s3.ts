import { AwsClient } from 'aws4fetch'
import type { S3Place } from '../../config.ts'
import type { ArchiveStore } from './archive-store.ts'

/** A storage that says nothing for so long is away: messages wait for it meanwhile. */
const ANSWER_MS = 15_000

/** Packs as objects of an S3-compatible storage. A 404 is a pack that is not there; any other bad answer throws. */
export function openS3Store(
  { bucket, prefix, endpoint, region, accessKey, secretKey }: S3Place,
  answerMs = ANSWER_MS,
): ArchiveStore {
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    region,
    service: 's3',
    // The caller decides how long it is worth waiting.
    retries: 0,
  })

  async function ask(method: string, name: string, init: RequestInit = {}): Promise<Response | undefined> {
    const url = `${endpoint}/${bucket}/${prefix}${name}`
    const answer = await client.fetch(url, { ...init, method, signal: AbortSignal.timeout(answerMs) })
    if (answer.ok) return answer
    // Read or given up, so that the connection is free again.
    const text = (await answer.text().catch(() => '')).replaceAll(/\s+/g, ' ').slice(0, 200)
    if (answer.status === 404 && !text.includes('NoSuchBucket')) return undefined
    throw new Error(`the archive storage answered ${answer.status} to ${method}: ${text}`)
  }

  async function write(name: string, bytes: Buffer): Promise<void> {
    const answer = await ask('PUT', name, { body: new Uint8Array(bytes) })
    if (answer === undefined) throw new Error('the archive storage answered 404 to PUT')
    await answer.arrayBuffer()
  }

  return {
    write,
    async read(name, { start, length }) {
      const answer = await ask('GET', name, { headers: { range: `bytes=${start}-${start + length - 1}` } })
      const bytes = answer && Buffer.from(await answer.arrayBuffer())
      // One that knows no ranges gives the whole.
      const part = answer?.status === 200 ? bytes?.subarray(start, start + length) : bytes
      return part?.length === length ? part : undefined
    },
    async overwrite(name, parts) {
      const answer = await ask('GET', name)
      if (!answer) return
      const bytes = Buffer.from(await answer.arrayBuffer())
      for (const part of parts) part.bytes.copy(bytes, part.start)
      await write(name, bytes)
    },
    async remove(name) {
      await (await ask('DELETE', name))?.arrayBuffer()
    },
  }
}
