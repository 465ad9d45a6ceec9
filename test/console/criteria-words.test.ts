import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  type CriteriaWords,
  describeCriteriaLeaf,
  describeSegmentCriteria,
  hasUnfinishedCriterion,
} from '../../console/components/criteria/describe-leaf.ts'
import en from '../../console/components/criteria/en.ts'
import type { CriteriaLeaf } from '../../console/components/criteria/model.ts'
import { formatText } from '../../console/text/written.ts'

const field = (id: number, name: string, type: 'textField' | 'date' | 'numeric') => ({
  id,
  name,
  type,
  isUnicity: false,
  isMandatory: false,
  isCriterion: true,
})
const words: CriteriaWords = {
  t: (key, values) => formatText(en[key], values, 'en'),
  fields: [field(1, 'Town', 'textField'), field(2, 'Date d’anniversaire', 'date'), field(3, 'Points', 'numeric')],
  segments: [{ id: 7, name: 'Press' }],
  formatDate: (date) => date.slice(0, 10),
  formatList: (items) => items.join(', '),
}
const describe = (leaf: CriteriaLeaf): string => describeCriteriaLeaf(leaf, words).join(' ')

suite('criteria in words', () => {
  test('say what a criterion is about, how it is compared, and with what', () => {
    const cases: [CriteriaLeaf, string][] = [
      [{ type: 'field', field: 1, operator: 'in', value: ['Lyon', 'Porto'] }, 'Town is one of Lyon, Porto'],
      [{ type: 'field', field: 1, operator: 'empty' }, 'Town is empty'],
      [{ type: 'field', field: 3, operator: 'between', value: [1, 5] }, 'Points is between 1 and 5'],
      [
        { type: 'field', field: 2, operator: 'anniversary', value: { from: 0, to: 7 } },
        'Date d’anniversaire anniversary within 0 to 7 days from today',
      ],
      [
        { type: 'creationDate', operator: 'before', value: { ago: { value: 1, unit: 'day' } } },
        'Created is before 1 day ago',
      ],
      [{ type: 'creationDate', operator: 'within', value: { start: '2026-03-01' } }, 'Created is from 2026-03-01'],
      [
        {
          type: 'event',
          event: 'hits/open',
          count: { operator: 'less', value: 2 },
          period: { last: { value: 30, unit: 'day' } },
          channel: 'email',
        },
        'opened less than 2 times in the last 30 days by Email',
      ],
      [{ type: 'segment', segment: 7, operator: 'notIn' }, 'Segment is not in Press'],
      [{ type: 'redList', channel: 'mail' }, 'Unsubscribed from email'],
      [{ type: 'bounce', is: ['hard'] }, 'Bounced any hard bounce'],
    ]
    assert.deepEqual(
      cases.map(([leaf]) => describe(leaf)),
      cases.map(([, sentence]) => sentence),
    )
  })

  test('join groups by how they combine, and are empty without criteria', () => {
    const town = { type: 'field', field: 1, operator: 'equals', value: 'Lyon' }
    const criteria = { all: [town, { any: [town, { type: 'redList' }] }, { none: [town] }] }
    assert.equal(
      describeSegmentCriteria(criteria, words),
      'Town is Lyon and (Town is Lyon or Unsubscribed) and not (Town is Lyon)',
    )
    assert.equal(describeSegmentCriteria({ all: [] }, words), '')
  })

  test('know which criterion still needs a value', () => {
    const isUnfinished = (leaf: CriteriaLeaf): boolean => hasUnfinishedCriterion({ all: [{ any: [leaf] }] })
    assert.equal(isUnfinished({ type: 'field', field: 1, operator: 'equals', value: '' }), true)
    assert.equal(isUnfinished({ type: 'field', field: 1, operator: 'in', value: [] }), true)
    assert.equal(isUnfinished({ type: 'segment', segment: 0 }), true)
    assert.equal(isUnfinished({ type: 'field', field: 1, operator: 'empty' }), false)
    assert.equal(isUnfinished({ type: 'event', event: 'hits/open' }), false)
  })
})
