import { ApiRefusal, apiClient, readFullAnswer } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { parseDelimitedRows } from './columns/delimited.ts'
import type { ApiImportPreview } from './mapping.ts'

export type ListedApiImport = ApiAnswer<'listImports'>[number]
export type ApiImportRun = ApiAnswer<'getImportExecution'>
type ImportRuns = Exclude<ApiAnswer<'getImportExecutions'>, { state: number } & { id?: never }>

/** A preview reads no more of a text than its first MiB; an archive is needed whole. */
const MAX_PREVIEW_BYTES = (1 << 20) + (1 << 16)
/** The first bytes of archives and workbooks, whatever their names. */
const ZIP_SIGNATURE = 'PK\u0003\u0004'
export const isImportTextFile = async (file: File): Promise<boolean> =>
  /\.(?:csv|tsv|txt)$/i.test(file.name) && (await file.slice(0, ZIP_SIGNATURE.length).text()) !== ZIP_SIGNATURE

/** A file as the body of a request, with its name. */
function buildFileBody(file: Blob, name: string) {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
  }
  return { body: file, headers }
}

/** The encoding and the sheet that are chosen; by default the detected encoding and the first sheet. */
export interface ImportPreviewChoice {
  encoding?: string
  sheet?: string | undefined
}

const buildPreviewQuery = ({ encoding = 'auto', sheet }: ImportPreviewChoice) => ({
  encoding,
  ...(sheet !== undefined && { sheet }),
})

/** A preview of a file as chosen, with the mapping that would import it. */
export async function requestFilePreview(
  file: File,
  previewChoice: ImportPreviewChoice = {},
): Promise<ApiImportPreview> {
  const isTruncated = file.size > MAX_PREVIEW_BYTES && (await isImportTextFile(file))
  const previewContent = isTruncated ? file.slice(0, MAX_PREVIEW_BYTES) : file
  const params = { query: buildPreviewQuery(previewChoice) }
  return apiClient.previewImportFile({ ...params, ...buildFileBody(previewContent, file.name) })
}

/** A preview of the last file of an import; of its first sheet if it does not have the chosen one. */
export async function requestImportPreview(
  id: number,
  previewChoice: ImportPreviewChoice,
  signal: AbortSignal,
): Promise<ApiImportPreview> {
  const requestPreview = (query: ReturnType<typeof buildPreviewQuery>) =>
    apiClient.previewImportSource({ path: { id: String(id) }, query, signal })
  try {
    return (await requestPreview(buildPreviewQuery(previewChoice))) as unknown as ApiImportPreview
  } catch (error) {
    if (!(error instanceof ApiRefusal && error.kind === 'sheet-missing')) throw error
    return (await requestPreview(
      buildPreviewQuery({ ...previewChoice, sheet: undefined }),
    )) as unknown as ApiImportPreview
  }
}

export async function uploadImportFile(id: number, file: File): Promise<void> {
  await apiClient.uploadImportSource({ path: { id: String(id) }, ...buildFileBody(file, file.name) })
}

/** Starts a run of the last file, or tries it. */
export async function requestImportRun(id: number, dryRun: boolean): Promise<ApiImportRun> {
  const params = { path: { id: String(id) }, query: { dryRun } }
  return apiClient.executeImport(params)
}

/** Runs or dry runs of an import, newest first; none where none ever ran. */
export async function readImportRunList(
  id: number,
  { dryRun, limit, signal }: { dryRun: boolean; limit: number; signal: AbortSignal },
): Promise<ApiImportRun[]> {
  try {
    const params = { path: { id: String(id) }, query: { dryRun, limit } }
    const headers = { accept: 'application/json' }
    return (await apiClient.getImportExecutions({ ...params, headers, signal })) as ImportRuns as ApiImportRun[]
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 404) return []
    throw error
  }
}

/** One fault of a line. */
export interface ImportReject {
  line: string
  reason: string
  column: string
  content: string
}

/** Rows of the text of rejects (RFC 4180, `;`), whole ones alone. */
export function parseImportRejects(text: string): ImportReject[] {
  const rows = parseDelimitedRows(text.slice(0, text.lastIndexOf('\n') + 1), ';', Number.POSITIVE_INFINITY)
  return rows.slice(1).map(([line = '', reason = '', column = '', content = '']) => ({ line, reason, column, content }))
}

const MAX_REJECTS_BYTES = 64 * 1024

/** The beginning of the rejects of a run: as many as 64 KiB hold. */
export async function readFirstRejects(of: number, run: number, signal: AbortSignal): Promise<ImportReject[]> {
  const path = { id: String(of), execution: String(run) }
  const { response } = await readFullAnswer(apiClient.listImportExecutionRejects, { path, parseAs: 'stream', signal })
  const reader = response.body?.getReader()
  if (!reader) return []
  const decoder = new TextDecoder()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true })
    if (text.length > MAX_REJECTS_BYTES) break
  }
  await reader.cancel()
  return parseImportRejects(text)
}
