import { connect, type Socket } from 'node:net'

/** What the load generator of `contacts` is given: so many connections send these requests, each as soon as the one before is answered. */
export interface RawLoad {
  port: number
  connections: number
  /** Everything before the headers of the body: request line and common headers, without the blank line. */
  head: string
  bodies: readonly string[]
}

/** How long it took, or what went wrong. */
export type RawResult = { milliseconds: number } | { error: string }

/** The length of the first answer in a buffer, headers included; undefined while it is not all there. */
function answerLength(buffer: Buffer): number | undefined {
  const end = buffer.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const length = /content-length: (\d+)/i.exec(buffer.toString('latin1', 0, end))
  if (!length) throw new Error('an answer without Content-Length')
  const whole = end + 4 + Number(length[1])
  return buffer.length >= whole ? whole : undefined
}

/** Sends requests on one keep-alive connection until none is left. */
function converse(socket: Socket, next: () => string | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let received: Buffer = Buffer.alloc(0)
  const send = (): void => {
    const request = next()
    if (request !== undefined) return void socket.write(request)
    socket.end()
    resolve()
  }
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const length = answerLength(received)
    if (length === undefined) return
    if (!received.toString('latin1', 0, 12).endsWith('200')) return reject(new Error(received.toString()))
    received = received.subarray(length)
    send()
  })
  socket.on('error', reject).on('connect', send)
  return promise
}

/** Plain sockets and ready-made requests: the generator takes as little of the machine from the service as it can. */
async function run({ port, connections, head, bodies }: RawLoad): Promise<RawResult> {
  const requests = bodies.map((body) => `${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  const queue = requests.values()
  const started = performance.now()
  await Promise.all(
    Array.from({ length: connections }, () => converse(connect(port, 'localhost'), () => queue.next().value)),
  )
  return { milliseconds: performance.now() - started }
}

process.on('message', (load: RawLoad) => {
  run(load)
    .catch((error: Error): RawResult => ({ error: error.message }))
    .then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
