import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import {
  brokenArchiveProblem,
  brokenWorkbookProblem,
  encryptedWorkbookProblem,
  unreadWorkbookProblem,
} from './file-problems.ts'

/** The kind of a file by its first bytes; workbooks are zip archives. */
export type FileKind = 'plain' | 'zip' | 'gzip'

const MAGIC_BYTES = [
  { kind: 'zip', bytes: Buffer.from([0x50, 0x4b, 0x03, 0x04]) },
  { kind: 'gzip', bytes: Buffer.from([0x1f, 0x8b]) },
  { kind: 'compound', bytes: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) },
] as const

/** The number of first bytes that decide the kind of a file. */
export const FILE_MAGIC_BYTES = 8

/**
 * Detects the kind of a file by its first bytes. Throws the Problems `archive-broken` and `workbook-broken` for one that is an archive or a
 * workbook by name only, `workbook-encrypted` and `workbook-unread`.
 */
export async function detectFileKind({ path, name }: { path: string; name: string }): Promise<FileKind> {
  const file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(FILE_MAGIC_BYTES), 0, FILE_MAGIC_BYTES, 0).finally(() => file.close())
  return detectFileHeadKind(buffer, name)
}

const WORKBOOK_NAME = /\.xls[xm]$/i

/** As `detectFileKind`, by the first 8 bytes. */
export function detectFileHeadKind(head: Buffer, name: string): FileKind {
  const kind = MAGIC_BYTES.find(({ bytes }) => head.subarray(0, bytes.length).equals(bytes))?.kind ?? 'plain'
  // Workbooks with a password and those of old programs are containers of one kind.
  if (kind === 'compound' && WORKBOOK_NAME.test(name)) throw encryptedWorkbookProblem(name)
  if (kind === 'compound') throw unreadWorkbookProblem(`"${name}", an old workbook (.xls) or one with a password,`)
  if (kind === 'plain' && /\.(zip|gz|tgz)$/i.test(name)) throw brokenArchiveProblem('it does not start like an archive')
  if (kind !== 'zip' && WORKBOOK_NAME.test(name))
    throw brokenWorkbookProblem(`"${name}" does not start like a workbook`)
  return kind
}

/** True if a file of an archive is read, by its name. */
export function isImportableText(name: string): boolean {
  return /\.(csv|tsv|txt|xls[xm])$/i.test(name) && !basename(name).startsWith('.') && !name.startsWith('__MACOSX/')
}
