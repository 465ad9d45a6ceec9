import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { within } from '#test/support/processes/processor-time.ts'
import { type AnswerTextForm, maskAnswerChunks, maskAnswerText } from './masked-text.ts'
import { maskAddressesInText, maskJsonDocument } from './masking.ts'

const personal = { fields: new Set(['1', 'Email', '2', 'Mobile']), unicity: true }
const MD5 = '8b5a6a28fc840441be692d74a81ccd1a'

suite('masked texts', () => {
  test('hide addresses, also when escaped in links', () => {
    const cases: [string, string][] = [
      ['ann@example.org', 'a…@e….org'],
      ['"ann lee"@example.org', '"…@e….org'],
      ['"ann lee"@example.org said', '"…@e….org said'],
      ["o'brien@mail.example.org", 'o…@m….org'],
      ['élodie@exämple.example', 'é…@e….example'],
      ['550 5.1.1 <ann@example.org> unknown', '550 5.1.1 <a…@e….org> unknown'],
      ['to ann@example.org, bob@example.com.', 'to a…@e….org, b…@e….com.'],
      ['https://shop.example/a?e=ann%40example.org&x=1', 'https://shop.example/a?e=a…@e….org&x=1'],
      ['mailto:ann@example.org', 'mailto:a…@e….org'],
      ['https://shop.example/?to=%2Fa%3Fe%3Dann%2540example.org&x=1', 'https://shop.example/?to=%…@e….org&x=1'],
      ['?e=ann%252540example.org', '?e=a…@e….org'],
      ['"ann\\u0040example.org"', '"a…@e….org"'],
      ['{"text":"{\\"mail\\":\\"ann\\\\u0040example.org\\"}"}', '{"text":"{\\"mail\\":\\"a…@e….org\\"}"}'],
      ["'ann\\x40example.org' 'ann\\u{40}example.org'", "'…@e….org' '…@e….org'"],
      ['ann&#64;example.org ann&#x40;example.org ann&amp;commat;example.org', 'a…@e….org a…@e….org a…@e….org'],
      ['ann＠example.org', 'a…@e….org'],
      [`ann${'\\'.repeat(40)}u0040example.org`, 'a…@e….org'],
      ['019512a0-7c11-7d2e-9a42-0c1de0a5b001@example.org now', '0…@e….org now'],
      ['ann@localhost', 'a…@l…'],
      ['<p>ann@example.org</p>', '<p>a…@e….org</p>'],
      ['{"mail":"ann@example.org"}', '{"mail":"a…@e….org"}'],
    ]
    for (const [given, masked] of cases) assert.equal(maskAddressesInText(given), masked, given)
  })

  test('hide numbers in free text but not ids, dates and instants', () => {
    const cases: [string, string][] = [
      ['+33612345612', '+33…12'],
      ['call +33 6 12 34 56 12 now', 'call +33…12 now'],
      ['tel=%2B33612345612', 'tel=+33…12'],
      ['tel=%252B33612345612 \\u002b33612345612 &#43;33612345612', 'tel=+33…12 +33…12 +33…12'],
      [`${'\\'.repeat(16)}u002b33612345612 ${'\\'.repeat(40)}x2B33612345612`, '+33…12 +33…12'],
      ['call 06 12 34 56 78', 'call 06…78'],
      ['00000001: the gateway refused the proof', '00000001: the gateway refused the proof'],
      ['019512a0-7c11-7d2e-9a42-0c1de0a5b001', '019512a0-7c11-7d2e-9a42-0c1de0a5b001'],
      ['01951234-1234-7123-9123-012345678901', '01951234-1234-7123-9123-012345678901'],
      ['2026-03-20T08:00:01.250Z', '2026-03-20T08:00:01.250Z'],
      ['on 2026-03-20 and 20260320', 'on 2026-03-20 and 20260320'],
      ['1,234.50 for 4711', '1,234.50 for 4711'],
      [`https://pictures.example/${MD5}?s=80`, 'https://pictures.example/?s=80'],
      [`https://t.shop.example/m/${MD5}/a.png`, `https://t.shop.example/m/${MD5}/a.png`],
    ]
    for (const [given, masked] of cases) assert.equal(maskAddressesInText(given), masked, given)
  })

  test('are unchanged by a second masking', () => {
    for (const text of ['a…@e….org', '+33…12', '06…78']) assert.equal(maskAddressesInText(text), text)
  })

  test('take little time when they are long and contain no address', () => {
    within(10_000, () => {
      for (const piece of ['a', '1', '@', '%40', '\\', '%25', '&amp;', 'a@b '])
        maskAddressesInText(`${piece.repeat(1_000_000 / piece.length)} @`)
    })
  })
})

