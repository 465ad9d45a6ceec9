import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wireAddress } from './address.ts'

describe('addresses on the wire', () => {
  it('have their domain in A-labels and are else as given', () => {
    const addresses: [string, string][] = [
      ['ann@example.org', 'ann@example.org'],
      ['Ann.B+tag=1_x-y/z@Mail.Example.ORG', 'Ann.B+tag=1_x-y/z@Mail.Example.ORG'],
      ["o'neil!#$%&*?^`{|}~@example.org", "o'neil!#$%&*?^`{|}~@example.org"],
      ['dots..and.@example.org', 'dots..and.@example.org'],
      ['"a b@c"@example.org', '"a b@c"@example.org'],
      ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
      ['ann@例え.テスト', 'ann@xn--r8jz45g.xn--zckzah'],
      ['zoé@exämple.example', 'zoé@xn--exmple-cua.example'],
      ['a@localhost', 'a@localhost'],
      ['a@[192.0.2.1]', 'a@[192.0.2.1]'],
      ['a@[IPv6:2001:db8::1]', 'a@[IPv6:2001:db8::1]'],
    ]
    for (const [given, expected] of addresses) assert.equal(wireAddress(given), expected)
  })

  it('are nothing else', () => {
    const none = [
      '',
      'a',
      '@',
      'a@',
      '@a',
      'a b@c.example',
      'a@b c.example',
      'a@b@c.example',
      '<a@b.example>',
      'a@b.example>',
      'a\n@b.example',
      'a@b\r\n.example',
      'a@b\t.example',
      'a@b%0a.example',
      '"a"b"@c.example',
      '"a\r\n"@b.example',
      'a@b..example',
      'a@.example',
      'a@[1.2.3.4]\n',
      'a\u0085@b.example',
      'a\ud800@b.example',
      'a@b.example,c@d.example',
      'a(b)@c.example',
      `${'a'.repeat(250)}@b.example`,
      `${'é'.repeat(125)}@b.example`,
    ]
    for (const given of none) assert.equal(wireAddress(given), undefined, JSON.stringify(given))
  })
})
