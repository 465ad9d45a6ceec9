import { connect } from 'node:http2'
import type { PeerPost } from './push-peers.ts'

/** Requests to be posted, each once. */
export interface BarePush {
  origin: string
  posts: PeerPost[]
  /** Requests at once. */
  streams: number
}

/** How long they took, and the answers that were not 200. */
export interface BarePushed {
  milliseconds: number
  refused: number
}

/** One HTTP/2 session that posts as fast as its answers come. */
async function run({ origin, posts, streams }: BarePush): Promise<BarePushed> {
  const session = connect(origin, { settings: { enablePush: false } })
  await new Promise((resolve) => session.once('remoteSettings', resolve))
  const left = posts.values()
  let refused = 0

  function post({ path, headers, body }: PeerPost): Promise<void> {
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
    for (const one of left) await post(one)
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
