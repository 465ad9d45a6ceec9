import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

test('prepared statements have names of their own: a connection has one text for each', () => {
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const names = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/prepared\('([^']+)'\)/g)].map(([, name]) => name),
  )
  assert.ok(names.length > 0)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})
