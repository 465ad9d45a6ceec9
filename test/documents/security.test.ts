import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

test('every promise of SECURITY.md names the tests that hold it', () => {
  const [, promises = ''] = /^## Threats\n(.*?)^## /ms.exec(readFileSync('SECURITY.md', 'utf8')) ?? []
  const rows = [...promises.matchAll(/^\| (?!Promise|---)(.+?) \| (.+?) \|$/gm)]
  assert.ok(rows.length > 30)
  const unheld = rows.filter(([, , tests = '']) => {
    const files = [...tests.matchAll(/\]\((\S+?)\)/g)].map(([, file = '']) => file)
    return files.length === 0 || files.some((file) => !file.endsWith('.test.ts') || !existsSync(file))
  })
  assert.deepEqual(
    unheld.map(([, promise]) => promise),
    [],
  )
})
