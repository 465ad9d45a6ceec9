import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

test('each prepared statement has its own name', () => {
  const cwd = join(import.meta.dirname, '../')
  const files = globSync('**/*.ts', { cwd }).filter((file) => !file.endsWith('.test.ts'))
  const names = files.flatMap((file) =>
    [...readFileSync(cwd + file, 'utf8').matchAll(/\bbuildPreparedPrefix\('([^']+)'\)/g)].map(([, name]) => name!),
  )
  assert.ok(names.length > 0)
  assert.deepEqual(
    names.filter((name, place) => names.indexOf(name) < place),
    [],
  )
})
