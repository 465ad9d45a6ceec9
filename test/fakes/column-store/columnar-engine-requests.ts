import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { answerStream, answerWhole, type Exchange, refusalOf, refuse, type Stream } from './columnar-engine-answers.ts'
import type { Database, Ran } from './columnar-engine-library.ts'
import type { Pipes } from './columnar-engine-pipes.ts'
import { answersRows, formatOf, fromFile, intoFile, quote, splitInsert, takesBody } from './columnar-engine-sql.ts'

export interface Front {
  engine: Database
  pipes: Pipes
  scratch: string
  user: string
  password: string
  database: string
  /** The next statement with this text is run, and its connection broken instead of answered. */
  losing: string | undefined
}

/** Parameters of a request that are no settings of the statement. */
const OWN_PARAMETERS =
  /^(?:query|query_id|database|default_format|user|password|compress|decompress|enable_http_compression|wait_end_of_query|buffer_size|quota_key|stacktrace|role|session_id|session_timeout|session_check|close_session)$|^param_/

/** A request of ClickHouse's HTTP interface. */
export async function handleRequest(front: Front, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://engine.test')
  const exchange: Exchange = {
    response,
    queryId: searchParams.get('query_id') ?? randomUUID(),
    format: searchParams.get('default_format') ?? 'TabSeparated',
    gzip:
      searchParams.get('enable_http_compression') === '1' && `${request.headers['accept-encoding']}`.includes('gzip'),
    version: front.engine.version,
  }
  if (pathname === '/ping') return void response.end('Ok.\n')
  try {
    if (!isKnown(front, request, searchParams)) throw new Error(WRONG_PASSWORD)
    const form = await formOf(request)
    for (const [name, value] of form) searchParams.append(name, value)
    await answer(front, exchange, request, searchParams)
  } catch (error) {
    // A body that was not read to its end would be taken for the next request.
    if (!request.readableEnded) response.setHeader('Connection', 'close')
    if (response.headersSent) response.destroy()
    else refuse(exchange, refusalOf(error, front.engine.version))
  }
}

/** The statement and its parameters, where they came as the parts of a form. */
async function formOf(request: IncomingMessage): Promise<[string, string][]> {
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return []
  const form = await new Response(await buffer(request), { headers: { 'content-type': type } }).formData()
  return [...form].map(([name, value]) => [name, String(value)])
}

const LARGE = 1_000_000_000

const WRONG_PASSWORD =
  'Code: 516. DB::Exception: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)'

function isKnown({ user, password }: Front, { headers }: IncomingMessage, parameters: URLSearchParams): boolean {
  const basic = /^basic (.+)$/i.exec(headers.authorization ?? '')?.[1]
  const pair = basic === undefined ? undefined : Buffer.from(basic, 'base64').toString()
  if (pair !== undefined) return pair === `${user}:${password}`
  const name = headers['x-clickhouse-user'] ?? parameters.get('user') ?? 'default'
  const key = headers['x-clickhouse-key'] ?? parameters.get('password') ?? ''
  return name === user && key === password
}

async function answer(
  front: Front,
  exchange: Exchange,
  request: IncomingMessage,
  parameters: URLSearchParams,
): Promise<void> {
  const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
  const before = preparations(front, request, parameters)
  const query = parameters.get('query') ?? ''
  if (takesBody(query)) return await insert(front, exchange, { before, sql: query, body })
  const sql = [query, request.readableEnded ? '' : await text(body)].filter(Boolean).join('\n')
  if (sql.trim() === '') throw new Error('Code: 62. DB::Exception: Empty query. (SYNTAX_ERROR)')
  const inline = splitInsert(sql)
  if (inline) return await insert(front, exchange, { before, sql: inline.head, body: inline.data })
  exchange.format = formatOf(sql) ?? exchange.format
  if (!answersRows(sql)) return conclude(front, exchange, sql, await front.engine.run(before, sql, exchange.format))
  await front.pipes.use(async (path, out, close) => {
    const ran = front.engine.run(before, intoFile(sql, path, exchange.format), exchange.format).finally(close)
    await giveOut(front, exchange, { ran, out, path, whole: parameters.get('wait_end_of_query') === '1' })
  })
}

