import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { RenderedProof } from '../../channel.ts'
import { checkMailHeaders, type MailHeaderCheckInput } from './findings-headers.ts'

const sound: MailHeaderCheckInput = {
  purpose: 'marketing',
  trackingUrl: 'https://t.shop.example',
  isSigned: true,
  proofs: [],
}
const types = (mail: Partial<MailHeaderCheckInput>): string[] =>
  checkMailHeaders({ ...sound, ...mail }).map(({ type }) => type)
const proof = (more: Partial<RenderedProof>): RenderedProof => ({ subject: 'Our doors open', htmlBytes: 10, ...more })
const ofSubject = (subject: string): string[] => types({ proofs: [proof({}), proof({ subject })] })

suite('findings on headers', () => {
  test('marketing requires an https address and a signature for one-click unsubscription; service mail does not', () => {
    assert.deepEqual(types({}), [])
    assert.deepEqual(types({ trackingUrl: 'http://t.shop.example' }), ['no-one-click', 'link-insecure'])
    assert.deepEqual(types({ isSigned: false }), ['no-one-click'])
    assert.deepEqual(types({ purpose: 'service', isSigned: false }), [])
  })

  test('reports a subject of more than 70 characters in any proof', () => {
    assert.deepEqual(ofSubject('é'.repeat(70)), [])
    assert.deepEqual(ofSubject('🎉'.repeat(70)), [])
    assert.deepEqual(ofSubject('é'.repeat(71)), ['subject-length'])
    const subjects = [80, 90, 75].map((length) => proof({ subject: 'x'.repeat(length) }))
    assert.deepEqual(checkMailHeaders({ ...sound, proofs: subjects }), [
      {
        type: 'subject-length',
        message: 'The subject has up to 90 characters; mail clients show about 70.',
        part: 'subject',
        position: null,
      },
    ])
  })

  test('reports an all-capitals subject, but not acronyms or scripts without capitals', () => {
    assert.deepEqual(ofSubject('LAST CHANCE: 50 %'), ['subject-capitals'])
    assert.deepEqual(ofSubject('TOUT L’ÉTÉ À LA MER !'), ['subject-capitals'])
    assert.deepEqual(ofSubject('LAST CHANCE, Ann'), [])
    assert.deepEqual(ofSubject('NASA 2026'), [])
    assert.deepEqual(ofSubject('春の新作をご覧ください'), [])
  })
})

suite('findings on the composed HTML', () => {
  test('reports HTML of more than 102 KB in any proof', () => {
    assert.deepEqual(types({ proofs: [proof({ htmlBytes: 102 * 1024 })] }), [])
    assert.deepEqual(types({ proofs: [proof({}), proof({ htmlBytes: 102 * 1024 + 1 })] }), ['size'])
  })
})
