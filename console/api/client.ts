import createClient, { type Middleware } from 'openapi-fetch'
import { waitForService } from './connection.ts'
import type { paths } from './operations.d.ts'
import { requestReauthentication } from './reauthentication.ts'
import { ApiRefusal, parseRefusal, UnreachableError } from './refusal.ts'
import { sendWithRetries } from './repeats.ts'

/** The account that the address names: /console/ACME001/…; null on pages of no account. */
export const accountId: string | null = /^\/console\/([A-Z0-9]{7})(?:\/|$)/.exec(location.pathname)?.[1] ?? null

/** Where pages of the account begin. */
export const accountBasePath = accountId === null ? '/console' : `/console/${accountId}`

const isSafe = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

/** Sends a request; one that only reads is sent again once the service is back. */
async function reach(request: Request): Promise<Response> {
  const again = isSafe(request) ? request.clone() : undefined
  try {
    return await fetch(request)
  } catch (error) {
    if (request.signal.aborted) throw error
    const back = waitForService()
    if (!again) throw new UnreachableError(error)
    await back
    return fetch(again)
  }
}

/** Refusals that a person can lift at once: the request waits, and is sent again. */
function gateOf(refusal: ApiRefusal): 'session' | 'confirmation' | undefined {
  if (refusal.status === 401) return 'session'
  return refusal.kind === 'confirm-again' ? 'confirmation' : undefined
}

async function sendThroughGates(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await reach(request)
  if (response.ok || response.status === 304) return response
  const refusal = await parseRefusal(response)
  const gate = gateOf(refusal)
  if (gate === undefined) throw refusal
  if (!(await requestReauthentication(gate))) throw refusal
  return sendThroughGates(again)
}

async function sendOnce(request: Request): Promise<Response> {
  const response = await reach(request)
  if (!response.ok) throw await parseRefusal(response)
  return response
}

const named: Middleware = {
  onRequest: ({ request }) => {
    if (accountId !== null) request.headers.set('x-account', accountId)
  },
}

const options = {
  baseUrl: location.origin,
  credentials: 'same-origin',
  // Repeated, as the interface reads lists.
  querySerializer: { array: { style: 'form', explode: true } },
} as const

/** The public interface, as a signed-in person. Every call throws a `ApiRefusal` for an answer that is a problem. */
export const apiClient = createClient<paths>({
  ...options,
  fetch: (request: Request) => sendWithRetries(request, sendThroughGates),
})
apiClient.use(named)

/** The same for signing in, where a refusal is an answer to be shown and nothing waits for a session. */
export const signInClient = createClient<paths>({
  ...options,
  fetch: (request: Request) => sendWithRetries(request, sendOnce),
})

interface Answered<T> {
  data?: T
  response: Response
}

/** What a call answers. */
export async function readAnswer<T>(call: Promise<Answered<T>>): Promise<T> {
  return (await call).data as T
}

/** What a call answers with its version (`ETag`), which a later write sends as `If-Match`. */
export async function readVersionedAnswer<T>(call: Promise<Answered<T>>): Promise<{ data: T; etag: string | null }> {
  const { data: body, response } = await call
  return { data: body as T, etag: response.headers.get('etag') }
}

/** A page of a list, with the cursor of the next one (`Link`, RFC 8288). */
export async function readPagedAnswer<T>(
  call: Promise<Answered<T[]>>,
): Promise<{ items: T[]; next: string | undefined }> {
  const { data: items = [], response } = await call
  const next = /<([^<>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  return { items, next: next && (new URL(next, location.origin).searchParams.get('after') ?? undefined) }
}

/** An address of the interface that a browser opens by itself: a download, a picture, a stream. */
export function buildApiUrl(path: string, query: Record<string, string | number | undefined> = {}): string {
  const search = new URLSearchParams(accountId === null ? {} : { account: accountId })
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? path : `${path}?${search}`
}

export { ApiRefusal }
