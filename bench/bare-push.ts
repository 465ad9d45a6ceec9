import { connect } from 'node:http2'

/** Posts of one request, over and over. */
export interface BarePush {
  origin: string
  path: string
  headers: Record<string, string>
  body: string
  count: number
  /** Requests at once. */
  streams: number
}

/** How long they took, and the answers that were not 200. */
export interface BarePushed {
  milliseconds: number
  refused: number
}

/** One HTTP/2 session that posts as fast as its answers come. */
async function run({ origin, path, headers, body, count, streams }: BarePush): Promise<BarePushed> {
  const session = connect(origin, { settings: { enablePush: false } })
  await new Promise((resolve) => session.once('remoteSettings', resolve))
  let [left, refused] = [count, 0]

  function post(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const stream = session.request({ ...headers, ':method': 'POST', ':path': path })
    stream.on('response', ({ ':status': status }) => {
      if (status !== 200) refused++
    })
    stream.on('error', reject)
    stream.on('end', resolve)
    stream.resume()
    stream.end(body)
    return promise
  }

  async function loop(): Promise<void> {
    while (left-- > 0) await post()
  }

  const begun = performance.now()
  await Promise.all(Array.from({ length: streams }, loop))
  const milliseconds = performance.now() - begun
  session.close()
  return { milliseconds, refused }
}

process.on('message', (work: BarePush) => {
  void run(work).then((pushed) => process.send?.(pushed))
})
