import assert from 'node:assert/strict'
import { createHash, createPrivateKey, createPublicKey, verify } from 'node:crypto'
import { describe, it } from 'node:test'
import { hashRelaxedBody, relaxBodyPiece, relaxDkimHeader, signWithDkim } from './dkim.ts'
import { createDkimKey, dkimAlgorithms, formatDkimRecord, isDkimKeyPublished } from './dkim-keys.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')

describe('relaxed DKIM canonicalisation', () => {
  it('matches the examples of RFC 6376', () => {
    assert.deepEqual([relaxDkimHeader(['A', 'X']), relaxDkimHeader(['B ', 'Y\t\r\n\tZ  '])], ['a:X', 'b :Y Z'])
    assert.equal(relaxBodyPiece(Buffer.from(' C \r\nD \t E\r\n\r\n\r\n')).toString(), ' C\r\nD E\r\n\r\n\r\n')
    assert.equal(hashRelaxedBody(relaxBodyPiece(Buffer.from(' C \r\nD \t E\r\n\r\n\r\n'))), sha256(' C\r\nD E\r\n'))
  })

  it('of an empty body is empty and has the hash of RFC 6376', () => {
    assert.equal(hashRelaxedBody(Buffer.from('\r\n\r\n')), '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=')
  })

  it('reduces white space in long pieces as in short ones', () => {
    const words = `${'word '.repeat(100)}\r\n`
    const wide = `${'word \t'.repeat(100)}\r\n`
    assert.equal(relaxBodyPiece(Buffer.from(wide)).toString(), words.replace(' \r\n', '\r\n'))
    assert.equal(relaxBodyPiece(Buffer.from(words)).toString(), words.replace(' \r\n', '\r\n'))
  })
})

describe('DKIM signatures', () => {
  const headers = [
    ['From', 'The Shop <news@shop.example>'],
    ['To', 'ann@example.org'],
    ['Subject', 'Our doors\r\n open'],
    ['X-Other', 'x'],
  ] as const

  it('are one for each key, verify with the published keys and have lines of at most 78 characters', async () => {
    const made = await Promise.all(
      dkimAlgorithms.map(async (algorithm) => ({ algorithm, ...(await createDkimKey(algorithm)) })),
    )
    const keys = made.map(({ algorithm, privateKey }) => ({
      algorithm,
      selector: algorithm.slice(0, 1),
      key: createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }),
    }))
    const names = ['from', 'to', 'cc', 'subject', 'date']
    const signatures = signWithDkim(headers, Buffer.from('a\r\n'), { domain: 'shop.example', keys, names })
    assert.equal(signatures.length, 2)
    for (const [index, [name, value]] of signatures.entries()) {
      const { algorithm, publicKey } = made[index]!
      for (const line of `${name}: ${value}`.split('\r\n')) assert.ok(line.length <= 78, line)
      const tags = new Map(
        value
          .replace(/\s/g, '')
          .split(';')
          .map((tag) => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
      )
      assert.equal(tags.get('h'), 'from:from:to:subject')
      assert.equal(tags.get('bh'), sha256('a\r\n'))
      const signed = `from:The Shop <news@shop.example>\r\nto:ann@example.org\r\nsubject:Our doors open\r\n${relaxDkimHeader([name, value.slice(0, value.indexOf(' b=') + 3)])}`
      const signature = Buffer.from(tags.get('b') ?? '', 'base64')
      const raw = Buffer.from(publicKey, 'base64')
      const spki =
        algorithm === 'rsa-sha256' ? raw : Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw])
      const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
      const isRight =
        algorithm === 'rsa-sha256'
          ? verify('sha256', Buffer.from(signed), key, signature)
          : verify(null, createHash('sha256').update(signed).digest(), key, signature)
      assert.ok(isRight, algorithm)
    }
  })

  it('are absent without keys', () => {
    assert.deepEqual(
      signWithDkim(headers, Buffer.from('a\r\n'), { domain: 'shop.example', keys: [], names: ['from'] }),
      [],
    )
  })
})

describe('DKIM key records', () => {
  it('publish their key however they are spaced and ordered', () => {
    const key = 'MIIB+/=='
    for (const record of [
      formatDkimRecord('rsa-sha256', key),
      `p=${key}`,
      ` v = DKIM1 ; p = MIIB +/== ; k=rsa;`,
      `v=DKIM1; h=sha1:sha256; s=email; t=s; p=${key}`,
    ])
      assert.ok(isDkimKeyPublished(record, 'rsa-sha256', key), record)
    assert.ok(isDkimKeyPublished(formatDkimRecord('ed25519-sha256', key), 'ed25519-sha256', key))
  })

  it('of another key, algorithm, version or service do not publish it', () => {
    const key = 'MIIB+/=='
    for (const record of [
      '',
      'v=spf1 -all',
      'v=DKIM1; p=',
      `v=DKIM2; p=${key}`,
      `k=ed25519; p=${key}`,
      `p=x${key}`,
      `h=sha1; p=${key}`,
      `s=tlsrpt; p=${key}`,
    ])
      assert.ok(!isDkimKeyPublished(record, 'rsa-sha256', key), record)
  })
})