suite('masked documents', () => {
  test('hide field values, the unicity and hashes but not names and other values', () => {
    const contact = {
      id: '00000001',
      unicity: 'ann@example.orgLee',
      hash: MD5,
      '1': 'ann@example.org',
      '2': '0612345678',
      Mobile: '12345',
      '3': '0612345678',
      '4': 1234567890,
      name: 'Offer 0612345678',
      isTest: false,
      none: null,
    }
    assert.deepEqual(maskJsonDocument(contact, personal), {
      id: '00000001',
      unicity: 'a…@e….orgLee',
      hash: '',
      '1': 'a…@e….org',
      '2': '06…78',
      Mobile: '…',
      '3': '0612345678',
      '4': 1234567890,
      name: 'Offer 0612345678',
      isTest: false,
      none: null,
    })
  })

  test('hide JSON numbers in free-form members at any depth', () => {
    const event = {
      timestamp: 1763862000000,
      detail: { data: { tel: 33612345678, n: 12, deep: [{ at: 'ann@a.example' }] } },
    }
    assert.deepEqual(maskJsonDocument(event, personal), {
      timestamp: 1763862000000,
      detail: { data: { tel: '33…78', n: 12, deep: [{ at: 'a…@a….example' }] } },
    })
  })

  test('keep members of other objects that have the name of a field', () => {
    const named = { fields: new Set(['type', 'state']), unicity: false }
    const action = { type: 'mailMessage', state: 'waiting 20', at: '2026-03-20T08:00:01.250Z' }
    assert.deepEqual(maskJsonDocument(action, named), action)
  })

  test('hide addresses in member names and a unicity that is a list', () => {
    const given = {
      'ann@example.org': 1,
      recipient: { type: 'unicity', value: ['ann@example.org'] },
      unicity: ['0612345678'],
    }
    assert.deepEqual(maskJsonDocument(given, personal), {
      'a…@e….org': 1,
      recipient: { type: 'unicity', value: ['a…@e….org'] },
      unicity: ['06…78'],
    })
  })
})

suite('masked responses', () => {
  const list = [
    { Email: 'ann@example.org', text: 'a "quoted" , [text] {x}\\' },
    ['b@b.example'],
    'c@c.example',
    7,
    {},
    [],
  ]
  const masked = [
    { Email: 'a…@e….org', text: 'a "quoted" , [text] {x}\\' },
    ['b…@b….example'],
    'c…@c….example',
    7,
    {},
    [],
  ]

  /** A text masked as it comes in pieces of so many characters. */
  async function inPieces(text: string, form: AnswerTextForm, length: number): Promise<string> {
    async function* pieces() {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
    }
    return (await Array.fromAsync(maskAnswerChunks(pieces(), form, personal))).join('')
  }

  test('hide the values of an array, however it is split', async () => {
    for (const text of [
      JSON.stringify(list),
      JSON.stringify(list, null, 2),
      ` [${list.map((one) => JSON.stringify(one)).join(',\n')}]`,
    ])
      for (const length of [1, 2, 3, 7, 50, 10_000])
        assert.deepEqual(JSON.parse(await inPieces(text, 'json', length)), masked, `${length} of ${text}`)
    for (const text of ['[]', '[ ]', '{}', '""', 'null']) assert.equal(await inPieces(text, 'json', 1), text)
  })

  test('pass on white space of an incomplete response at once', async () => {
    async function* slow() {
      yield ' '
      yield '['
      yield ' '
      yield '{"Email":"ann@example.org"}]'
    }
    const pieces = await Array.fromAsync(maskAnswerChunks(slow(), 'json', personal))
    assert.deepEqual(pieces.slice(0, 3), [' ', '[', ' '])
    assert.equal(pieces.join(''), ' [ {"Email":"a…@e….org"}]')
  })

  test('hide the values of an object that arrives in pieces', async () => {
    const text = JSON.stringify({ Email: 'ann@example.org', list })
    assert.deepEqual(JSON.parse(await inPieces(text, 'json', 5)), { Email: 'a…@e….org', list: masked })
  })

  test('hide values in JSON lines, event streams and tables', async () => {
    const lines = '{"Email":"ann@example.org"}\n{"hash":"8b5a6a28fc840441be692d74a81ccd1a"}\n'
    const events = ': hello\n\nid: 1\nevent: hit\ndata: {"Email":"ann@example.org"}\n\n'
    const table = 'contact;address\r\n00000001;ann@example.org\r\n00000002;"+33 612345612"\r\n'
    const cases: [AnswerTextForm, string, string][] = [
      ['lines', lines, '{"Email":"a…@e….org"}\n{"hash":""}\n'],
      ['events', events, ': hello\n\nid: 1\nevent: hit\ndata: {"Email":"a…@e….org"}\n\n'],
      ['text', table, 'contact;address\r\n00000001;a…@e….org\r\n00000002;"+33…12"\r\n'],
    ]
    for (const [form, text, expected] of cases) {
      assert.equal(maskAnswerText(text, form, personal), expected)
      for (const length of [1, 4, 1000]) assert.equal(await inPieces(text, form, length), expected)
    }
  })

  test('are masked as text when their JSON is invalid', () => {
    assert.equal(maskAnswerText('{"a": ann@example.org', 'json', personal), '{"a": a…@e….org')
  })
})