/** What comes before the statement on its connection: the database, the settings and the parameters it is asked with. */
function preparations(front: Front, { method }: IncomingMessage, given: URLSearchParams): string[] {
  const database = given.get('database') ?? front.database
  const pairs = [...given].filter(([name]) => /^\w+$/.test(name)).map(([name, value]) => [name, quote(value)] as const)
  const parameters = pairs.filter(([name]) => name.startsWith('param_'))
  const settings = pairs.filter(([name]) => !OWN_PARAMETERS.test(name))
  return [
    `use \`${database.replaceAll('`', '')}\``,
    // Their size is no part of the statement's.
    ...(parameters.length > 0
      ? [`set max_query_size = ${LARGE}`, setting(parameters), `set max_query_size = default`]
      : []),
    ...(settings.length > 0 ? [setting(settings)] : []),
    ...(method === 'GET' ? ['set readonly = 2'] : []),
  ]
}

const setting = (pairs: readonly (readonly [string, string])[]): string =>
  `set ${pairs.map(([name, value]) => `${name} = ${value}`).join(', ')}`

interface Insertion {
  before: readonly string[]
  sql: string
  body: Readable | string
}

/** Only a body that has come whole is inserted, and by way of a file, so that its size does not matter. */
async function insert(front: Front, exchange: Exchange, { before, sql, body }: Insertion): Promise<void> {
  const path = join(front.scratch, `body-${randomUUID()}`)
  try {
    if (typeof body === 'string') await writeFile(path, body)
    else await pipeline(body, createWriteStream(path))
    conclude(front, exchange, sql, await front.engine.run(before, fromFile(sql, path), exchange.format))
  } finally {
    await rm(path, { force: true })
  }
}

function conclude(front: Front, exchange: Exchange, sql: string, ran: Ran): void {
  if (front.losing !== undefined && sql.includes(front.losing)) {
    front.losing = undefined
    exchange.response.destroy()
  } else answerWhole(exchange, ran, /^\s*insert\b/i.test(sql))
}

interface Rows {
  ran: Promise<Ran>
  out: Readable
  path: string
  /** Nothing leaves before the statement has ended. */
  whole: boolean
}

async function giveOut({ engine }: Front, exchange: Exchange, { ran, out, path, whole }: Rows): Promise<void> {
  const failure = ran.then(
    () => undefined,
    (error: unknown) => refusalOf(error, engine.version),
  )
  const abandon = () => {
    out.destroy()
    void cancel(engine, path, ran)
  }
  exchange.response.once('close', abandon)
  const held: Buffer[] = []
  let stream: Stream | undefined
  try {
    for await (const chunk of out) {
      if (whole) held.push(chunk)
      else await (stream ??= answerStream(exchange)).write(chunk)
    }
  } catch (error) {
    // What ends before its end is the pipe of a caller who has gone.
    if (!exchange.response.closed) throw error
  }
  const refusal = await failure
  exchange.response.off('close', abandon)
  if (exchange.response.closed) return
  if (refusal && !stream) return refuse(exchange, refusal)
  stream ??= answerStream(exchange)
  for (const chunk of held) await stream.write(chunk)
  if (refusal) stream.fail(refusal)
  else stream.end()
}

const CANCEL_PAUSE_MS = 50

/** A statement goes on when nobody reads its pipe; the server ends it when its caller has gone. It may not have begun yet. */
async function cancel({ run }: Database, path: string, ran: Promise<unknown>): Promise<void> {
  let hasEnded = false
  const ended = ran.catch(() => undefined).then(() => (hasEnded = true))
  // In two parts, so that this statement is not one of those it is about.
  const [folder, name] = [dirname(path), basename(path)]
  const isIt = `position(query, concat(${quote(folder)}, '/', ${quote(`${name}'`)})) > 0`
  while (!hasEnded) {
    await run([], `kill query where ${isIt} async`, 'Null').catch(() => undefined)
    await Promise.race([ended, delay(CANCEL_PAUSE_MS)])
  }
}
