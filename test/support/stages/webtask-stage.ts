import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { allowAborts } from '../../fakes/web/client-aborts.ts'
import { type Answer, type CallOptions, type Harness, startHarness } from '../harness.ts'

export const WEBTASKS = '/scripting/webtasks'

/** A request that the server of a stage was sent. */
export interface Seen {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** The harness with a server that scripts may call, and webtasks. */
export interface WebtaskStage extends Harness {
  /** `localhost` and the port of the server. */
  host: string
  seen: Seen[]
  /** What the server answers next; otherwise `{"value":4}`. */
  answers: ((response: ServerResponse) => void)[]
  /** Makes a webtask; gives its id. */
  webtask(value: string, more?: object): Promise<number>
  execute(id: number, item?: object, options?: CallOptions): Promise<Answer>
  executeAll(id: number, items: readonly object[], options?: CallOptions): Promise<Answer>
}

async function startServer(seen: Seen[], answers: WebtaskStage['answers']): Promise<string> {
  const server = createServer(
    allowAborts(async (request: IncomingMessage, response: ServerResponse) => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString()
      const { method = '', url = '', headers } = request
      seen.push({ method, url, headers, body })
      const usual = (given: ServerResponse) =>
        void given.setHeader('content-type', 'application/json').end('{"value":4}')
      const answer = answers.shift() ?? usual
      answer(response)
    }),
  )
  await once(server.listen(0, 'localhost'), 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `localhost:${(server.address() as AddressInfo).port}`
}

/** Starts a harness whose webtasks may call a server of this machine, and run without a key. */
export async function startWebtaskStage(): Promise<WebtaskStage> {
  const seen: Seen[] = []
  const answers: WebtaskStage['answers'] = []
  const host = await startServer(seen, answers)
  const harness = await startHarness({ STENTOR_OUTGOING_ALLOW: host, STENTOR_PUBLIC_WEBTASKS: 'on' })
  const { call } = harness
  let made = 0
  return {
    ...harness,
    host,
    seen,
    answers,
    async webtask(value, more = {}) {
      const answer = await call('POST', WEBTASKS, { body: { name: `Task ${++made}`, value, ...more } })
      assert.equal(answer.status, 200, answer.text)
      return answer.body.id
    },
    execute: (id, item, options = {}) =>
      call('POST', `${WEBTASKS}/${id}/execution`, { ...(item && { body: item }), ...options }),
    executeAll: (id, items, options = {}) => call('POST', `${WEBTASKS}/${id}/executions`, { body: items, ...options }),
  }
}
