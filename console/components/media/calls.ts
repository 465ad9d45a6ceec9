import { useInfiniteQuery } from '@tanstack/react-query'
import { ApiRefusal, accountId, apiClient, readPagedAnswer } from '../../api/client.ts'
import { parseRefusal, UnreachableError } from '../../api/refusal.ts'
import type { ApiAnswer } from '../../api/shapes.ts'

export type ApiMedia = ApiAnswer<'getMedia'>

/** Pictures that mail readers show. */
export const PICTURE_MIME_TYPES = 'image/png,image/jpeg,image/gif,image/webp'
/** Everything that is taken. */
export const MEDIA_MIME_TYPES = `${PICTURE_MIME_TYPES},image/svg+xml,application/pdf`

const PAGE_SIZE = 60
const MAX_ATTEMPTS = 10
const RETRY_PAUSE_MS = 1000

interface MediaSearch {
  q: string
  /** Pictures alone. */
  isPicture?: boolean
}

/** The media of the account, the newest first, a page at a time. */
export function useMediaList({ q, isPicture = false }: MediaSearch) {
  return useInfiniteQuery({
    queryKey: ['media', 'list', q, isPicture],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) => {
      const query = {
        newest: true,
        limit: PAGE_SIZE,
        ...(q !== '' && { q }),
        ...(isPicture && { type: 'image' as const }),
        ...(after !== undefined && { after }),
      }
      return readPagedAnswer(apiClient.listMedia, { query, signal })
    },
    getNextPageParam: ({ next }) => next,
  })
}

/** Sends a file by itself, as `fetch` does not say how much has left. */
function sendFile(file: File, onShare: (share: number) => void): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = new XMLHttpRequest()
  request.open('POST', `/media?${new URLSearchParams({ name: file.name })}`)
  request.setRequestHeader('content-type', 'application/octet-stream')
  if (accountId !== null) request.setRequestHeader('x-account', accountId)
  request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0)
  request.onerror = () => reject(new UnreachableError(undefined))
  request.onload = () => {
    const headers = new Headers()
    for (const name of ['content-type', 'retry-after', 'x-request-id']) {
      const value = request.getResponseHeader(name)
      if (value !== null) headers.set(name, value)
    }
    resolve(new Response(request.responseText, { status: request.status, headers }))
  }
  request.send(file)
  return promise
}

/** The same by `fetch`, which waits for a new sign-in where the session is over. */
function resendFile(file: File): Promise<ApiMedia> {
  const headers = { 'content-type': 'application/octet-stream' }
  return apiClient.uploadMedia({ query: { name: file.name }, headers, body: file })
}

/** Adds a file. The service reads one picture at a time: where it is busy with another, this one waits its turn. */
export async function uploadMedia(file: File, onShare: (share: number) => void): Promise<ApiMedia> {
  for (let attemptNumber = 1; ; attemptNumber++) {
    const response = await sendFile(file, onShare)
    if (response.ok) return response.json()
    if (response.status === 401) return resendFile(file)
    const refusal = await parseRefusal(response)
    if (refusal.status !== 503 || attemptNumber === MAX_ATTEMPTS) throw refusal
    await new Promise((done) => setTimeout(done, (refusal.retryAfterSeconds ?? 0) * 1000 || RETRY_PAUSE_MS))
  }
}

/** Returns the uses of the file if it was refused because something uses it. */
export function findMediaUses(error: unknown): { type: string; id: string | number; name: string }[] | undefined {
  if (!(error instanceof ApiRefusal) || error.kind !== 'media-in-use') return undefined
  return error.extras['links'] as { type: string; id: string | number; name: string }[]
}
