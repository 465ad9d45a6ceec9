import { useInfiniteQuery } from '@tanstack/react-query'
import { account, api, data, paged, Refusal } from '../../api/client.ts'
import { refusalOf, Unreachable } from '../../api/refusal.ts'
import type { Answer } from '../../api/shapes.ts'

export type Media = Answer<'/media/{id}', 'get'>

/** Pictures that mail readers show. */
export const PICTURES = 'image/png,image/jpeg,image/gif,image/webp'
/** Everything that is taken. */
export const FILES = `${PICTURES},image/svg+xml,application/pdf`

const PAGE = 60
const MOST_TRIES = 10
const PAUSE_MS = 1000

interface Sought {
  q: string
  /** Pictures alone. */
  isPicture?: boolean
}

/** The media of the account, the newest first, a page at a time. */
export function useMediaList({ q, isPicture = false }: Sought) {
  return useInfiniteQuery({
    queryKey: ['media', 'list', q, isPicture],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) => {
      const query = {
        ...{ newest: true, limit: PAGE },
        ...(q !== '' && { q }),
        ...(isPicture && { type: 'image' as const }),
        ...(after !== undefined && { after }),
      }
      return paged<Media>(api.GET('/media', { params: { query }, signal }))
    },
    getNextPageParam: ({ next }) => next,
  })
}

/** Sends a file by itself, as `fetch` does not say how much has left. */
function send(file: File, onShare: (share: number) => void): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = new XMLHttpRequest()
  request.open('POST', `/media?${new URLSearchParams({ name: file.name })}`)
  request.setRequestHeader('content-type', 'application/octet-stream')
  if (account !== null) request.setRequestHeader('x-account', account)
  request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0)
  request.onerror = () => reject(new Unreachable(undefined))
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
function sendAgain(file: File): Promise<Media> {
  const body = { body: file as never, bodySerializer: (one: unknown) => one as Blob }
  const headers = { 'content-type': 'application/octet-stream' }
  return data(api.POST('/media', { params: { query: { name: file.name } }, headers, ...body }))
}

/** Adds a file. The service reads one picture at a time: where it is busy with another, this one waits its turn. */
export async function uploadMedia(file: File, onShare: (share: number) => void): Promise<Media> {
  for (let tries = 1; ; tries++) {
    const response = await send(file, onShare)
    if (response.ok) return response.json()
    if (response.status === 401) return sendAgain(file)
    const refusal = await refusalOf(response)
    if (refusal.status !== 503 || tries === MOST_TRIES) throw refusal
    await new Promise((done) => setTimeout(done, (refusal.retryAfterSeconds ?? 0) * 1000 || PAUSE_MS))
  }
}

/** Whether it was refused because something shows it; then what. */
export function usesIn(error: unknown): { type: string; id: string | number; name: string }[] | undefined {
  if (!(error instanceof Refusal) || error.kind !== 'media-in-use') return undefined
  return error.extras['links'] as { type: string; id: string | number; name: string }[]
}
