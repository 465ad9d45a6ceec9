import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { type Classified, classified, compared } from './classified.ts'
import { readReports } from './reports.ts'

/** Real bounces with labels; a checkout alone does not have them. */
const LABELLED = join(import.meta.dirname, '../../../../shared/data/bounces')

suite('a classification against labels', () => {
  test('counts what agrees, takes either verdict for `any`, and what was not found for a miss', () => {
    const soft: Classified = { kind: 'bounce', verdict: 'soft' }
    const { verdicts, kinds, misses } = compared(
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

  const skip = existsSync(LABELLED) ? false : 'the labelled mails are not here'
  test('agrees with 97 of 100 verdicts, and 99 of 100 kinds, on real mails', { skip }, () => {
    const names = readdirSync(LABELLED).filter((name) => name.endsWith('.eml'))
    const found = names.map((name) => [name, readReports(readFileSync(join(LABELLED, name))).reports.map(classified)])
    const labels = JSON.parse(readFileSync(join(LABELLED, 'labels.json'), 'utf8'))
    const { verdicts, kinds, misses } = compared(Object.fromEntries(found), labels)
    const told = misses.map(({ file, label, found }) => `${file}: ${label.verdict} not ${found?.verdict}`).join('\n')
    assert.ok(verdicts.of >= 250 && verdicts.right / verdicts.of >= 0.97, told)
    assert.ok(kinds.right / kinds.of >= 0.99, told)
  })
})
