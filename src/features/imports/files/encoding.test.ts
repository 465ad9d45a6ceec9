import assert from 'node:assert/strict'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import { decodeByteStream, detectEncoding, ENCODING_SAMPLE_BYTES, encodeReceivedText } from './encoding.ts'

async function* cut(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

const decoded = async (bytes: Buffer, encoding = 'auto', length = 7): Promise<string> =>
  (await Array.fromAsync(decodeByteStream(cut(bytes, length), encoding))).join('')

const TEXT = 'Prénom;Größe\r\nZoé;Œuvre €\r\n'

for (const [encoding, options] of [
  ['utf-8', {}],
  ['utf-8', { addBOM: true }],
  ['utf-16le', { addBOM: true }],
  ['utf-16be', { addBOM: true }],
  ['utf-16le', { addBOM: false }],
  ['utf-16be', { addBOM: false }],
  ['windows-1252', {}],
] as const) {
  test(`detects ${encoding} ${JSON.stringify(options)} and drops its byte order mark`, async () => {
    assert.equal(await decoded(iconv.encode(TEXT, encoding, options)), TEXT)
  })
}

test('uses a named encoding instead of guessing', async () => {
  assert.equal(await decoded(Buffer.from([0x82]), 'cp850'), 'é')
})

for (const [mark, named] of [
  ['utf-8', 'windows-1250'],
  ['utf-8', 'macroman'],
  ['utf-8', 'utf-16le'],
  ['utf-16le', 'windows-1252'],
  ['utf-16be', 'utf-16le'],
  ['utf-16be', 'utf-8'],
] as const) {
  test(`reads a text with the byte order mark of ${mark} as such, even if ${named} is named`, async () => {
    for (const length of [1, 2, 7, 1000])
      assert.equal(await decoded(iconv.encode(TEXT, mark, { addBOM: true }), named, length), TEXT)
  })
}

test('reads a text that the service encoded unchanged, whatever encoding is named', async () => {
  for (const text of [TEXT, `\ufeff${TEXT}`, 'ASCII alone', 'é', ''])
    assert.equal(await decoded(encodeReceivedText(text), 'windows-1251'), text.replace('\ufeff', ''))
})

test('detects Windows-1252 by a lone accented letter at the end of a short file', () => {
  assert.equal(detectEncoding(Buffer.from('Zo\xe9', 'latin1')), 'windows-1252')
})

const good = Buffer.from('Zoé;Größe\n')
const bad = Buffer.from('Zo\xe9;Gr\xf6\xdfe\n', 'latin1')
const BAD_BYTES = Buffer.from([0xff, 0x0a])
const mostly: [what: string, bytes: Buffer, encoding: string][] = [
  ['one bad byte in 100,000 good lines', Buffer.concat([...Array(100_000).fill(good), BAD_BYTES]), 'utf-8'],
  ['the bad byte in the first line', Buffer.concat([BAD_BYTES, ...Array(100).fill(good)]), 'utf-8'],
  ['one line of Windows-1252 among ten', Buffer.concat([...Array(9).fill(good), bad]), 'utf-8'],
  [
    'characters that were lost before, and one bad byte',
    Buffer.from('\ufffd;\ufffd;'.repeat(10) + '\n').fill(0xff, 3, 4),
    'utf-8',
  ],
  ['a character cut by the next line', Buffer.concat([good, Buffer.from([0xe2, 0x82, 0x0a]), good]), 'utf-8'],
  ['one line of UTF-8 among ten', Buffer.concat([...Array(9).fill(bad), good]), 'windows-1252'],
  [
    'one accented letter in 1,000 lines of ASCII',
    Buffer.from(`${'Ann\n'.repeat(1000)}Zo\xe9\n`, 'latin1'),
    'windows-1252',
  ],
  ['Cyrillic letters of one byte', iconv.encode('Привет, её зовут Юлия\n', 'windows-1251'), 'windows-1252'],
]
for (const [what, bytes, encoding] of mostly) {
  test(`detects ${encoding} by what most of the text is: ${what}`, () => assert.equal(detectEncoding(bytes), encoding))
}

test('replaces only the bad byte in UTF-8', async () => {
  const bytes = Buffer.concat([good, Buffer.from('A\xe9;', 'latin1'), good])
  assert.equal(await decoded(bytes), 'Zoé;Größe\nA\ufffd;Zoé;Größe\n')
})

test('detects UTF-8 when the sample cuts a character', () => {
  for (const shift of ['', 'x', 'xx', 'xxx']) {
    const sample = Buffer.from(shift + '😀'.repeat(ENCODING_SAMPLE_BYTES / 4)).subarray(0, ENCODING_SAMPLE_BYTES)
    assert.equal(detectEncoding(sample), 'utf-8')
  }
})

test('replaces an invalid byte after the first MiB', async () => {
  const text = await decoded(
    Buffer.concat([Buffer.from('a'.repeat(ENCODING_SAMPLE_BYTES)), Buffer.from([0xe9, 0x3b])]),
    'auto',
    4096,
  )
  assert.equal(text.slice(ENCODING_SAMPLE_BYTES), '\uFFFD;')
})

test('decodes an empty file to an empty text', async () => {
  assert.equal(await decoded(Buffer.alloc(0)), '')
})
