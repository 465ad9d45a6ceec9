import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { type DropPlace, type DroppedFile, openDirectoryPlace } from './drop-place.ts'

const base = await mkdtemp(join(tmpdir(), 'stentor-drop-'))
after(() => rm(base, { recursive: true, force: true }))

const THEN = 1_700_000_000
let places = 0

/** A drop place with `in/a.csv`, and a folder outside of it with another file of the same name, length and time. */
async function makePlace(): Promise<{ place: DropPlace; root: string; outside: string }> {
  const folder = join(base, String(++places))
  const [root, outside] = [join(folder, 'place'), join(folder, 'outside')]
  for (const [path, text] of [
    [join(root, 'in'), 'own'],
    [outside, 'far'],
  ] as const) {
    await mkdir(path, { recursive: true })
    await writeFile(join(path, 'a.csv'), text)
    await utimes(join(path, 'a.csv'), THEN, THEN)
  }
  return { place: openDirectoryPlace(root), root, outside }
}

async function contentOf(place: DropPlace, file: DroppedFile): Promise<string> {
  return Buffer.concat(await Array.fromAsync(place.read('in', file))).toString()
}

async function listed(place: DropPlace): Promise<DroppedFile> {
  const [file] = await place.list('in')
  assert.ok(file)
  return file
}

suite('a directory as a drop place', () => {
  test('reads a file as it was listed', async () => {
    const { place } = await makePlace()
    assert.equal(await contentOf(place, await listed(place)), 'own')
  })

  test('does not read a name that became a link out of it after it was listed', async () => {
    const { place, root, outside } = await makePlace()
    const file = await listed(place)
    await rm(join(root, 'in', 'a.csv'))
    await symlink(join(outside, 'a.csv'), join(root, 'in', 'a.csv'))
    await assert.rejects(contentOf(place, file), /outside the drop folder/)
  })

  test('does not read a file that was written to or exchanged after it was listed', async () => {
    const { place, root } = await makePlace()
    const file = await listed(place)
    await writeFile(join(root, 'in', 'a.csv'), 'own and more')
    await assert.rejects(contentOf(place, file), /changed after it was listed/)
    await rm(join(root, 'in', 'a.csv'))
    execFileSync('mkfifo', [join(root, 'in', 'a.csv')])
    await assert.rejects(contentOf(place, file), /changed after it was listed/)
  })

  test('neither reads nor moves a file elsewhere while its folder is exchanged for a link over and over', async (t) => {
    const { place, root, outside } = await makePlace()
    const file = await listed(place)
    for (let nth = 0; nth < 200; nth++) await writeFile(join(root, 'in', `${nth}.csv`), 'own')
    const [own, link, away] = [join(root, 'in'), join(root, 'link'), join(root, 'away')]
    await symlink(outside, link)
    let isOver = false
    const exchanging = (async () => {
      while (!isOver) {
        await rename(own, away)
        await rename(link, own)
        await rename(own, link)
        await rename(away, own)
      }
    })()
    t.after(() => exchanging)
    const read = new Set<string>()
    for (let nth = 0; nth < 200; nth++) {
      await contentOf(place, file).then(
        (text) => read.add(text),
        () => undefined,
      )
      await place.move('in', `${nth}.csv`, 'done').catch(() => undefined)
    }
    isOver = true
    await exchanging
    assert.ok(!read.has('far'), 'a file outside was read')
    assert.equal(await readFile(join(outside, 'a.csv'), 'utf8'), 'far')
    // Elsewhere than on Linux a folder that is opened cannot be named.
    if (process.platform === 'linux') assert.deepEqual(await readdir(outside), ['a.csv'])
  })
})
