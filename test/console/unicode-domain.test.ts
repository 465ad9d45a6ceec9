import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { domainToUnicode } from 'node:url'
import { toUnicodeDomain } from '../../console/text/unicode-domain.ts'

suite('domains as people read them', () => {
  test('are those of Node.js for labels of several scripts', () => {
    const domains = [
      'xn--caf-dma.example',
      'shop.xn--mnchen-3ya.example',
      'xn--fsqu00a.example',
      'xn--e1afmkfd.example',
    ]
    for (const domain of domains) assert.equal(toUnicodeDomain(domain), domainToUnicode(domain))
    assert.equal(toUnicodeDomain('émilie@xn--caf-dma.example'), 'émilie@café.example')
  })

  test('stay as they are without a valid label', () => {
    for (const text of ['ann@orchard.example', '00000042', 'xn--!.example', ''])
      assert.equal(toUnicodeDomain(text), text)
  })
})
