import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { allowAborts } from './client-aborts.ts'

/** An S3-compatible storage in memory that checks signatures (AWS Signature Version 4) by itself. */
export interface S3Peer {
  url: string
  objects: Map<string, Buffer>
  /** When each was put, by key. */
  putAt: Map<string, Date>
  /** What was asked, as `PUT /bucket/key`. */
  asked: string[]
  /** Answered instead of what was asked, while set. */
  failure: { status: number } | 'silent' | undefined
  close(): Promise<void>
}

interface Keys {
  region: string
  accessKey: string
  secretKey: string
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()

/** The signature that a request must have: canonical request, string to sign, derived key. */
function signatureOf(request: IncomingMessage, body: Buffer, signed: string[], keys: Keys): string {
  const { headers } = request
  const url = new URL(request.url ?? '/', 'http://peer')
  const date = String(headers['x-amz-date'])
  const scope = `${date.slice(0, 8)}/${keys.region}/s3/aws4_request`
  const payload = String(headers['x-amz-content-sha256'])
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return 'the body is another'
  const canonical = [
    request.method,
    url.pathname,
    [...url.searchParams]
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .sort()
      .join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed.join(';'),
    payload,
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const ofDay = hmac(`AWS4${keys.secretKey}`, date.slice(0, 8))
  const key = [keys.region, 's3', 'aws4_request'].reduce(hmac, ofDay)
  return hmac(key, toSign).toString('hex')
}

function isSigned(request: IncomingMessage, body: Buffer, keys: Keys): boolean {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (!given) return false
  const [, accessKey, , region, names = '', signature] = given
  const signed = names.split(';')
  return (
    accessKey === keys.accessKey &&
    region === keys.region &&
    signed.includes('host') &&
    signature === signatureOf(request, body, signed, keys)
  )
}

/** Keys of an answer to ListObjectsV2: few, so that more than one page is asked for. */
const PAGE = 2

/** What ListObjectsV2 answers. */
function listing(peer: S3Peer, query: URLSearchParams): string {
  const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? '']
  const keys = [...peer.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort()
  const contents = keys.slice(0, PAGE).map((key) => {
    const at = (peer.putAt.get(key) ?? new Date()).toISOString()
    return `<Contents><Key>${key}</Key><LastModified>${at}</LastModified></Contents>`
  })
  return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}</ListBucketResult>`
}

function answer(
  peer: S3Peer,
  bucket: string,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): ServerResponse {
  const path = request.url ?? '/'
  const end = (status: number, content: Buffer | string = '') => response.writeHead(status).end(content)
  const query = /^\/([^/?]+)\?(list-type=2.*)$/.exec(path)
  if (query?.[1] === bucket && request.method === 'GET') return end(200, listing(peer, new URLSearchParams(query[2])))
  if (!path.startsWith(`/${bucket}/`)) return end(404, '<Error><Code>NoSuchBucket</Code></Error>')
  const key = path.slice(bucket.length + 2)
  const object = peer.objects.get(key)
  switch (request.method) {
    case 'PUT':
      peer.objects.set(key, body)
      peer.putAt.set(key, new Date())
      return end(200)
    case 'DELETE':
      peer.objects.delete(key)
      return end(204)
    case 'HEAD':
      return object ? response.writeHead(200, { 'content-length': object.length }).end() : end(404)
    case 'GET': {
      if (!object) return end(404, '<Error><Code>NoSuchKey</Code></Error>')
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
      return range ? end(206, object.subarray(Number(range[1]), Number(range[2]) + 1)) : end(200, object)
    }
    default:
      return end(405)
  }
}

/** Starts the storage on a port of its own, with one bucket. */
export async function startS3Peer(bucket: string, keys: Keys): Promise<S3Peer> {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    peer.asked.push(`${request.method} ${request.url}`)
    if (peer.failure === 'silent') return
    if (peer.failure) return void response.writeHead(peer.failure.status).end('<Error><Code>SlowDown</Code></Error>')
    if (isSigned(request, body, keys)) return void answer(peer, bucket, request, body, response)
    response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
  }
  const server = createServer(allowAborts(serve))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const peer: S3Peer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: new Map(),
    putAt: new Map(),
    asked: [],
    failure: undefined,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return peer
}
