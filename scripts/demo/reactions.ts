import type { Received } from './mailbox.ts'
import { does } from './mailbox.ts'

/** What the people of the demo did, as the HTTP client counted its answers. */
export interface Reactions {
  opens: number
  clicks: number
  unsubscribes: number
  /** Seconds all of it took. */
  seconds: number
}

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const AT_ONCE = 32

async function follow(address: string, expected: number, init: RequestInit = {}): Promise<void> {
  const response = await fetch(address, {
    ...init,
    redirect: 'manual',
    headers: { 'user-agent': AGENT, ...init.headers },
  })
  await response.arrayBuffer()
  if (response.status !== expected)
    throw new Error(`a link in a received message responded with ${response.status} instead of ${expected}`)
}

async function read({ address, pixel, links, oneClick }: Received, counts: Reactions): Promise<void> {
  await follow(pixel, 200)
  counts.opens++
  const [first, second] = links
  if (first && does(address, 'click')) {
    await follow(first, 302)
    counts.clicks++
    if (second && does(address, 'click twice')) {
      await follow(second, 302)
      counts.clicks++
    }
  }
  if (does(address, 'leave')) {
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    await follow(oneClick, 200, { method: 'POST', body })
    counts.unsubscribes++
  }
}

/** Lets people open, click and leave, over HTTP, by the links of the messages they received. */
export async function react(share: readonly Received[], report: (done: number) => void): Promise<Reactions> {
  const counts: Reactions = { opens: 0, clicks: 0, unsubscribes: 0, seconds: 0 }
  const started = performance.now()
  const waiting = share.values()
  let done = 0
  async function person(): Promise<void> {
    for (const received of waiting) {
      await read(received, counts)
      report(++done)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, person))
  return { ...counts, seconds: (performance.now() - started) / 1000 }
}
