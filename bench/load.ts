import { Agent, request } from 'node:http'

/** The middle value. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Rounds to so many decimals. */
export function rounded(value: number, decimals = 2): number {
  return Number(value.toFixed(decimals))
}

/** Milliseconds that answers took. */
export type Times = number[]

/** The same as `work`; how long it took joins the times. */
export async function timed<T>(times: Times, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const answer = await work()
  times.push(performance.now() - started)
  return answer
}

/** The time that this share of all keeps below. */
export function quantile(times: Times, share: number): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0
}

/** Half of the answers are faster than p50, 95 of 100 than p95. */
export function quantiles(times: Times): { p50: number; p95: number } {
  return { p50: rounded(median(times), 1), p95: rounded(quantile(times, 0.95), 1) }
}

interface Load {
  url: (n: number) => string
  headers?: Record<string, string>
  connections: number
  milliseconds: number
}

function get(url: string, agent: Agent, headers: Record<string, string>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const sent = request(url, { agent, headers }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
    response.resume()
    response.on('end', resolve)
  })
  sent.on('error', reject)
  sent.end()
  return promise
}

/** GET requests a second over keep-alive connections, for a bounded time. Throws when one is not answered with 200. */
export async function requestsPerSecond({ url, headers = {}, connections, milliseconds }: Load): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const started = performance.now()
  const end = started + milliseconds
  let done = 0
  async function connection(): Promise<void> {
    while (performance.now() < end) {
      await get(url(done), agent, headers)
      done++
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  agent.destroy()
  return (done * 1000) / (performance.now() - started)
}
