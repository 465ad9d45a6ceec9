import { startRbmPeer } from '../test/fakes/rcs/rbm-peer.ts'

/** What the program needs to send to the peer. */
export interface RbmReady {
  url: string
  host: string
  account: object
}

/** What the peer took since it was emptied. */
export interface RbmCount {
  taken: number
  distinct: number
  faults: number
  lookups: number
  /** Between the first message and the last. */
  milliseconds: number
  /** A request as it came; undefined before the first. */
  sample: { authorization: string; agent: string; body: string } | undefined
}

export interface RbmQuestion {
  empty: boolean
}

/** The strict peer of the tests, in a process of its own. */
async function start(): Promise<void> {
  const { url, host, account, book, seen } = await startRbmPeer()
  const { answer } = book
  let authorization = ''
  let [first, last] = [0, 0]
  book.answer = (request) => {
    const before = book.taken.length
    const behaviour = answer(request)
    if (book.taken.length > before) {
      authorization = String(request.headers.authorization)
      last = performance.now()
      if (before === 0) first = last
    }
    return behaviour
  }

  function count(): RbmCount {
    const [one] = book.taken
    return {
      taken: book.taken.length,
      distinct: new Set(book.taken.map(({ phone }) => phone)).size,
      faults: book.faults.length,
      lookups: book.bulk.length + book.lookups.length,
      milliseconds: last - first,
      sample: one && { authorization, agent: one.agent, body: JSON.stringify(one.body) },
    }
  }

  process.on('message', ({ empty }: RbmQuestion) => {
    process.send?.(count())
    if (empty) for (const list of [book.taken, book.attempts, book.bulk, book.lookups, seen]) list.length = 0
  })
  process.once('disconnect', () => process.exit())
  process.send?.({ url, host, account } satisfies RbmReady)
}

await start()
