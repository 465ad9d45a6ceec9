import { setTimeout as delay } from 'node:timers/promises'

/** The service as a client sees it: its address and a key. */
export interface Client {
  url: string
  /** Sends a request and gives its parsed answer. Throws with the problem's own words when it is refused. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  /** Uploads a file for an import and starts it. */
  upload<Answer>(path: string, file: { name: string; text: string }): Promise<Answer>
}

async function readAnswer<Answer>(what: string, response: Response): Promise<Answer> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${what} responded with ${response.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}

export function connectClient(url: string, key: string): Client {
  const headers = { 'x-key': key }
  return {
    url,
    async call(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return readAnswer(`${method} ${path}`, response)
    },
    async upload(path, { name, text }) {
      const disposition = `attachment; filename="${name}"`
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'text/csv', 'content-disposition': disposition },
        body: text,
      })
      return readAnswer(`POST ${path}`, response)
    },
  }
}

/** Asks again and again until the answer is there (not undefined). Throws after `withinMs`. */
export async function eventually<Answer>(
  what: string,
  withinMs: number,
  ask: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (performance.now() > deadline) throw new Error(`${what}: not ready after ${withinMs / 1000} s`)
    await delay(100)
  }
}
