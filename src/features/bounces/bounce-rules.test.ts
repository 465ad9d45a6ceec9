import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Value } from 'typebox/value'
import document from './bounce-rules.json' with { type: 'json' }
import { BounceRuleDocument, bounceRules } from './bounce-rules.ts'
import { findBounceSubject, isHardBounceCode } from './bounce-subjects.ts'

describe('data file of bounce rules', () => {
  it('follows its schema', () => {
    assert.deepEqual(Value.Errors(BounceRuleDocument, document), [])
  })

  it('has a listed subject for each rule, and a hard one for each hard rule', () => {
    for (const { id, subject, verdict } of bounceRules) {
      assert.ok(findBounceSubject(subject).detail, `${id} ${subject}`)
      if (verdict === 'hard') assert.ok(isHardBounceCode(subject), `${id} ${subject}`)
    }
  })

  it('has no rule without a wording or a condition, and none whose wordings match every text', () => {
    for (const { id, pattern, stages } of bounceRules) {
      assert.ok(pattern ?? stages, id)
      assert.ok(!pattern?.test(''), id)
    }
  })

  it('has no wording twice in a rule, and no word that nothing names', () => {
    for (const { id, wordings = [] } of bounceRules) assert.equal(new Set(wordings).size, wordings.length, id)
    const wordings = JSON.stringify(document)
    for (const word of Object.keys(document.words)) assert.ok(wordings.includes(`{${word}}`), word)
  })
})
