import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { toClassifiedReport } from './compare-bounce-labels.ts'
import { parseMailReports } from './reports.ts'

const FORMATS = join(import.meta.dirname, '../../../../test/fixtures/bounce-formats')

interface Sample {
  name: string
  expected: string
  mail: string
}

/** The mails of a file, each after a line `=== NAME: EXPECTED`. */
function samplesOf(file: string): Sample[] {
  const text = readFileSync(join(FORMATS, file), 'utf8')
  return text.split(/^=== /m).flatMap((part) => {
    const [, name, expected, mail] = /^([\w-]+): ([^\n]+)\n([\s\S]*)$/.exec(part) ?? []
    return name === undefined || expected === undefined || mail === undefined ? [] : [{ name, expected, mail }]
  })
}

/** What was found, in the words of the fixtures. */
function summaryOf(mail: string): string {
  const found = parseMailReports(Buffer.from(mail)).reports.map(toClassifiedReport)
  return found
    .map(({ kind, verdict, recipient }) => (kind === 'none' ? kind : `${verdict ?? kind} ${recipient ?? '-'}`))
    .join(', ')
}

suite('bounces in the formats of many mail servers', () => {
  const files = readdirSync(FORMATS).filter((name) => name.endsWith('.txt') && name !== 'wordings.txt')
  const samples = files.flatMap(samplesOf)
  for (const { name, expected, mail } of samples) test(name, () => assert.equal(summaryOf(mail), expected))

  test('there are at least 120 samples, each with its own name', () => {
    assert.ok(samples.length >= 120)
    assert.equal(new Set(samples.map(({ name }) => name)).size, samples.length)
  })
})
