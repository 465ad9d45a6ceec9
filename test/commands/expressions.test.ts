import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

const SCRIPT = join(import.meta.dirname, '../../scripts/expressions.ts')
const directory = mkdtempSync(join(tmpdir(), 'stentor-expressions-'))
for (const name of ['src', 'scripts']) mkdirSync(join(directory, name))
writeFileSync(join(directory, 'openapi.json'), '{}')
writeFileSync(join(directory, 'scripts/expressions.json'), '[]')

/** Runs the script on a source file; returns its complaints and exit status. */
function run(source: string, ...options: string[]): { status: number | null; complaints: string } {
  writeFileSync(join(directory, 'src/a.ts'), source)
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, ...options], { cwd: directory, encoding: 'utf8' })
  return { status, complaints: stderr }
}

const linearKeys = (): unknown[] => JSON.parse(readFileSync(join(directory, 'scripts/expressions.json'), 'utf8'))

describe('npm run expressions', () => {
  after(() => rmSync(directory, { recursive: true }))

  it('refuses an expression whose time grows faster than its text, with an attack', () => {
    for (const source of [
      'export const a = /^(a+)+$/',
      'export const a = / +$/',
      "export const a = new RegExp('0' + '+$')",
    ]) {
      const { status, complaints } = run(source)
      assert.equal(status, 1, source)
      assert.match(complaints, /^src\/a\.ts:1 .*\n {2}(?:exponential|2nd degree polynomial): '.+/, source)
      assert.deepEqual(linearKeys(), [])
    }
  })

  it('keeps what is linear, and only then does the check pass', () => {
    const source = "export const a = /(?<! ) +$/\nexport const schema = { pattern: '^[a-z]+$' }\n"
    const unjudged = run(source, '--check')
    assert.deepEqual([unjudged.status, unjudged.complaints.match(/run "npm run expressions"/g)?.length], [1, 2])
    assert.deepEqual(run(source), { status: 0, complaints: '' })
    assert.equal(linearKeys().length, 2)
    assert.deepEqual(run(source, '--check'), { status: 0, complaints: '' })
  })

  it('refuses an expression that is made when a function is called', () => {
    const { status, complaints } = run('export const create = (text: string) => new RegExp(text)', '--check')
    assert.equal(status, 1)
    assert.match(complaints, /^src\/a\.ts:1 creates a regular expression in a function/)
  })
})
