import { type Agent, request } from 'node:http'

/** A visit that takes longer is given up, in milliseconds. */
const TIMEOUT_MS = 10_000

/** Visits an address and reads the answer to its end; gives its status, or undefined where there was none. */
export function visit(url: string, agent: Agent, userAgent: string): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  const headers = { 'user-agent': userAgent }
  const sent = request(url, { agent, headers, timeout: TIMEOUT_MS }, (response) => {
    response.on('error', () => resolve(undefined))
    response.resume().on('end', () => resolve(response.statusCode))
  })
  sent.on('error', () => resolve(undefined)).on('timeout', () => sent.destroy())
  sent.end()
  return promise
}
