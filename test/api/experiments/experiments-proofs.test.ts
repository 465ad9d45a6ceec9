import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { simpleParser } from 'mailparser'
import { startFallbackStage } from '../../support/stages/rcs-fallbacks.ts'
import type { Shown } from '../../support/stages/reports.ts'
import { startStage } from '../../support/stages/stage.ts'

const { action, call, contact, gateway, segment, settle, state } = await startStage()
const phones = await startFallbackStage()

const rules = { holdout: 10, metric: 'clicks', decideAfter: { unit: 'HOUR', value: 2 }, minimum: 10, decide: 'ask' }
const letters = {
  versions: [
    { id: 'a', share: 30 },
    { id: 'b', share: 30, subject: 'Version B' },
  ],
  ...rules,
}

const proof = (id: string, body: object) =>
  call('POST', `/actions/${id}/validation`, { body: { fortest: true, mediaForTest: 'proof@desk.example', ...body } })

suite('a test of one version of an experiment', () => {
  test("sends its proofs only, and does not count as the campaign's test", async () => {
    const scheduler = { type: 'asap', segments: { selected: [await segment([await contact('one@ab.example')])] } }
    const id = await action({ type: 'mailCampaign', settings: { experiment: letters }, scheduler })
    const sent = async () => {
      await settle()
      const found = await Promise.all(gateway.sent.splice(0).map(({ bytes }) => simpleParser(bytes)))
      return found.map(({ subject = '' }) => subject.replace(/^\W*\w+\W+(?=Hello|Version)/, ''))
    }
    const unknown = await proof(id, { version: 'z' })
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [400, '/version'])
    assert.equal(await state(id), 20)
    assert.equal((await proof(id, { version: 'b' })).status, 204)
    assert.deepEqual(await sent(), ['Version B'])
    assert.equal(await state(id), 20)
    const { lastValidation } = (await call('GET', `/actions/${id}`)).body.informations
    assert.deepEqual([lastValidation.result, lastValidation.recipients], ['passed', 1])
    assert.equal((await proof(id, {})).status, 204)
    assert.deepEqual((await sent()).toSorted(), ['Hello', 'Version B'])
    assert.equal(await state(id), 38)
    const plain = await proof(await action({ type: 'mailCampaign' }), { version: 'a' })
    assert.deepEqual([plain.status, plain.body.errors[0].pointer], [400, '/version'])
  })

  test('has the content of that version in RCS', async () => {
    const text = (words: string) => ({ type: 'text', text: words })
    const versions = [
      { id: 'a', share: 30 },
      { id: 'b', share: 30, content: text('Bees') },
    ]
    const field = (await phones.call('GET', '/fields')).body.find(({ name }: Shown) => name === 'Mobile').id
    const settings = { profile: phones.profile, field, experiment: { versions, ...rules } }
    const body = { type: 'rcsCampaign', name: 'Tried', settings, content: text('Apples') }
    const made = await phones.call('POST', '/channel/rcs/actions', { body })
    assert.equal(made.status, 200, made.text)
    const phone = '+33601800001'
    const recipient = { type: 'id', value: await phones.contact('proof@orchard.example', { Mobile: phone }) }
    const proofOf = (more: object) =>
      phones.call('POST', `/channel/rcs/actions/${made.body.id}/proof`, { body: { recipient, ...more } })
    for (const [more, words] of [
      [{}, 'Apples'],
      [{ version: 'a' }, 'Apples'],
      [{ version: 'b' }, 'Bees'],
    ] as const) {
      const answer = await proofOf(more)
      assert.equal(answer.status, 200, answer.text)
      await phones.work()
      assert.equal(phones.rbm.book.taken.at(-1)?.body.contentMessage.text, words)
    }
    const unknown = await proofOf({ version: 'z' })
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [400, '/version'])
  })
})
