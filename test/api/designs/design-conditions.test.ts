import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  formatConditionLiquid,
  parseRowCondition,
  ROW_CONDITION_TESTS,
  type RowFieldCondition,
} from '../../../console/components/design/model/condition.ts'
import { listLibraryDesigns } from '../../../src/features/designs/library/library.ts'
import { startStage } from '../../support/stages/stage.ts'

const { call, contact, action } = await startStage()
const NAMES = ['City', 'First name']
const VALUES = ['Lyon', 'a "quoted" town', "L'Isle", '']
for (const name of NAMES) await call('POST', '/fields', { body: { name, type: 'textField' } })
const { theme } = listLibraryDesigns('en')[0]!.design

/** What a contact reads of a row with each condition, in order. */
async function shown(conditions: readonly string[], values: Record<string, unknown>): Promise<boolean[]> {
  const email = `${Math.random().toString(36).slice(2)}@shop.example`
  await contact(email, values)
  const rows = conditions.map((condition, index) => ({
    condition,
    columns: [100],
    blocks: [[{ type: 'heading', text: `[row ${index}]` }]],
  }))
  const id = await action({ content: { subject: 'Rows', design: { version: 1, theme, rows } } })
  const recipient = { type: 'unicity', value: [email] }
  const { body } = await call('POST', `/actions/${id}/render`, { body: { recipient } })
  return conditions.map((_, index) => body.html.includes(`[row ${index}]`))
}

describe('row conditions in words', () => {
  test('are read back as they were written', () => {
    for (const field of NAMES)
      for (const value of VALUES)
        for (const test of ROW_CONDITION_TESTS) {
          const said: RowFieldCondition = { field, test, value: test === 'is' || test === 'isNot' ? value : '' }
          assert.deepEqual(parseRowCondition(formatConditionLiquid(said)), said)
        }
    for (const other of ['contact.City contains "x"', 'data.x == "y"', 'contact.City == "a" or true'])
      assert.equal(parseRowCondition(other), undefined)
  })

  test('show a row to exactly the contacts that the words describe', async () => {
    for (const field of NAMES) {
      const conditions = ROW_CONDITION_TESTS.map((test) => formatConditionLiquid({ field, test, value: 'Lyon' }))
      assert.deepEqual(await shown(conditions, { [field]: 'Lyon' }), [true, false, true, false], field)
      assert.deepEqual(await shown(conditions, { [field]: 'Nice' }), [false, true, true, false], field)
      assert.deepEqual(await shown(conditions, {}), [false, true, false, true], field)
    }
    for (const value of VALUES.filter((one) => one !== ''))
      assert.deepEqual(
        await shown([formatConditionLiquid({ field: 'City', test: 'is', value })], { City: value }),
        [true],
        value,
      )
  })
})
