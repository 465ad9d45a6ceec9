import { type ImportPreviewChoice, isImportTextFile, requestFilePreview } from '../calls.ts'
import type { ApiImportPreview } from '../mapping.ts'
import { parseDelimitedRows } from './delimited.ts'

const MAX_SAMPLE_BYTES = 4 << 20
const MAX_SAMPLE_ROWS = 10_000

/** Rows of a file without its headings. */
export interface ImportSample {
  rows: readonly (readonly string[])[]
  isWhole: boolean
}

/** The name of an encoding as browsers know it. */
const toDecoderLabel = (encoding: string): string => (encoding === 'macroman' ? 'macintosh' : encoding)

/** Up to 10,000 rows of a text file; of archives and workbooks, the rows of the preview. */
export async function sampleImportRows(file: File, preview: ApiImportPreview): Promise<ImportSample> {
  const { lines, sheet, files, encoding, separator, columns } = preview
  const previewSample = { rows: lines, isWhole: files.length === 1 && lines.length < 20 }
  if (sheet !== null || files.length > 1 || !(await isImportTextFile(file))) return previewSample
  const content = await file.slice(0, MAX_SAMPLE_BYTES).arrayBuffer()
  const text = new TextDecoder(toDecoderLabel(encoding)).decode(content)
  const allRows = parseDelimitedRows(text, String.fromCharCode(separator), MAX_SAMPLE_ROWS + 2)
  const isAllRead = content.byteLength === file.size
  const completeRows = isAllRead ? allRows : allRows.slice(0, -1)
  const dataRows = completeRows[0]?.join('').startsWith('sep=') ? completeRows.slice(1) : completeRows
  const hasHeadings = columns.some(({ heading }) => heading !== null)
  const rows = (hasHeadings ? dataRows.slice(1) : dataRows).slice(0, MAX_SAMPLE_ROWS)
  return { rows, isWhole: isAllRead && allRows.length <= MAX_SAMPLE_ROWS }
}

/** A file as it is previewed, with its sampled rows. */
export interface PreviewedImportFile {
  preview: ApiImportPreview
  sample: ImportSample
}

/** The preview of a file as chosen, and a sample of its rows. */
export async function previewImportFile(file: File, choice: ImportPreviewChoice = {}): Promise<PreviewedImportFile> {
  const preview = await requestFilePreview(file, choice)
  return { preview, sample: await sampleImportRows(file, preview) }
}
