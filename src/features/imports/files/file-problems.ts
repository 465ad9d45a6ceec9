import { conflictProblem, Problem } from '../../../lib/errors/problem.ts'

/** An archive that cannot be read: 400 when it is uploaded, the error of the run when it is found there. */
export function brokenArchiveProblem(why: string): Problem {
  return new Problem(400, 'archive-broken', `The archive is broken: ${why}. Create it again and upload it.`)
}

/** Files of an archive: each costs some time, whatever its size. */
export const MAX_ARCHIVE_FILES = 10_000

/** An archive with more files than are read. */
export function tooManyFilesProblem(): Problem {
  return brokenArchiveProblem(`it contains more than ${MAX_ARCHIVE_FILES} files`)
}

/** A workbook that cannot be read: 400 when it is uploaded, the error of the run when it is found there. */
export function brokenWorkbookProblem(why: string): Problem {
  return new Problem(400, 'workbook-broken', `The workbook is broken: ${why}. Save it again, or save the sheet as CSV.`)
}

/** A workbook that is protected by a password. */
export function encryptedWorkbookProblem(name: string): Problem {
  const detail = `"${name}" is protected by a password. Save it without a password, or save the sheet as CSV.`
  return new Problem(400, 'workbook-encrypted', detail)
}

const SAVE_AS_XLSX_HINT = 'save it as an Excel workbook (.xlsx) or as CSV.'

/** A spreadsheet in a format that is not read. */
export function unreadWorkbookProblem(workbookPart: string): Problem {
  return new Problem(400, 'workbook-unread', `${workbookPart} is not supported: ${SAVE_AS_XLSX_HINT}`)
}

/** A workbook without the sheet that is asked for. */
export function missingSheetProblem(sheet: string, names: readonly string[]): Problem {
  const quotedNames = names.slice(0, 20).map((name) => `"${name.slice(0, 100)}"`)
  return new Problem(400, 'sheet-missing', `There is no sheet "${sheet}". The workbook has ${quotedNames.join(', ')}.`)
}

/** 410 for a file that was removed, as files are after a time. */
export function fileGoneProblem(): Problem {
  return new Problem(410, 'file-gone', 'The file has been removed. Upload it again.')
}

/** 503 while the storage of files does not answer. */
export function storageUnavailableProblem(cause: unknown): Problem {
  const detail = 'The file storage is not responding. Try again.'
  return new Problem(503, 'storage-away', detail, { headers: { 'retry-after': '30' }, cause })
}

/** 400 for an upload that was idle for so long that it was removed. */
export function stalledUploadProblem(cause: unknown): Problem {
  return new Problem(400, 'upload-broken', 'The upload was idle for too long. Send it again.', { cause })
}

/** 413 for a file beyond `max` bytes. The rest of it is not read, so the connection cannot go on. */
export function fileTooLargeProblem(max: number): Problem {
  const detail = `The file has more than ${max} bytes. Split it, or raise importMaxBytes in /settings/contacts.`
  return new Problem(413, 'file-too-large', detail, { headers: { connection: 'close' } })
}

/** 415 for a body or a file name of a type that is not read. */
export function unsupportedFileProblem(fileLabel: string): Problem {
  const isSheet = /\.(?:xls|xlsb|xlt|ods|numbers)"$/i.test(fileLabel)
  const detail = isSheet
    ? `${fileLabel} is not supported: ${SAVE_AS_XLSX_HINT}`
    : `${fileLabel} is not supported: send .csv, .tsv, .txt, .xlsx, .xlsm, .zip, .gz, .tgz or .tar.gz.`
  return new Problem(415, 'unsupported-media-type', detail, { headers: { connection: 'close' } })
}

/** 409: an import runs once at a time, and is tried once at a time. */
export function importRunningProblem(id: number, dryRun: boolean): Problem {
  const runDescription = dryRun ? `A dry run of import ${id} is already running` : `Import ${id} is already running`
  return conflictProblem('import-running', `${runDescription}. Wait until it ends, or cancel it.`)
}
