import { AwsClient } from 'aws4fetch'

/** A part of a bucket in an S3-compatible storage. `endpoint` has no trailing slash, `prefix` one unless it is empty. */
export interface S3Location {
  bucket: string
  prefix: string
  endpoint: string
  region: string
  accessKey: string
  secretKey: string
}

/** A request about an object, or about the bucket if `name` is empty; `timeoutMs` is for the whole answer. */
export interface S3Request extends RequestInit {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  name: string
  /** The query, with its question mark. */
  query?: string
  timeoutMs: number
}

export type S3Client = (request: S3Request) => Promise<Response | undefined>

/** Gives what asks a storage, signed. A 404 is an object that is not there: undefined; any other bad answer throws. */
export function createS3Client({ bucket, prefix, endpoint, region, accessKey, secretKey }: S3Location): S3Client {
  const client = new AwsClient({
    accessKeyId: accessKey,
    secretAccessKey: secretKey,
    region,
    service: 's3',
    // The caller decides how long it is worth waiting.
    retries: 0,
  })
  return async ({ method, name, query = '', timeoutMs, ...init }) => {
    const url = `${endpoint}/${bucket}${name === '' ? '' : `/${prefix}${name}`}${query}`
    const timeoutSignal = AbortSignal.timeout(timeoutMs)
    const signal = init.signal ? AbortSignal.any([init.signal, timeoutSignal]) : timeoutSignal
    const response = await client.fetch(url, { ...init, method, signal })
    if (response.ok) return response
    // Read or given up, so that the connection is free again.
    const text = (await response.text().catch(() => '')).replaceAll(/\s+/g, ' ').slice(0, 200)
    if (response.status === 404 && !text.includes('NoSuchBucket')) return undefined
    throw new Error(`the archive storage answered ${response.status} to ${method}: ${text}`)
  }
}
