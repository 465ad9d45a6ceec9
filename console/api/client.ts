import createClient, { type Middleware } from 'openapi-fetch'
import { waitForService } from './connection.ts'
import type { paths } from './operations.d.ts'
import { requestReauthentication } from './reauthentication.ts'
import { ApiRefusal, parseRefusal, UnreachableError } from './refusal.ts'
import { sendWithRetries } from './repeats.ts'

/** The account that the address names: /console/ACME001/…; null on pages of no account. */
export const accountId: string | null = /^\/console\/([A-Z0-9]{7})(?:\/|$)/.exec(location.pathname)?.[1] ?? null

/** Base path of the pages of the account. */
export const accountBasePath = accountId === null ? '/console' : `/console/${accountId}`

const isSafeMethod = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD'

/** Sends a request; one that only reads is sent again once the service is back. */
async function sendWhenAvailable(request: Request): Promise<Response> {
  const retryRequest = isSafeMethod(request) ? request.clone() : undefined
  try {
    return await fetch(request)
  } catch (error) {
    if (request.signal.aborted) throw error
    const serviceReturn = waitForService()
    if (!retryRequest) throw new UnreachableError(error)
    await serviceReturn
    return fetch(retryRequest)
  }
}

/** Refusals that a person can lift at once: the request waits, and is sent again. */
function findReauthentication(refusal: ApiRefusal): 'session' | 'confirmation' | undefined {
  if (refusal.status === 401) return 'session'
  return refusal.kind === 'confirm-again' ? 'confirmation' : undefined
}

async function sendWithReauthentication(request: Request): Promise<Response> {
  const retryRequest = request.clone()
  const response = await sendWhenAvailable(request)
  if (response.ok || response.status === 304) return response
  const apiRefusal = await parseRefusal(response)
  const reauthentication = findReauthentication(apiRefusal)
  if (reauthentication === undefined) throw apiRefusal
  if (!(await requestReauthentication(reauthentication))) throw apiRefusal
  return sendWithReauthentication(retryRequest)
}

async function sendOnce(request: Request): Promise<Response> {
  const response = await sendWhenAvailable(request)
  if (!response.ok) throw await parseRefusal(response)
  return response
}

const accountHeader: Middleware = {
  onRequest: ({ request }) => {
    if (accountId !== null) request.headers.set('x-account', accountId)
  },
}

const clientOptions = {
  baseUrl: location.origin,
  credentials: 'same-origin',
  // Repeated, as the interface reads lists.
  querySerializer: { array: { style: 'form', explode: true } },
} as const

/** The public interface, as a signed-in person. Every call throws a `ApiRefusal` for an answer that is a problem. */
export const apiClient = createClient<paths>({
  ...clientOptions,
  fetch: (request: Request) => sendWithRetries(request, sendWithReauthentication),
})
apiClient.use(accountHeader)

/** The same for signing in, where a refusal is an answer to be shown and nothing waits for a session. */
export const signInClient = createClient<paths>({
  ...clientOptions,
  fetch: (request: Request) => sendWithRetries(request, sendOnce),
})

interface CallAnswer<T> {
  data?: T
  response: Response
}

/** Returns the data of a call. */
export async function readAnswer<T>(call: Promise<CallAnswer<T>>): Promise<T> {
  return (await call).data as T
}

/** Returns the data of a call with its version (`ETag`), which a later write sends as `If-Match`. */
export async function readVersionedAnswer<T>(call: Promise<CallAnswer<T>>): Promise<{ data: T; etag: string | null }> {
  const { data: body, response } = await call
  return { data: body as T, etag: response.headers.get('etag') }
}

/** A page of a list, with the cursor of the next one (`Link`, RFC 8288). */
export async function readPagedAnswer<T>(
  call: Promise<CallAnswer<T[]>>,
): Promise<{ items: T[]; next: string | undefined }> {
  const { data: items = [], response } = await call
  const nextCursor = /<([^<>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  return { items, next: nextCursor && (new URL(nextCursor, location.origin).searchParams.get('after') ?? undefined) }
}

/** An address of the interface that a browser opens by itself: a download, a picture, a stream. */
export function buildApiUrl(path: string, query: Record<string, string | number | undefined> = {}): string {
  const queryParameters = new URLSearchParams(accountId === null ? {} : { account: accountId })
  for (const [name, value] of Object.entries(query)) if (value !== undefined) queryParameters.set(name, String(value))
  return queryParameters.size === 0 ? path : `${path}?${queryParameters}`
}

export { ApiRefusal }
