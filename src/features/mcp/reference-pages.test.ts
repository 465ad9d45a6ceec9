import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createPageList } from './reference-pages.ts'

const folder = await mkdtemp(join(tmpdir(), 'stentor-pages-'))
after(() => rm(folder, { recursive: true }))

describe('the pages of the documentation', () => {
  it('are read again after a failed attempt, and then once', async () => {
    const listPages = createPageList(pathToFileURL(`${folder}/`))
    await mkdir(join(folder, 'reference', 'limits.md'), { recursive: true })
    await assert.rejects(listPages(), { code: 'EISDIR' })
    await rmdir(join(folder, 'reference', 'limits.md'))
    await writeFile(join(folder, 'reference', 'limits.md'), '# Limits\n\nEvery limit, by area.\n')
    const pages = [{ path: 'reference/limits', title: 'Limits', summary: 'Every limit, by area.' }]
    assert.deepEqual(await listPages(), pages)
    await rm(join(folder, 'reference'), { recursive: true })
    assert.deepEqual(await listPages(), pages)
  })
})
