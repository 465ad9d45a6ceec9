import assert from 'node:assert/strict'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import { decode, detectEncoding, SAMPLE } from './encoding.ts'

async function* cut(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

const decoded = async (bytes: Buffer, encoding = 'auto', length = 7): Promise<string> =>
  (await Array.fromAsync(decode(cut(bytes, length), encoding))).join('')

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

test('detects Windows-1252 by a lone accented letter at the end of a short file', () => {
  assert.equal(detectEncoding(Buffer.from('Zo\xe9', 'latin1')), 'windows-1252')
})

test('detects UTF-8 when the sample cuts a character', () => {
  for (const shift of ['', 'x', 'xx', 'xxx']) {
    const sample = Buffer.from(shift + '😀'.repeat(SAMPLE / 4)).subarray(0, SAMPLE)
    assert.equal(detectEncoding(sample), 'utf-8')
  }
})

test('replaces an invalid byte after the first MiB', async () => {
  const text = await decoded(Buffer.concat([Buffer.from('a'.repeat(SAMPLE)), Buffer.from([0xe9, 0x3b])]), 'auto', 4096)
  assert.equal(text.slice(SAMPLE), '\uFFFD;')
})

test('decodes an empty file to an empty text', async () => {
  assert.equal(await decoded(Buffer.alloc(0)), '')
})
