import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { crc32, gunzipSync, gzipSync } from 'node:zlib'
import { tgz } from '#test/support/files/tar.ts'
import { type Member, zip } from '#test/support/files/zip.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { type ImportUpload, listUploadTexts, peekUploadTexts, type UploadText, verifyArchive } from './archives.ts'

let directory = ''

before(async () => void (directory = await mkdtemp(join(tmpdir(), 'stentor-archives-'))))
after(() => rm(directory, { recursive: true }))

/** A zip archive whose end names a directory beyond every file, as only zip64 can. */
function zipBeyondEveryFile(): Buffer {
  const archive = zip(MEMBERS)
  const locator = Buffer.alloc(20, 0xff)
  locator.writeUInt32LE(0x07064b50, 0)
  const end = archive.subarray(-22)
  end.writeUInt32LE(0xffffffff, 16)
  return Buffer.concat([archive.subarray(0, -22), locator, end])
}

/** A tar archive of a header that says it holds this many bytes of a long name, gzipped. */
function tarOfLongName(bytes: number): Buffer {
  const head = Buffer.alloc(512)
  head.write('././@LongLink', 0)
  head.write(bytes.toString(8).padStart(11, '0'), 124)
  head.write('        L', 148)
  head.write('ustar', 257)
  const sum = head.reduce((all, byte) => all + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return gzipSync(Buffer.concat([head, Buffer.alloc(bytes, 'a'), Buffer.alloc(1024)]))
}

async function upload(name: string, data: Buffer, maxUnpacked = 1 << 30): Promise<ImportUpload> {
  const path = join(directory, `upload-${crc32(data)}`)
  await writeFile(path, data)
  return { path, name, maxUnpacked, onRead: () => {} }
}

async function bytesOf(text: UploadText): Promise<Buffer> {
  const content = await text.open()
  assert.ok('bytes' in content)
  return Buffer.concat(await Array.fromAsync(content.bytes))
}

async function contents(file: ImportUpload): Promise<string[]> {
  const found: string[] = []
  for (const text of await listUploadTexts(file, join(directory, 'scratch'))) {
    found.push(`${text.name}=${await bytesOf(text)}`)
  }
  return found
}

const refusal = (kind: string) => (error: unknown) => error instanceof Problem && error.kind === kind

const MEMBERS: Member[] = [
  { name: 'b.csv', data: Buffer.from('second') },
  { name: 'note.pdf', data: Buffer.from('no text') },
  { name: 'a.TXT', data: Buffer.from('first'.repeat(1000)) },
  { name: 'c.tsv', data: Buffer.from('third') },
]
const EXPECTED = [`a.TXT=${'first'.repeat(1000)}`, 'b.csv=second', 'c.tsv=third']

test('reads a plain file as it is', async () => {
  assert.deepEqual(await contents(await upload('import.csv', Buffer.from('a;b'))), ['import.csv=a;b'])
})

test('unpacks a gzip file recognised by its first bytes', async () => {
  assert.deepEqual(await contents(await upload('import.csv', gzipSync('a;b'))), ['import.csv=a;b'])
})

test('reads the text files of a zip archive by name', async () => {
  const file = await upload('people.zip', zip(MEMBERS))
  await verifyArchive(file)
  assert.deepEqual(await contents(file), EXPECTED)
})

test('reads the text files of a gzipped tar archive by name, including long names', async () => {
  const long = `${'z'.repeat(150)}.csv`
  const file = await upload('people.tar.gz', await tgz([...MEMBERS, { name: long, data: Buffer.from('last') }]))
  await verifyArchive(file)
  assert.deepEqual(await contents(file), [...EXPECTED, `${long}=last`])
})

test('reports the bytes read from the file, not the unpacked bytes', async () => {
  const packed = gzipSync('a;b\n'.repeat(100_000))
  let read = 0
  const file = { ...(await upload('a.gz', packed)), onRead: (bytes: number) => void (read += bytes) }
  await contents(file)
  assert.equal(read, packed.length)
})

for (const [name, make, kind] of [
  ['a zip archive that was cut', () => zip(MEMBERS).subarray(0, -30), 'archive-broken'],
  ['a zip archive with a wrong byte', () => flip(zip(MEMBERS), 40), 'archive-broken'],
  ['an encrypted zip archive', () => zip([{ ...MEMBERS[0]!, flags: 1 }]), 'archive-encrypted'],
  ['a zip archive without a text file', () => zip([MEMBERS[1]!]), 'archive-without-text'],
  [
    'a zip archive with two files in one place',
    () => zip([MEMBERS[0]!, { ...MEMBERS[2]!, wrong: { offset: 0 } }]),
    'archive-broken',
  ],
  [
    'a zip archive with a file within another',
    () => zip([{ ...MEMBERS[2]!, wrong: { packed: 90 } }, MEMBERS[0]!]),
    'archive-broken',
  ],
  [
    'a zip archive with a file within the directory',
    () => zip([MEMBERS[0]!, { ...MEMBERS[2]!, wrong: { packed: 90 } }]),
    'archive-broken',
  ],
  ['a zip archive whose directory is beyond every file', zipBeyondEveryFile, 'archive-broken'],
  [
    'a zip archive with a size that is missing',
    () => zip([{ ...MEMBERS[0]!, wrong: { packed: 0xffffffff, extra: Buffer.from([1, 0, 4, 0, 0, 0, 0, 0]) } }]),
    'archive-broken',
  ],
  ['a gzip file that was cut', () => gzipSync('a;b'.repeat(1000)).subarray(0, -9), 'archive-broken'],
  ['what is no archive under the name of one', () => Buffer.from('a;b'), 'archive-broken'],
] as const) {
  test(`refuses ${name}`, async () => {
    await assert.rejects(verifyArchive(await upload('people.zip', make())), refusal(kind))
  })
}

test('refuses a truncated gzipped tar archive and one without a text file', async () => {
  const tar = gunzipSync(await tgz(MEMBERS))
  await assert.rejects(verifyArchive(await upload('a.tgz', gzipSync(tar.subarray(0, 700)))), refusal('archive-broken'))
  await assert.rejects(verifyArchive(await upload('b.tgz', await tgz([MEMBERS[1]!]))), refusal('archive-without-text'))
})

test('refuses a gzipped tar archive with an overlong name', async () => {
  await assert.rejects(verifyArchive(await upload('b.tgz', tarOfLongName(2 << 20))), refusal('archive-broken'))
  // A name of any sensible length is read; what it names is missing here.
  await assert.rejects(verifyArchive(await upload('c.tgz', tarOfLongName(1000))), refusal('archive-without-text'))
})

test('stops unpacking at the limit', async () => {
  const file = await upload('a.gz', gzipSync('a;b\n'.repeat(100_000)), 1000)
  await verifyArchive(file)
  await assert.rejects(contents(file), refusal('unpacked-too-large'))
})

function flip(bytes: Buffer, index: number): Buffer {
  bytes[index] = bytes[index]! ^ 0xff
  return bytes
}

test('reads the beginning of each text file, whatever the archive format', async () => {
  const large = Buffer.from('Email\n'.padEnd(3 << 20, 'a@example.org\n'))
  const members = [
    { name: 'b.csv', data: large },
    { name: 'a.txt', data: Buffer.from('Email\n') },
    { name: 'picture.png', data: Buffer.from('x') },
  ]
  const expected = [
    { name: 'a.txt', size: 6, isWhole: true },
    { name: 'b.csv', size: 1 << 20, isWhole: false },
  ]
  const seen = async (name: string, data: Buffer) =>
    (await peekUploadTexts(await upload(name, data), join(directory, 'scratch'), () => '')).map((peeked) => {
      assert.ok('head' in peeked)
      const { head, ...one } = peeked
      return { ...one, size: head.length }
    })
  for (const [name, data] of [
    ['people.zip', zip(members)],
    ['people.tgz', await tgz(members)],
  ] as const) {
    assert.deepEqual(await seen(name, data), expected, name)
  }
  assert.deepEqual(await seen('people.csv', large), [{ name: 'people.csv', isWhole: false, size: 1 << 20 }])
  assert.deepEqual(await seen('people.csv.gz', gzipSync(large)), [
    { name: 'people.csv.gz', isWhole: false, size: 1 << 20 },
  ])
  await assert.rejects(seen('none.zip', zip([{ name: 'x.png', data: Buffer.from('x') }])), {
    kind: 'archive-without-text',
  })
})
