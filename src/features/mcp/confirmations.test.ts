import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { loadOrCreateMasterKeys } from '../../lib/crypto/seal.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { type ConfirmableCall, createToolConfirmations } from './confirmations.ts'

const masterKeys = loadOrCreateMasterKeys({ masterKey: `1:${randomBytes(32).toString('base64')}`, file: '' })
const act: ConfirmableCall = { tool: 'delete_object', args: { id: 1 }, object: { name: 'A', nextRun: '1' }, count: 2 }

/** Confirmations of a holder, at a time; what was used is noted in a set. */
function heldBy(holder: string, used = new Set<string>(), now = 0) {
  const useOnce = async (id: string) => !used.has(id) && used.add(id) !== undefined
  return createToolConfirmations({ masterKeys, holder, useOnce, clock: { now: () => now } })
}

async function refusal(taken: Promise<void>): Promise<string | null> {
  try {
    await taken
    return null
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.kind
  }
}

suite('confirmations', () => {
  test('are accepted only from their own account and their own key or user', async () => {
    const { confirmation } = heldBy('1 key 7').make(act)
    for (const holder of ['2 key 7', '1 key 8', '1 person 7'])
      assert.equal(await refusal(heldBy(holder).take(confirmation, act)), 'confirmation-unknown', holder)
    assert.equal(await refusal(heldBy('1 key 7').take(confirmation, act)), null)
  })

  test('are accepted once, within 5 minutes, for the same call, object and count', async () => {
    const used = new Set<string>()
    const { confirmation } = heldBy('1 key 7', used).make(act)
    const taken = (more: Partial<ConfirmableCall>, now = 299_999) =>
      refusal(heldBy('1 key 7', used, now).take(confirmation, { ...act, ...more }))
    assert.equal(await taken({ args: { id: 2 } }), 'confirmation-of-another')
    assert.equal(await taken({ tool: 'send_campaign' }), 'confirmation-of-another')
    assert.equal(await taken({ object: { name: 'B' } }), 'confirmation-stale')
    assert.equal(await taken({ count: 3 }), 'confirmation-stale')
    assert.equal(await taken({}, 300_000), 'confirmation-expired')
    // When it runs by itself next is no change of it.
    assert.equal(await taken({ object: { nextRun: '2', name: 'A' } }), null)
    assert.equal(await taken({}), 'confirmation-used')
  })
})
