import { randomUUID } from 'node:crypto'

/** Posts of one rich message, to a phone of its own each. */
export interface BareFetch {
  url: string
  agent: string
  authorization: string
  body: string
  count: number
  /** Requests at once. */
  inFlight: number
}

/** How long they took, and the answers that were not 200. */
export interface BareFetched {
  milliseconds: number
  refused: number
}

/** `fetch` in a loop, as fast as answers come. */
async function run({ url, agent, authorization, body, count, inFlight }: BareFetch): Promise<BareFetched> {
  let [next, refused] = [0, 0]
  async function loop(): Promise<void> {
    for (let n = next++; n < count; n = next++) {
      const phone = `%2B3364${String(n).padStart(7, '0')}`
      const address = `${url}/v1/phones/${phone}/agentMessages?messageId=${randomUUID()}&agentId=${agent}`
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await fetch(address, { method: 'POST', headers, body })
      if (answer.status !== 200) refused++
      await answer.arrayBuffer()
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: inFlight }, loop))
  return { milliseconds: performance.now() - begun, refused }
}

process.on('message', (work: BareFetch) => {
  void run(work).then((fetched) => process.send?.(fetched))
})
