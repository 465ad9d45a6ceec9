import type { InjectOptions } from 'fastify'
import type { OpenApiDocument, OpenApiJson } from '../../src/http/openapi/document.ts'
import { listOpenApiOperations } from '../../src/http/openapi/document.ts'
import type { OperationExample } from '../../src/http/openapi/examples.ts'
import type { StoryCalendar } from './calendar.ts'
import type { MadeCall } from './recorder.ts'
import type { ExampleService } from './service.ts'
import type { StableValues } from './stable-values.ts'

/** The members of a call in addition to its operation. */
export interface StoryCall {
  /** Members of the path. */
  path?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  /** JSON, unless `type` says otherwise. */
  body?: unknown
  type?: string
  headers?: Record<string, string>
  /** The browser that calls; absent: a program with the key of the shop. */
  browser?: StoryBrowser
  /** True for a call without credentials. */
  anonymous?: boolean
  /** False for a call that only prepares others: it is no example. */
  shown?: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the story reads any member of any answer.
export type StoryAnswer = any

/** Cookies of a person's browser. */
export interface StoryBrowser {
  cookies: Map<string, string>
  /** Network address. */
  address: string
}

export interface Story {
  /** Calls an operation; the first call of each that is shown is its example. Gives the body, or the text of one that is no JSON. */
  call(operationId: string, call?: StoryCall): Promise<StoryAnswer>
  /** Requests an address as a reader of a message does, with no credentials. */
  follow(operationId: string, url: string, call?: Pick<StoryCall, 'headers' | 'body' | 'type'>): Promise<StoryAnswer>
  settle(): Promise<void>
  /** Shows another text wherever a value that differs between runs, or an address of this machine, stands. */
  disguise(value: string, shown: string): void
  /** Leaves out a value that only this machine needs. */
  hide(value: string, shown?: null): void
  calendar: StoryCalendar
  service: ExampleService
  calls: MadeCall[]
}

const ORIGIN = 'https://stentor.example'
const HOST = 'stentor.example'
/** The address that the shop's program calls from. */
const PROGRAM_ADDRESS = '203.0.113.20'

const FORM_TYPE = 'application/x-www-form-urlencoded'
/** Media types of texts that are examples of an answer. */
const SHOWN_TEXTS = ['text/csv', 'text/plain']

const isJsonType = (type: string): boolean => type === 'application/json' || type.endsWith('+json')

const toMediaType = (header: unknown): string => String(header ?? '').split(';', 1)[0]!

export const openStoryBrowser = (address = '203.0.113.45'): StoryBrowser => ({ cookies: new Map(), address })

function keepCookies({ cookies }: StoryBrowser, setCookies: unknown): void {
  for (const line of [setCookies].flat()) {
    if (typeof line !== 'string') continue
    const [pair = ''] = line.split(';', 1)
    const [name = ''] = pair.split('=', 1)
    if (line.includes('; Max-Age=0')) cookies.delete(name)
    else cookies.set(name, pair.slice(name.length + 1))
  }
}

function buildCredentials(key: string, { browser, anonymous }: StoryCall): Record<string, string> {
  if (browser)
    return {
      origin: ORIGIN,
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
    }
  return anonymous ? {} : { 'x-key': key, 'user-agent': 'harbour-tea-shop/2.1' }
}

function buildPayload({ body, type = 'application/json' }: StoryCall): Pick<InjectOptions, 'payload' | 'headers'> {
  if (body === undefined) return {}
  const headers = { 'content-type': type }
  if (type === FORM_TYPE) return { payload: new URLSearchParams(body as Record<string, string>).toString(), headers }
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  return { payload: isRaw ? body : JSON.stringify(body), headers }
}

/** The path of an operation with its members and query. */
function buildUrl(pattern: string, { path = {}, query = {} }: StoryCall): string {
  let url = pattern
  for (const [name, value] of Object.entries(path)) url = url.replace(`{${name}}`, encodeURIComponent(String(value)))
  if (url.includes('{')) throw new Error(`members of ${url} are missing`)
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? url : `${url}?${search}`
}

interface ReceivedAnswer {
  status: number
  type: string
  text: string
  /** Absent if the answer is no JSON. */
  body?: OpenApiJson
}

function buildExample(url: string, call: StoryCall, { status, type, text, body }: ReceivedAnswer): OperationExample {
  const { body: sent, type: sentType = 'application/json' } = call
  const answer = body ?? (SHOWN_TEXTS.includes(type) && text !== '' ? text : undefined)
  return {
    path: url,
    ...(sent !== undefined && !Buffer.isBuffer(sent) && { request: { type: sentType, body: sent as OpenApiJson } }),
    ...(answer !== undefined && {
      answer: { status: String(status), ...(body === undefined && { type }), body: answer },
    }),
  }
}

/** The story of a shop, told to the service with its key. */
export function openStory(
  service: ExampleService,
  document: OpenApiDocument,
  { calendar, values, key }: { calendar: StoryCalendar; values: StableValues; key: string },
): Story {
  const { app, settle } = service
  const operations = new Map(listOpenApiOperations(document).map((one) => [one.operation.operationId!, one]))
  const calls = new Map<string, MadeCall>()
  async function request(operationId: string, url: string, call: StoryCall): Promise<StoryAnswer> {
    const { method } = operations.get(operationId)!
    const { browser, shown = true } = call
    const seen = await calendar.advance()
    const { payload, headers } = buildPayload(call)
    const response = await app.inject({
      method: method.toUpperCase() as NonNullable<InjectOptions['method']>,
      url,
      remoteAddress: browser?.address ?? PROGRAM_ADDRESS,
      // What goes on in the background goes on in `settle`: a request would wait for it in vain.
      headers: { host: HOST, prefer: 'wait=0', ...buildCredentials(key, call), ...headers, ...call.headers },
      ...(payload !== undefined && { payload }),
    })
    const { statusCode: status, payload: text } = response
    if (status >= 400) throw new Error(`${operationId} (${url}) answers ${status}: ${text}`)
    if (browser) keepCookies(browser, response.headers['set-cookie'])
    const type = toMediaType(response.headers['content-type'])
    const isJson = isJsonType(type) && text !== ''
    const body = isJson ? JSON.parse(text) : undefined
    if (shown && !calls.has(operationId))
      calls.set(operationId, { id: operationId, seen, example: buildExample(url, call, { status, type, text, body }) })
    return isJson ? body : text || response.headers
  }
  return {
    call(operationId, call = {}) {
      const operation = operations.get(operationId)
      if (!operation) throw new Error(`there is no operation ${operationId}`)
      return request(operationId, buildUrl(operation.path, call), call)
    },
    follow: (operationId, url, call = {}) => request(operationId, url, { ...call, anonymous: true }),
    settle,
    hide: (value, shown) => values.hideValue(value, shown),
    disguise: (value, shown) => values.replaceText(value, shown),
    calendar,
    service,
    get calls() {
      return [...calls.values()]
    },
  }
}
