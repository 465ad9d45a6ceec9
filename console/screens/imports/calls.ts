import { api, data, Refusal } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import type { Preview } from './mapping.ts'

export type Import = Answer<'/imports', 'get'>[number]
export type Run = Answer<'/imports/{id}/executions/{execution}', 'get'>
type Runs = Exclude<Answer<'/imports/{id}/executions', 'get'>, { state: number } & { id?: never }>

/** A preview reads no more of a text than its first MiB; an archive is needed whole. */
const PREVIEW_BYTES = (1 << 20) + (1 << 16)
/** The first bytes of archives and workbooks, whatever their names. */
const ZIP = 'PK\u0003\u0004'
const isText = async (file: File): Promise<boolean> =>
  /\.(?:csv|tsv|txt)$/i.test(file.name) && (await file.slice(0, ZIP.length).text()) !== ZIP

/** A file as the body of a request, with its name; the interface types no bodies of bytes. */
function fileBody(file: Blob, name: string) {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
  }
  return { body: file as never, bodySerializer: (body: unknown) => body as Blob, headers }
}

/** The encoding and the sheet that are chosen; by default the detected encoding and the first sheet. */
export interface Chosen {
  encoding?: string
  sheet?: string | undefined
}

const chosenQuery = ({ encoding = 'auto', sheet }: Chosen) => ({ encoding, ...(sheet !== undefined && { sheet }) })

/** A preview of a file as chosen, with the mapping that would import it. */
export async function previewOf(file: File, chosen: Chosen = {}): Promise<Preview> {
  const isCut = file.size > PREVIEW_BYTES && (await isText(file))
  const content = isCut ? file.slice(0, PREVIEW_BYTES) : file
  const params = { query: chosenQuery(chosen) }
  return data(api.POST('/imports/preview', { params, ...fileBody(content, file.name) }))
}

/** A preview of the last file of an import; of its first sheet if it does not have the chosen one. */
export async function previewOfImport(id: number, chosen: Chosen, signal: AbortSignal): Promise<Preview> {
  const read = (query: ReturnType<typeof chosenQuery>) =>
    data(api.GET('/imports/{id}/source/preview', { params: { path: { id: String(id) }, query }, signal }))
  try {
    return (await read(chosenQuery(chosen))) as unknown as Preview
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'sheet-missing')) throw error
    return (await read(chosenQuery({ ...chosen, sheet: undefined }))) as unknown as Preview
  }
}

export async function uploadTo(id: number, file: File): Promise<void> {
  await api.PUT('/imports/{id}/source', { params: { path: { id: String(id) } }, ...fileBody(file, file.name) })
}

/** Starts a run of the last file, or tries it. */
export async function startRun(id: number, dryRun: boolean): Promise<Run> {
  const params = { path: { id: String(id) }, query: { dryRun } }
  return data(api.POST('/imports/{id}/executions', { params }))
}

/** Runs or dry runs of an import, newest first; none where none ever ran. */
export async function readRuns(
  id: number,
  { dryRun, limit, signal }: { dryRun: boolean; limit: number; signal: AbortSignal },
): Promise<Run[]> {
  try {
    const params = { path: { id: String(id) }, query: { dryRun, limit } }
    const headers = { accept: 'application/json' }
    return (await data(api.GET('/imports/{id}/executions', { params, headers, signal }))) as Runs as Run[]
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return []
    throw error
  }
}

/** One fault of a line. */
export interface Reject {
  line: string
  reason: string
  column: string
  content: string
}

/** Rows of the text of rejects (RFC 4180, `;`), whole ones alone. */
export function readRejects(text: string): Reject[] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^;\r\n"]*))(;|\r?\n)/gy)) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === ';') continue
    rows.push(row)
    row = []
  }
  return rows.slice(1).map(([line = '', reason = '', column = '', content = '']) => ({ line, reason, column, content }))
}

const REJECTS_BYTES = 64 * 1024

/** The beginning of the rejects of a run: as many as 64 KiB hold. */
export async function firstRejects(of: number, run: number, signal: AbortSignal): Promise<Reject[]> {
  const params = { path: { id: String(of), execution: String(run) } }
  const options = { params, parseAs: 'stream' as const, signal }
  const { response } = await api.GET('/imports/{id}/executions/{execution}/rejects', options)
  const reader = response.body?.getReader()
  if (!reader) return []
  const decoder = new TextDecoder()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true })
    if (text.length > REJECTS_BYTES) break
  }
  await reader.cancel()
  return readRejects(text)
}
