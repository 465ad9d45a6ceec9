import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'

const ROOT = join(import.meta.dirname, '../../..')
const isCheckout = spawnSync('git', ['rev-parse', '--verify', 'HEAD'], { cwd: ROOT }).status === 0

suite('release', { skip: !isCheckout && 'this is no checkout of git' }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'stentor-release-'))
  after(() => rm(directory, { recursive: true, force: true }))
  const folder = join(directory, 'checkout')
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim()
  if (isCheckout) {
    execFileSync('git', ['clone', '--quiet', ROOT, folder])
    git('config', 'user.name', 'Release Test')
    git('config', 'user.email', 'release@stentor.example')
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, '.git/info/exclude'), 'node_modules\n')
  }
  const release = (...words: string[]) => {
    const script = [join(ROOT, 'scripts/release.ts'), ...words]
    const { status, stdout, stderr } = spawnSync(process.execPath, script, { cwd: folder, encoding: 'utf8' })
    return { status, out: stdout + stderr }
  }
  const version = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).version as string
  const files = join(folder, 'build/release', version)

  test('as a dry run makes notes, archives and checksums, and changes nothing else', async () => {
    const before = git('rev-parse', 'HEAD')
    const { status, out } = release('--dry-run')
    assert.equal(status, 0, out)
    assert.deepEqual([git('rev-parse', 'HEAD'), git('tag'), git('status', '--porcelain')], [before, '', ''])
    const names = await readdir(files)
    const wanted = ['SHA256SUMS', 'notes.md', `stentor-${version}.tar.gz`, 'stentor-client-8.1.0.tgz']
    for (const name of [...wanted, `stentor-client-python-${version}.tar.gz`, `stentor-client-php-${version}.zip`])
      assert.ok(names.includes(name), `${name} is missing: ${names}`)
    for (const line of (await readFile(join(files, 'SHA256SUMS'), 'utf8')).trim().split('\n')) {
      const [hash, name = ''] = line.split('  ')
      assert.equal(
        createHash('sha256')
          .update(await readFile(join(files, name)))
          .digest('hex'),
        hash,
        name,
      )
    }
    const listed = execFileSync('tar', ['-tzf', join(files, `stentor-${version}.tar.gz`)], { encoding: 'utf8' })
    assert.match(listed, new RegExp(`^stentor-${version}/src/main.ts$`, 'm'))
    assert.match(await readFile(join(files, 'notes.md'), 'utf8'), /^The first release\./)
  })

  test('is refused with changes that are not committed, and for another version', async () => {
    assert.match(release('9.9.9').out, /package\.json has version .*, not 9\.9\.9\./)
    await writeFile(join(folder, 'README.md'), 'changed')
    const { status, out } = release('--dry-run')
    assert.deepEqual([status, out], [1, 'Nothing is released. There are changes that are not committed.\n'])
    git('checkout', '--quiet', 'README.md')
  })

  test('commits the date in the changelog and tags the commit', async () => {
    const { status, out } = release(version)
    assert.equal(status, 0, out)
    assert.equal(git('tag'), `v${version}`)
    assert.equal(git('rev-parse', `v${version}^{commit}`), git('rev-parse', 'HEAD'))
    assert.match(
      await readFile(join(folder, 'CHANGELOG.md'), 'utf8'),
      new RegExp(`^## ${version} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm'),
    )
    assert.match(git('tag', '--list', '--format=%(contents)'), /The first release\./)
    assert.match(release(version).out, /The tag v.* exists\./)
  })
})
