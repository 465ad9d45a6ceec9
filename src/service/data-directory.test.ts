import assert from 'node:assert/strict'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { secureDataDirectory } from './data-directory.ts'

const MOST_ENTRIES = 10_000

const root = mkdtempSync(join(tmpdir(), 'stentor-closing-'))
after(() => rmSync(root, { recursive: true, force: true }))
const modeOf = (path: string) => lstatSync(path).mode & 0o777

test('a start closes folders before what is in them, and looks at 10,000 entries at most', () => {
  const [deep, captured] = [join(root, 'imports', '1', '7'), join(root, 'captured')]
  mkdirSync(deep, { recursive: true })
  mkdirSync(captured)
  for (let n = 0; n < MOST_ENTRIES + 50; n++) writeFileSync(join(deep, String(n)), '')
  for (const folder of [root, join(root, 'imports'), join(root, 'imports', '1'), deep, captured])
    chmodSync(folder, 0o755)
  writeFileSync(join(root, 'note'), '')
  chmodSync(join(root, 'note'), 0o664)
  const warned: object[] = []
  secureDataDirectory({ dataDir: root, log: { warn: (details: object) => void warned.push(details) } })
  assert.equal(modeOf(root) & 0o066, 0)
  for (const folder of [join(root, 'imports'), join(root, 'imports', '1'), deep, captured])
    assert.equal(modeOf(folder), 0o700, folder)
  assert.equal(modeOf(join(root, 'note')), 0o600)
  let open = 0
  for (const name of readdirSync(deep)) if (modeOf(join(deep, name)) !== 0o600) open++
  // The directory itself, four folders and the note are among those it looked at.
  assert.equal(open, 50 + 6)
  assert.deepEqual(warned, [])
})
