import { join } from 'node:path'
import { listQuarantinedSpoolFiles } from '../../lib/files/spool.ts'
import type { DoctorFinding } from './finding.ts'

/** Findings on files of the spools of hits and mails that cannot be read, or hold something else. */
export async function checkSpoolFiles(dataDir: string): Promise<DoctorFinding[]> {
  const spoolFolders = [join(dataDir, 'spool'), join(dataDir, 'spool', 'mail')]
  const fileLists = await Promise.all(
    spoolFolders.map(async (spool) => (await listQuarantinedSpoolFiles(spool)).map((name) => join(spool, name))),
  )
  return fileLists.flat().map((file) => ({
    subject: 'spool',
    ok: false,
    seen: `unreadable file ${file}`,
    advice: 'Everything readable in it has been stored. Inspect the file, then delete it.',
  }))
}
