import { connect, type Socket } from 'node:net'

/** What the load generator of `hits` is given: so many connections send these requests in turn, for so long. */
export interface HitLoad {
  port: number
  connections: number
  milliseconds: number
  /** Paths and queries to be fetched, over and over. */
  paths: readonly string[]
  /** Shown in turn. */
  userAgents: readonly string[]
}

/** How many were answered with a redirect, how long all of it took, and the 99th percentile of the single answers. */
export type HitResult = { answered: number; milliseconds: number; p99Ms: number } | { error: string }

const REDIRECT = Buffer.from('HTTP/1.1 302')
const END = Buffer.from('\r\n\r\n')

/** Sends requests on one keep-alive connection, each as soon as the one before is answered; redirects have no body. */
function converse(socket: Socket, next: () => Buffer | undefined, answered: (ms: number) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let sentAt = 0
  let received: Buffer = Buffer.alloc(0)
  const send = (): void => {
    const request = next()
    sentAt = performance.now()
    if (request !== undefined) return void socket.write(request)
    socket.end()
    resolve()
  }
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    if (!received.subarray(-END.length).equals(END)) return
    if (!received.subarray(0, REDIRECT.length).equals(REDIRECT)) return reject(new Error(received.toString()))
    received = Buffer.alloc(0)
    answered(performance.now() - sentAt)
    send()
  })
  socket.setNoDelay(true).on('error', reject).on('connect', send)
  socket.on('close', () => reject(new Error('the server closed a connection')))
  return promise
}

/** Plain sockets and ready-made requests: the generator takes as little of the machine from the service as it can. */
async function run({ port, connections, milliseconds, paths, userAgents }: HitLoad): Promise<HitResult> {
  const requests = paths.map((path, n) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nhost: stentor\r\nuser-agent: ${userAgents[n % userAgents.length]}\r\n\r\n`),
  )
  const times: number[] = []
  const started = performance.now()
  let sent = 0
  const next = (): Buffer | undefined =>
    performance.now() - started < milliseconds ? requests[sent++ % requests.length] : undefined
  await Promise.all(
    Array.from({ length: connections }, () =>
      converse(connect(port, '127.0.0.1'), next, (ms) => {
        times.push(ms)
      }),
    ),
  )
  const took = performance.now() - started
  times.sort((a, b) => a - b)
  return { answered: times.length, milliseconds: took, p99Ms: times[Math.floor(times.length * 0.99)] ?? 0 }
}

process.on('message', (load: HitLoad) => {
  run(load)
    .catch((error: Error): HitResult => ({ error: error.message }))
    .then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
