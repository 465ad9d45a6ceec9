import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { createGzip } from 'node:zlib'
import type { Ran } from './columnar-engine-library.ts'

export interface Exchange {
  response: ServerResponse
  queryId: string
  format: string
  gzip: boolean
  version: string
}

/** As the server chooses them by the code of the error; all others are 500. */
const STATUSES: Record<number, number> = {
  ...Object.fromEntries([192, 193, 516].map((code) => [code, 403])),
  ...Object.fromEntries([6, 25, 26, 27, 36, 38, 41, 53, 62, 72, 117, 167, 168, 456, 457].map((code) => [code, 400])),
  ...Object.fromEntries([46, 47, 50, 56, 60, 63, 73, 81, 115].map((code) => [code, 404])),
  48: 501,
  194: 401,
}

export interface Refusal {
  code: number
  text: string
}

/** The error of the library, which begins with its code, as the server writes it. */
export function refusalOf(error: unknown, version: string): Refusal {
  const message = error instanceof Error ? error.message.trim() : String(error)
  const code = Number(/^Code: (\d+)\./.exec(message)?.[1] ?? 1002)
  return { code, text: `${message} (version ${version})\n` }
}

const summaryOf = (ran: Ran | undefined, isWrite: boolean): string =>
  JSON.stringify({
    read_rows: String(isWrite ? 0 : (ran?.rowsRead ?? 0)),
    read_bytes: String(isWrite ? 0 : (ran?.bytesRead ?? 0)),
    written_rows: String(isWrite ? (ran?.rowsRead ?? 0) : 0),
    written_bytes: String(isWrite ? (ran?.bytesRead ?? 0) : 0),
    total_rows_to_read: '0',
    result_rows: String(isWrite ? (ran?.rowsRead ?? 0) : 0),
    result_bytes: String(isWrite ? (ran?.bytesRead ?? 0) : 0),
    elapsed_ns: String(Math.round((ran?.elapsed ?? 0) * 1e9)),
  })

function setHead({ response, queryId, format }: Exchange): void {
  response.setHeader('X-ClickHouse-Query-Id', queryId)
  response.setHeader('X-ClickHouse-Format', format)
  response.setHeader('X-ClickHouse-Timezone', 'UTC')
  response.setHeader('Content-Type', format.startsWith('JSON') ? 'application/json; charset=UTF-8' : 'text/plain')
}

/** Answers an error, when nothing of the answer has left yet. */
export function refuse(exchange: Exchange, { code, text }: Refusal): void {
  setHead(exchange)
  exchange.response.setHeader('X-ClickHouse-Exception-Code', code)
  exchange.response.setHeader('Content-Type', 'text/plain; charset=UTF-8')
  exchange.response.writeHead(STATUSES[code] ?? 500).end(text)
}

/** Answers a statement that has run, with what it gave. */
export function answerWhole(exchange: Exchange, ran: Ran, isWrite: boolean): void {
  setHead(exchange)
  exchange.response.setHeader('X-ClickHouse-Summary', summaryOf(ran, isWrite))
  exchange.response.writeHead(200).end(ran.bytes)
}

export interface Stream {
  /** Resolves when more may be written, or when the caller has gone. */
  write(chunk: Buffer): Promise<void>
  end(): void
  /** What the server does when it fails halfway: an error between marks, and an answer that does not end as it should. */
  fail(refusal: Refusal): void
}

/** Answers with what comes while a statement runs. */
export function answerStream(exchange: Exchange): Stream {
  const { response, gzip } = exchange
  const tag = randomBytes(8).toString('hex')
  setHead(exchange)
  response.setHeader('X-ClickHouse-Summary', summaryOf(undefined, false))
  response.setHeader('X-ClickHouse-Exception-Tag', tag)
  if (gzip) response.setHeader('Content-Encoding', 'gzip')
  response.writeHead(200)
  const sink = gzip ? createGzip({ level: 1 }) : response
  if (sink !== response) sink.pipe(response)
  return {
    write: (chunk) =>
      new Promise((resolve) => {
        if (response.closed || sink.write(chunk)) return resolve()
        const go = () => {
          sink.off('drain', go)
          response.off('close', go)
          resolve()
        }
        sink.on('drain', go)
        response.on('close', go)
      }),
    end: () => sink.end(),
    fail({ text }) {
      const length = Buffer.byteLength(text)
      const marked = `\r\n__exception__\r\n${tag}\r\n${text}${length} ${tag}\r\n__exception__\r\n`
      sink.write(marked, () => response.socket?.end())
    },
  }
}
