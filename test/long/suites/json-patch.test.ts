import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { applyJsonPatch } from '../../../src/http/resource/json-patch.ts'
import { Problem } from '../../../src/lib/errors/problem.ts'
import { noSharedData, SHARED_DATA } from '../../support/files/sample-files.ts'

/** A case of json-patch-tests. Without `expected` and `error` it only has to apply. */
interface Case {
  comment?: string
  doc: unknown
  patch: unknown
  expected?: unknown
  error?: string
  disabled?: boolean
}

/** The cases of a file, except those that the suite disables. */
function casesOf(file: string): Case[] {
  if (noSharedData) return []
  const cases: Case[] = JSON.parse(readFileSync(join(SHARED_DATA, 'suites/json-patch', file), 'utf8'))
  return cases.filter(({ disabled }) => !disabled)
}

/** All cases must have the expected result: there are no deliberate differences. */
suite('JSON Patch of the interface', { skip: noSharedData }, () => {
  for (const file of ['tests.json', 'spec_tests.json'])
    for (const [number, one] of casesOf(file).entries())
      test(`decides case ${number} of ${file} as json-patch-tests: ${one.comment ?? one.error ?? 'applies'}`, () => {
        const patched = () => applyJsonPatch(one.doc, one.patch)
        if (one.error !== undefined) assert.throws(patched, Problem)
        else if ('expected' in one) assert.deepEqual(patched(), one.expected)
        else patched()
      })
})
