import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Member } from './zip.ts'

/** A tar archive as the system's own `tar` writes it, gzipped. */
export async function tgz(members: Member[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'stentor-tar-'))
  try {
    for (const { name, data } of members) await writeFile(join(folder, name), data)
    execFileSync('tar', ['-czf', 'made.tgz', ...members.map(({ name }) => name)], { cwd: folder })
    return await readFile(join(folder, 'made.tgz'))
  } finally {
    await rm(folder, { recursive: true })
  }
}
