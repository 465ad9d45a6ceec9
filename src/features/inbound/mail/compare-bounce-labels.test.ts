import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import {
  type BounceLabelAgreement,
  type ClassifiedMailReport,
  compareWithLabels,
  toClassifiedReport,
} from './compare-bounce-labels.ts'
import { splitMbox } from './mbox.ts'
import { parseMailReports } from './reports.ts'

/** Real bounces with labels, which come with the project. */
const REAL = join(import.meta.dirname, '../../../../test/fixtures/bounces-real')
/** More of them; a checkout alone does not have them. */
const LABELLED = join(import.meta.dirname, '../../../../../shared/data/bounces')

suite('classification of mails against labels', () => {
  test('counts matches, accepts either verdict for `any`, and counts a missing result as a miss', () => {
    const soft: ClassifiedMailReport = { kind: 'bounce', verdict: 'soft' }
    const { verdicts, kinds, misses } = compareWithLabels(
      { 'a.eml': [soft, soft], 'b.eml': [{ kind: 'none' }], 'c.eml': [{ kind: 'complaint' }] },
      {
        'a.eml': [
          { kind: 'bounce', verdict: 'any' },
          { kind: 'bounce', verdict: 'hard' },
        ],
        'b.eml': [{ kind: 'bounce', verdict: 'soft' }, { kind: 'none' }],
        'c.eml': [{ kind: 'complaint' }],
      },
    )
    assert.deepEqual(
      [verdicts, kinds],
      [
        { of: 3, right: 1 },
        { of: 5, right: 3 },
      ],
    )
    assert.deepEqual(
      misses.map(({ file, found }) => [file, found?.kind]),
      [
        ['a.eml', 'bounce'],
        ['b.eml', 'none'],
        ['b.eml', undefined],
      ],
    )
  })

  test('matches every label of the real mails among the fixtures', () => {
    const { verdicts, kinds, misses } = agreement(REAL)
    assert.deepEqual(misses, [])
    assert.ok(verdicts.right >= 36 && kinds.right >= 40)
  })

  const skip = existsSync(LABELLED) ? false : 'the labelled mails are not here'
  test('matches 97 % of verdicts and 99 % of kinds on real mails', { skip }, () => {
    const { verdicts, kinds, misses } = agreement(LABELLED)
    const failures = misses
      .map(({ file, label, found }) => `${file}: ${label.verdict} not ${found?.verdict}`)
      .join('\n')
    assert.ok(verdicts.of >= 250 && verdicts.right / verdicts.of >= 0.97, failures)
    assert.ok(kinds.right / kinds.of >= 0.99, failures)
  })
})

/** How far the mails of a folder are taken for what its labels say. */
function agreement(folder: string): BounceLabelAgreement {
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  const found = names.map((name) => {
    const mails = splitMbox(readFileSync(join(folder, name)))
    return [name, mails.flatMap((mail) => parseMailReports(mail).reports.map(toClassifiedReport))]
  })
  return compareWithLabels(Object.fromEntries(found), JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8')))
}
