import type { Selectable } from 'kysely'
import type { ImportsTable, ImportUploadsTable } from '../../database/tables.ts'
import { badRequest } from '../../lib/problem.ts'
import type { Source, SourceBody } from './import-schemas.ts'

/** What an import stores of its source; the file of a `file` source is its last upload. */
export type StoredSource = { type: 'file' } | { type: 'ftp'; folder: string; templateFilename: string }

const DEFAULTS = { folder: '{id} - {name}', templateFilename: '*' }
const LONGEST = 500

function readPlace(given: string | undefined, pointer: string, fallback: string): string {
  const text = given ?? fallback
  if (text.trim() === '' || text.length > LONGEST) {
    throw badRequest(pointer, `must be a text of 1 to ${LONGEST} characters`)
  }
  if (/^([/\\]|[A-Za-z]:)/.test(text) || text.split(/[/\\]/).includes('..') || /[\u0000-\u001f]/.test(text)) {
    throw badRequest(pointer, 'must stay within the drop place: neither absolute nor with ".."')
  }
  return text
}

/** Reads the source of a request over the one that is stored. Throws 400. */
export function readSource(given: SourceBody, present: StoredSource): StoredSource {
  const type = given.type ?? present.type
  if (type === 'file') return { type: 'file' }
  const before = present.type === 'ftp' ? present : DEFAULTS
  return {
    type: 'ftp',
    folder: readPlace(given.folder, '/source/folder', before.folder),
    templateFilename: readPlace(given.templateFilename, '/source/templateFilename', before.templateFilename),
  }
}

type Upload = Pick<Selectable<ImportUploadsTable>, 'id' | 'filename' | 'uploaded_at'>

/** The source as the interface shows it. `upload`: the last file, if there is one. */
export function showSource(
  row: Pick<Selectable<ImportsTable>, 'source' | 'created_at' | 'updated_at'>,
  upload: Upload | undefined,
): Source {
  const source = row.source as StoredSource
  const creationDate = row.created_at.toISOString()
  if (source.type === 'ftp') {
    return { ...source, id: null, creationDate, updateDate: row.updated_at?.toISOString() ?? null, filename: null }
  }
  return {
    type: 'file',
    id: upload?.id ?? null,
    creationDate,
    updateDate: upload?.uploaded_at.toISOString() ?? null,
    filename: upload?.filename ?? null,
  }
}
