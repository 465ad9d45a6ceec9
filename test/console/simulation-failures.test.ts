import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import en from '../../console/screens/workflows/en.ts'
import { describeSimulationFailure } from '../../console/screens/workflows/type-words.ts'
import type { Translator } from '../../console/text/catalogue.ts'

const t: Translator<typeof en> = (key) => String(en[key])

describe('a simulation that stopped', () => {
  it('says in words why it did not begin', () => {
    for (const type of ['recipient not found', 're-entry refused', 'run too large'])
      assert.match(describeSimulationFailure(t, { type }), /^(?:this contact|the data) .*\.$/)
  })

  it('gives the message of the node that failed', () => {
    const message = 'The content could not be rendered.'
    assert.equal(describeSimulationFailure(t, { type: 'render-failed', message }), message)
  })
})
