import { createClient } from '../../clients/typescript/src/generated/client/index.ts'
import { Operations } from '../../clients/typescript/src/generated/sdk.gen.ts'
import type { AnswerOf, ItemOf, Operation, OptionsOf } from '../../clients/typescript/src/pages.ts'
import { waitForService } from './connection.ts'
import { saveBeforePreviews } from './previews.ts'
import { sendWithReauthentication } from './reauthentication.ts'
import { ApiRefusal, parseRefusal, UnreachableError } from './refusal.ts'
import { sendWithRetries } from './repeats.ts'

/** The account that the address names: /console/ACME001/…; null on pages of no account. */
export const accountId: string | null = /^\/console\/([A-Z0-9]{7})(?:\/|$)/.exec(location.pathname)?.[1] ?? null

/** Base path of the pages of the account. */
export const accountBasePath = accountId === null ? '/console' : `/console/${accountId}`

const SAVING_METHODS = new Set(['PUT', 'PATCH', 'DELETE'])

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

async function sendOnce(request: Request): Promise<Response> {
  const response = await sendWhenAvailable(request)
  if (!response.ok) throw await parseRefusal(response)
  return response
}

type SendRequest = (request: Request) => Promise<Response>

/** Sends the requests of operations by `send`, with these headers. */
const createRequestClient = (send: SendRequest, headers: Record<string, string>) =>
  createClient({
    baseUrl: location.origin,
    credentials: 'same-origin',
    headers,
    // What an operation answers in another type is asked for by name.
    parseAs: 'json',
    throwOnError: true,
    // The generated client gives it whole requests.
    fetch: ((request: Request) => {
      const sendRetried = () => sendWithRetries(request, send)
      return SAVING_METHODS.has(request.method) ? saveBeforePreviews(sendRetried) : sendRetried()
    }) as typeof fetch,
  })

const accountClient = createRequestClient(
  (request) => sendWithReauthentication(request, sendWhenAvailable),
  accountId === null ? {} : { 'x-account': accountId },
)

/** The public interface, as a signed-in person. Every call throws a `ApiRefusal` for an answer that is a problem. */
export const apiClient = new Operations({ client: accountClient })

/** The same for signing in, where a refusal is an answer to be shown and nothing waits for a session. */
export const signInClient = new Operations({ client: createRequestClient(sendOnce, {}) })

/** The answer of an operation with its response, for what headers and status say. */
export async function readFullAnswer<Asked extends Operation>(
  operation: Asked,
  options?: OptionsOf<Asked>,
): Promise<{ data: AnswerOf<Asked>; response: Response }> {
  const call = operation.call(apiClient, { ...options, responseStyle: 'fields' })
  return (await call) as { data: AnswerOf<Asked>; response: Response }
}

/** The answer of an operation with its version (`ETag`), which a later write sends as `If-Match`. */
export async function readVersionedAnswer<Asked extends Operation>(
  operation: Asked,
  options?: OptionsOf<Asked>,
): Promise<{ data: AnswerOf<Asked>; etag: string | null }> {
  const { data, response } = await readFullAnswer(operation, options)
  return { data, etag: response.headers.get('etag') }
}

/** A page of a list, with the cursor of the next one (`Link`, RFC 8288). */
export async function readPagedAnswer<Asked extends Operation>(
  operation: Asked,
  options?: OptionsOf<Asked>,
): Promise<{ items: ItemOf<Asked>[]; next: string | undefined }> {
  const { data, response } = await readFullAnswer(operation, options)
  const nextCursor = /<([^<>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  const next = nextCursor && (new URL(nextCursor, location.origin).searchParams.get('after') ?? undefined)
  return { items: data as ItemOf<Asked>[], next }
}

/** Events of the account as they are published (`text/event-stream`), which no operation of the client answers. */
export async function openEventStream(signal: AbortSignal): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const headers = { accept: 'text/event-stream' }
  const { response } = await accountClient.get({
    url: '/events/stream',
    headers,
    signal,
    parseAs: 'stream',
    throwOnError: true,
  })
  return response.body!
}

/** An address of the interface that a browser opens by itself: a download, a picture, a stream. */
export function buildApiUrl(path: string, query: Record<string, string | number | undefined> = {}): string {
  const queryParameters = new URLSearchParams(accountId === null ? {} : { account: accountId })
  for (const [name, value] of Object.entries(query)) if (value !== undefined) queryParameters.set(name, String(value))
  return queryParameters.size === 0 ? path : `${path}?${queryParameters}`
}

export { ApiRefusal }
