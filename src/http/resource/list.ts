import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { acceptsMediaType, NDJSON_MEDIA_TYPE } from '../../lib/accepts.ts'
import { sealListCursor, unsealListCursor } from '../../lib/crypto/cursors.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { createTextStream } from '../../lib/files/eager-stream.ts'
import { setAnswerIdleTimeout } from '../../lib/net/idle-timeout.ts'
import type { HttpApp } from '../app-type.ts'

/** Parameters of every list. */
export const ListPageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'Maximum number of items on a page. Absent: the whole list is streamed.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      description:
        'Cursor of the page, from the `next` link in the `Link` header of the page before. Absent: first page.',
    }),
  ),
})

/** Documents an answer that a handler sends by itself, as `sendList` does. */
export function declareStreamedAnswer(schema: TSchema) {
  return Type.Unsafe<FastifyReply>(schema)
}

/** The page of a list to read: the items after a key, in order, at most `limit` of them. */
export interface ListPageRequest<Key> {
  after: Key | undefined
  limit: number | undefined
}

export interface ListSource<Item, Key> {
  rows: (page: ListPageRequest<Key>) => AsyncIterable<Item>
  /** The key of an item: JSON, and what `after` continues from. */
  key: (item: Item) => Key
  /** The representation of an item; absent means the whole item. */
  show?: (item: Item) => unknown
  /** Checks a key that came back from a caller. */
  readKey: (value: unknown) => Key | undefined
  /** One item a line with Accept: application/x-ndjson. */
  lines?: boolean
}

/** The text around the items. */
interface ListFraming {
  type: string
  before: string
  between: string
  /** After the last of some, and of none. */
  after: string
  empty: string
}

const ARRAY_FRAMING: ListFraming = {
  type: 'application/json; charset=utf-8',
  before: '[',
  between: ',',
  after: ']',
  empty: '[]',
}
const LINES_FRAMING: ListFraming = { type: NDJSON_MEDIA_TYPE, before: '', between: '\n', after: '\n', empty: '' }

const CHUNK_LENGTH = 32 * 1024

async function* renderChunks(
  first: IteratorResult<unknown>,
  remainingItems: AsyncIterator<unknown>,
  { before, between, after }: ListFraming,
): AsyncGenerator<string> {
  let chunk = before
  let separator = ''
  for (let item = first; !item.done; item = await remainingItems.next()) {
    chunk += separator + JSON.stringify(item.value)
    separator = between
    if (chunk.length >= CHUNK_LENGTH) {
      yield chunk
      chunk = ''
    }
  }
  yield chunk + after
}

/**
 * Streams items as a JSON array with back-pressure. The first item is read before the headers go, so that an error of
 * the query becomes a problem document; a later one closes the connection before the closing bracket.
 */
export async function sendJsonArray(
  reply: FastifyReply,
  items: AsyncIterable<unknown>,
  framing = ARRAY_FRAMING,
): Promise<FastifyReply> {
  const iterator = items[Symbol.asyncIterator]()
  const firstItem = await iterator.next()
  if (firstItem.done) return reply.type(framing.type).send(framing.empty)
  setAnswerIdleTimeout(reply.raw)
  return reply.type(framing.type).send(createTextStream(renderChunks(firstItem, iterator, framing), iterator))
}

/** Cursors of lists are sealed with the keys that every process shares. */
export function registerListCursors(app: HttpApp, { masterKeys }: { masterKeys: MasterKeys }): void {
  app.decorate('cursors', {
    write: (request, key) => sealListCursor(masterKeys, getCursorScope(request), key),
    read: (request, text) => unsealListCursor(masterKeys, getCursorScope(request), text),
  })
}

/** A cursor is one of a route, in one account. */
function getCursorScope({ account, routeOptions }: FastifyRequest): string {
  return `${account} ${routeOptions.url}`
}

function parseCursor<Key>(
  request: FastifyRequest<{ Querystring: { after?: string } }>,
  readKey: (value: unknown) => Key | undefined,
): Key | undefined {
  const { after } = request.query
  if (after === undefined) return undefined
  const key = readKey(request.server.cursors.read(request, after))
  if (key === undefined) throw badRequestProblem('after', 'is not a cursor of a page of this list')
  return key
}

function buildNextLink(request: FastifyRequest, cursor: string): string {
  const [path, query] = request.url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('after', cursor)
  return `<${path}?${parameters}>; rel="next"`
}

async function* mapItems<Item>(items: AsyncIterable<Item>, show: (item: Item) => unknown): AsyncGenerator<unknown> {
  for await (const item of items) yield show(item)
}

/** Answers a list: whole and streamed, or with `limit` a page whose successor is in `Link` (RFC 8288). */
export async function sendList<Item, Key>(
  request: FastifyRequest<{ Querystring: { limit?: number; after?: string } }>,
  reply: FastifyReply,
  source: ListSource<Item, Key>,
): Promise<FastifyReply> {
  const { limit } = request.query
  const page = { after: parseCursor(request, source.readKey), limit: limit === undefined ? undefined : limit + 1 }
  const { show = (item) => item } = source
  const framing = source.lines && acceptsMediaType(request, NDJSON_MEDIA_TYPE) ? LINES_FRAMING : ARRAY_FRAMING
  const rows = source.rows(page)
  if (limit === undefined) return sendJsonArray(reply, mapItems(rows, show), framing)
  const items = await Array.fromAsync(rows)
  const pageItems = items.slice(0, limit)
  const lastItem = pageItems.at(-1)
  if (items.length > limit && lastItem !== undefined) {
    reply.header('link', buildNextLink(request, request.server.cursors.write(request, source.key(lastItem))))
  }
  const { type, before, between, after: closing, empty } = framing
  const itemTexts = pageItems.map((item) => JSON.stringify(show(item)))
  return reply.type(type).send(itemTexts.length === 0 ? empty : before + itemTexts.join(between) + closing)
}

/** The key of lists by ascending numeric id. */
export function parseNumericListKey(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}
