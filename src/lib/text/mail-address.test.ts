import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { domainToASCII } from 'node:url'
import { parseMailAddress, toALabelDomain, toWireMailAddress } from './mail-address.ts'

describe('wire addresses', () => {
  it('have A-label domains, U-labels with a non-ASCII local part, and are unchanged otherwise', () => {
    const addresses: [string, string][] = [
      ['ann@example.org', 'ann@example.org'],
      ['Ann.B+tag=1_x-y/z@Mail.Example.ORG', 'Ann.B+tag=1_x-y/z@Mail.Example.ORG'],
      ["o'neil!#$%&*?^`{|}~@example.org", "o'neil!#$%&*?^`{|}~@example.org"],
      ['dots..and.@example.org', 'dots..and.@example.org'],
      ['"a b@c"@example.org', '"a b@c"@example.org'],
      ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
      ['ann@例え.テスト', 'ann@xn--r8jz45g.xn--zckzah'],
      ['zoé@exämple.example', 'zoé@exämple.example'],
      ['zoé@xn--exmple-cua.example', 'zoé@exämple.example'],
      ['zoé@[192.0.2.1]', 'zoé@[192.0.2.1]'],
      ['zoé@xn--a.example', 'zoé@xn--a.example'],
      ['zoé@1.2.3', 'zoé@1.2.3'],
      ['a@localhost', 'a@localhost'],
      [`${'a'.repeat(64)}@example.org`, `${'a'.repeat(64)}@example.org`],
      ['a@[192.0.2.1]', 'a@[192.0.2.1]'],
      ['a@[IPv6:2001:db8::1]', 'a@[IPv6:2001:db8::1]'],
    ]
    for (const [given, expected] of addresses) assert.equal(toWireMailAddress(given), expected)
  })

  it('are refused in any other form', () => {
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
      `${'a'.repeat(65)}@b.example`,
      `${'é'.repeat(33)}@b.example`,
      `a@${`${'b'.repeat(61)}.`.repeat(4)}example`,
    ]
    for (const given of none) assert.equal(toWireMailAddress(given), undefined, JSON.stringify(given))
  })
})

describe('A-label domains', () => {
  it('match domainToASCII for names and for text that resembles names', () => {
    const labels = [
      'shop',
      'a',
      '1',
      '0x1',
      'x-1',
      'xn--bcher-kva',
      'xn--a',
      'a--b',
      '-a',
      'a-',
      'A',
      'bücher',
      '',
      'a_b',
      '%61',
      'a b',
      '１',
    ]
    for (const first of labels)
      for (const second of labels)
        for (const third of labels) {
          const name = `${first}.${second}.${third}`
          assert.equal(toALabelDomain(name), domainToASCII(name), name)
        }
    for (const name of [
      '',
      '.',
      'localhost',
      '127.1',
      '[::1]',
      `${'a'.repeat(64)}.example`,
      `${'a.'.repeat(200)}example`,
    ])
      assert.equal(toALabelDomain(name), domainToASCII(name), name)
  })
})

describe('entered addresses', () => {
  it('get a lower-case A-label domain and are valid wire addresses', () => {
    for (const [given, expected] of [
      ['Ann@EXAMPLE.org', 'Ann@example.org'],
      ['zoé@EXÄMPLE.example', 'zoé@xn--exmple-cua.example'],
      ['"a b@c"@example.org', '"a b@c"@example.org'],
      ['"..a"@example.org', '"..a"@example.org'],
    ] as const) {
      assert.equal(parseMailAddress(given), expected)
      assert.notEqual(toWireMailAddress(expected), undefined)
    }
  })

  it('are refused with an address literal, a host without a dot or misplaced dots', () => {
    for (const given of [
      'a@[192.0.2.1]',
      'a@192.0.2.1',
      'a@localhost',
      '.a@b.example',
      'a.@b.example',
      'a..b@b.example',
      'a@b_c.example',
      'a@１２７.0.0.1',
    ])
      assert.equal(parseMailAddress(given), undefined, given)
  })
})
