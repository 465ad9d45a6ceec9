import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { isJsonObject } from '../../../lib/objects.ts'
import { findDesignFaults } from '../faults.ts'
import { LibraryDesign } from '../saved-design-schemas.ts'
import { listLibraryDesigns } from './library.ts'

const FOLDER = join(import.meta.dirname, 'documents')
const documents = readdirSync(FOLDER).map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')))

/** Objects that are in the place of a text: those with one of the languages. */
function listTranslations(node: unknown): Record<string, unknown>[] {
  if (Array.isArray(node)) return node.flatMap(listTranslations)
  if (!isJsonObject(node)) return []
  return 'en' in node || 'fr' in node ? [node] : Object.values(node).flatMap(listTranslations)
}

describe('library documents', () => {
  it('are all offered, in both languages', () => {
    const offered = listLibraryDesigns().map(({ id, language }) => `${id} ${language}`)
    assert.deepEqual(offered.toSorted(), documents.flatMap(({ id }) => [`${id} en`, `${id} fr`]).toSorted())
  })

  it('follow the schema of designs', () => {
    for (const entry of listLibraryDesigns()) {
      assert.ok(Value.Check(LibraryDesign, entry), entry.id)
      assert.deepEqual(findDesignFaults(entry.design, ''), [], `${entry.id} ${entry.language}`)
    }
  })

  it('have each translated text in English and French', () => {
    for (const { id, ...document } of documents)
      for (const translation of listTranslations(document)) {
        assert.deepEqual(Object.keys(translation), ['en', 'fr'], id)
        for (const text of Object.values(translation)) assert.ok(typeof text === 'string' && text !== '', id)
      }
  })
})
