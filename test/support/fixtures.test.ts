import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { IMPORT_FILES, noSharedData, SHARED_DATA } from './files/sample-files.ts'

suite('fixtures', () => {
  for (const name of ['contacts-messy.csv', 'contacts-messy-expected.csv']) {
    test(`${name} equals the shared file`, { skip: noSharedData }, () => {
      assert.ok(readFileSync(join(IMPORT_FILES, name)).equals(readFileSync(join(SHARED_DATA, name))))
    })
  }
})
