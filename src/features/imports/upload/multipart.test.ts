import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDispositionFilename, readMultipartParts } from './multipart.ts'

interface Read {
  name: string | undefined
  filename: string | undefined
  text: string
}

async function* pieces(body: string, length: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function readAll(body: string, length = body.length): Promise<Read[]> {
  const read: Read[] = []
  for await (const { name, filename, body: content } of readMultipartParts(pieces(body, length), 'XyZ')) {
    read.push({ name, filename, text: Buffer.concat(await Array.fromAsync(content)).toString() })
  }
  return read
}

const FORM = [
  'a preamble that is not read',
  '--XyZ',
  'Content-Disposition: form-data; name="note"',
  '',
  'two\r\nlines, and --XyZ in one',
  '--XyZ  ',
  'content-type: text/csv',
  'content-disposition: form-data; filename="été \\"1\\".csv";',
  '  name=data',
  '',
  'Email\r\n--Xy\r\n',
  '--XyZ',
  '',
  '',
  '--XyZ--',
  'an epilogue',
].join('\r\n')

const PARTS: Read[] = [
  { name: 'note', filename: undefined, text: 'two\r\nlines, and --XyZ in one' },
  { name: 'data', filename: 'été "1".csv', text: 'Email\r\n--Xy\r\n' },
  { name: undefined, filename: undefined, text: '' },
]

test('reads the parts of a form', async () => {
  assert.deepEqual(await readAll(FORM), PARTS)
})

test('reads the parts however the body is split', async () => {
  for (let length = 1; length < 40; length++) assert.deepEqual(await readAll(FORM, length), PARTS)
})

test('skips parts that are not consumed', async () => {
  const names: (string | undefined)[] = []
  for await (const { name } of readMultipartParts(pieces(FORM, 7), 'XyZ')) names.push(name)
  assert.deepEqual(names, ['note', 'data', undefined])
})

test('refuses a body that ends before its last boundary', async () => {
  for (const length of [0, 10, 60, 100, 150, FORM.length - 25]) {
    await assert.rejects(readAll(FORM.slice(0, length)), { kind: 'malformed-body' })
  }
})

test('refuses a part whose headers do not end', async () => {
  await assert.rejects(readAll(`--XyZ\r\n${'x'.repeat(20_000)}`, 1000), { kind: 'malformed-body' })
})

test('reads file names as RFC 6266 defines them and prefers the extended form', () => {
  assert.equal(parseDispositionFilename('; filename=plain.csv'), 'plain.csv')
  assert.equal(parseDispositionFilename('attachment; filename="a; b.csv"'), 'a; b.csv')
  assert.equal(parseDispositionFilename(`attachment; filename="x.csv"; filename*=UTF-8''%c3%a9t%C3%A9.csv`), 'été.csv')
  assert.equal(parseDispositionFilename(`attachment; filename*=iso-8859-1'fr'%e9t%e9.csv`), 'été.csv')
  assert.equal(parseDispositionFilename('inline'), undefined)
})
