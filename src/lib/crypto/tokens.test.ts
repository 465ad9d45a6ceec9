import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRun } from '#test/fakes/scripts/seeded.ts'
import { formatUuid } from '../ids.ts'
import { sentSourceKinds } from '../sources.ts'
import { computeHmac } from './hmac.ts'
import {
  createAccountTokenKeys,
  createMessageSigner,
  type LinkTokenKind,
  type MessageLinkToken,
  type MessageToken,
  parseLinkToken,
  parseStampAddress,
  signLinkToken,
  signStampAddress,
} from './tokens.ts'

const first = { number: 1, key: Buffer.alloc(32, 1) }
const second = { number: 2, key: Buffer.alloc(32, 2) }
const keys = createAccountTokenKeys([first])
const stamp = '019512a0-7c11-7d2e-9a42-0c1de0a5b001'
const message: MessageToken = {
  account: 1,
  sourceKind: 'action',
  source: 0x7fffffff,
  version: 77,
  contact: 0xffff_ffff_ffff,
  stamp,
  test: false,
  silent: false,
}
const token: MessageLinkToken = { ...message, kind: 'redirection', link: 12 }
const kinds: LinkTokenKind[] = ['open', 'redirection', 'mirror', 'unsubscribe', 'form', 'honeypot']

function flipBit(text: string, bit: number): string {
  const bytes = Buffer.from(text, 'base64url')
  const byte = bytes[bit >> 3] ?? 0
  bytes[bit >> 3] = byte ^ (1 << (bit & 7))
  return bytes.toString('base64url')
}

describe('tokens', () => {
  it('have 72 characters that encode every member, for every kind and flag', () => {
    for (const kind of kinds)
      for (const test of [false, true])
        for (const silent of [false, true]) {
          const text = signLinkToken(keys, { ...token, kind, test, silent })
          assert.match(text, /^[A-Za-z0-9_-]{72}$/)
          assert.deepEqual(parseLinkToken(keys, text, kind), { ...token, kind, test, silent })
        }
  })

  it('begin with the layout, key number, kind and account as documented', () => {
    const starts = (members: Partial<MessageLinkToken>) => signLinkToken(keys, { ...token, ...members }).slice(0, 8)
    assert.equal(starts({}), 'IQIAAAAB')
    assert.equal(starts({ kind: 'unsubscribe' }), 'EQQAAAAB')
    assert.equal(starts({ sourceKind: 'rcs' }), 'IUIAAAAB')
    assert.equal(starts({ sourceKind: 'notification' }), 'IYIAAAAB')
  })

  it('of the first layout remain readable and belong to actions', () => {
    const marked: MessageToken = { ...message, test: true, silent: true }
    const target = 'https://shop.example/a?b=é'
    const made: [text: string, token: MessageLinkToken, target?: string][] = [
      ['AQIAAAABf____wAAAE3_______8BlRKgfBF9LppCDB3gpbABAAwysWjBDvUqBd7S7sVdBxkP', token],
      [
        'AQQAAAABf____wAAAE3_______8BlRKgfBF9LppCDB3gpbABAAChxBh2FrKkohqf6Vy7A8Hj',
        { ...message, kind: 'unsubscribe', link: 0 },
      ],
      ['AQIAAAABf____wAAAE3_______8BlRKgfBF9LppCDB3gpbAB__9XVtJuFwTx-kis7j79HdgD', { ...token, link: 65535 }, target],
      [
        'ATEAAAABf____wAAAE3_______8BlRKgfBF9LppCDB3gpbABAACVUJyYzftDU587AXOiMQT1',
        { ...marked, kind: 'open', link: 0 },
      ],
    ]
    for (const [text, expected, travelling] of made)
      assert.deepEqual(parseLinkToken(keys, text, expected.kind, travelling), expected)
  })

  it('of redirections that were signed individually remain readable', () => {
    const made: [text: string, token: MessageLinkToken][] = [
      ['EQIAAAABf____wAAAE3_______8BlRKgfBF9LppCDB3gpbABAAwDuiBoBWOFnrpwUnONDZ4L', token],
      [
        'EbIAAAABf____wAAAE3_______8BlRKgfBF9LppCDB3gpbABAAxpDcmFD1576rz7VPx_ZeEw',
        { ...token, sourceKind: 'notification', test: true, silent: true },
      ],
    ]
    for (const [text, expected] of made) assert.deepEqual(parseLinkToken(keys, text, expected.kind), expected)
  })

  it('never change their layout', () => {
    const made: [text: string, token: MessageLinkToken][] = [
      ['IQIAAAABf____wAAAE3_______8BlRKgfBF9LppCDB3gpbABAAyQt2t_LODUp7GlKKP_YsSI', token],
      [
        'EUQAAAABf____wAAAE3_______8BlRKgfBF9LppCDB3gpbABAAA9634cu2l3UGQafvkkMxyH',
        { ...token, sourceKind: 'rcs', kind: 'unsubscribe', link: 0 },
      ],
      [
        'IbIAAAABf____wAAAE3_______8BlRKgfBF9LppCDB3gpbABAAx3TRBziFQgiuOfrgbOncdR',
        { ...token, sourceKind: 'notification', test: true, silent: true },
      ],
    ]
    for (const [text, expected] of made) {
      assert.equal(signLinkToken(keys, expected), text)
      assert.deepEqual(parseLinkToken(keys, text, expected.kind), expected)
    }
  })

  it('return random members as they were encoded', (t) => {
    const random = seededRun(t)
    const below = (limit: number) => Math.floor(random() * limit)
    const one = <Value>(values: readonly Value[]): Value => values[below(values.length)]!
    for (let n = 0; n < 2000; n++) {
      const made: MessageLinkToken = {
        kind: one(kinds),
        sourceKind: one(sentSourceKinds),
        source: below(2 ** 32),
        account: below(2 ** 32),
        version: below(2 ** 32),
        contact: below(2 ** 48),
        stamp: formatUuid(Buffer.from(Array.from({ length: 16 }, () => below(256)))),
        link: below(65536),
        test: random() < 0.5,
        silent: random() < 0.5,
      }
      const text = signLinkToken(keys, made)
      assert.deepEqual(parseLinkToken(keys, text, made.kind), made)
      const other = one(sentSourceKinds.filter((sourceKind) => sourceKind !== made.sourceKind))
      assert.notEqual(signLinkToken(keys, { ...made, sourceKind: other }), text)
    }
  })

  it('with an unknown layout or source kind are refused even with a valid MAC', () => {
    const { key } = keys.signing(1)
    const body = Buffer.from(signLinkToken(keys, token), 'base64url').subarray(0, 38)
    const signed = (first: number, second: number) => {
      const bytes = Buffer.from(body)
      bytes[0] = first
      bytes[1] = second
      return Buffer.concat([bytes, computeHmac(key, bytes).subarray(0, 16)]).toString('base64url')
    }
    assert.deepEqual(parseLinkToken(keys, signed(0x11, 2), 'redirection'), token)
    assert.equal(parseLinkToken(keys, signed(0x11, 2 | (1 << 6)), 'redirection')?.sourceKind, 'rcs')
    assert.equal(parseLinkToken(keys, signed(0x11, 2 | (3 << 6)), 'redirection'), undefined)
    assert.equal(parseLinkToken(keys, signed(0x31, 2), 'redirection'), undefined)
  })

  it('of one message do not depend on those signed before, with or without a target', () => {
    const signer = createMessageSigner(keys.signing(message.account), message)
    const targets = [undefined, 'https://shop.example/', undefined, 'x'.repeat(500), undefined]
    for (const [link, target] of targets.entries())
      for (const kind of kinds)
        assert.equal(signer.sign(kind, link, target), signLinkToken(keys, { ...message, kind, link }, target))
  })

  it('refuse a link number beyond two bytes', () => {
    const signer = createMessageSigner(keys.signing(message.account), message)
    assert.throws(() => signer.sign('redirection', 65536), RangeError)
  })

  it('are refused when any bit is changed', () => {
    const text = signLinkToken(keys, token)
    for (let bit = 0; bit < 54 * 8; bit++)
      assert.equal(parseLinkToken(keys, flipBit(text, bit), 'redirection'), undefined)
    const mirror = signLinkToken(keys, { ...token, kind: 'mirror', link: 0 })
    for (let bit = 0; bit < 54 * 8; bit++) assert.equal(parseLinkToken(keys, flipBit(mirror, bit), 'mirror'), undefined)
  })

  it("of a message's links are all different, and none is valid for another number", () => {
    const signer = createMessageSigner(keys.signing(message.account), message)
    const all = Array.from({ length: 65536 }, (_, link) => Buffer.from(signer.sign('redirection', link), 'base64url'))
    assert.equal(new Set(all.map((bytes) => bytes.toString('hex', 38))).size, all.length)
    for (const [link, bytes] of all.entries()) {
      const moved = Buffer.from(bytes)
      moved.writeUInt16BE((link + 1) & 0xffff, 36)
      assert.equal(parseLinkToken(keys, moved.toString('base64url'), 'redirection'), undefined)
    }
  })

  it('are refused on the path of another kind', () => {
    for (const kind of kinds)
      for (const other of kinds)
        assert.equal(parseLinkToken(keys, signLinkToken(keys, { ...token, kind }), other) === undefined, kind !== other)
  })

  it('are refused when another account signed them', () => {
    const signer = createMessageSigner({ number: 1, key: keys.signing(2).key }, message)
    assert.equal(parseLinkToken(keys, signer.sign('redirection', 12), 'redirection'), undefined)
  })

  it('are refused with another length, alphabet or padding', () => {
    const text = signLinkToken(keys, token)
    const faulty = [
      '',
      text.slice(1),
      `${text}A`,
      `${text.slice(0, -1)}=`,
      `+${text.slice(1)}`,
      `${text.slice(0, -1)} `,
    ]
    for (const wrong of faulty) assert.equal(parseLinkToken(keys, wrong, 'redirection'), undefined)
  })

  it('are refused when their target is replaced, removed or added', () => {
    const target = 'https://shop.example/a?b=é'
    const text = signLinkToken(keys, token, target)
    assert.deepEqual(parseLinkToken(keys, text, 'redirection', target), token)
    assert.equal(parseLinkToken(keys, text, 'redirection', 'https://evil.example/'), undefined)
    assert.equal(parseLinkToken(keys, text, 'redirection'), undefined)
    assert.equal(parseLinkToken(keys, signLinkToken(keys, token), 'redirection', target), undefined)
  })

  it('are signed with the newest key and read with all keys', () => {
    const renewed = createAccountTokenKeys([second, first])
    const old = signLinkToken(keys, token)
    assert.deepEqual(parseLinkToken(renewed, old, 'redirection'), token)
    assert.ok(signLinkToken(renewed, token).startsWith('IgIAAAAB'))
    assert.equal(parseLinkToken(keys, signLinkToken(renewed, token), 'redirection'), undefined)
  })

  it('of one message are the same whether signed individually or together', () => {
    const signer = createMessageSigner(keys.signing(message.account), message)
    for (const kind of kinds) assert.equal(signer.sign(kind, 3), signLinkToken(keys, { ...token, kind, link: 3 }))
    assert.equal(signer.address('bounce'), signStampAddress(keys, 'bounce', message.account, stamp))
  })

  it('cache keys of accounts that sign, but not of accounts that a forger may have named', () => {
    const fresh = createAccountTokenKeys([first])
    assert.notEqual(fresh.verifying(1, 4_000_000_000), fresh.verifying(1, 4_000_000_000))
    assert.equal(fresh.signing(1), fresh.signing(1))
    assert.equal(fresh.verifying(1, 1), fresh.signing(1))
    assert.equal(fresh.verifying(3, 1), undefined)
  })
})

describe('addresses that contain a stamp', () => {
  const prefixes = ['bounce', 'unsub', 'stamp'] as const

  it('have 50 lower-case characters, are read in either case and stay under 64 with their prefix', () => {
    for (const prefix of prefixes) {
      const text = signStampAddress(keys, prefix, 1, stamp)
      assert.match(text, /^aeaaaaab[a-z2-7]{42}$/)
      assert.ok(`${prefix}+${text}`.length < 64)
      assert.deepEqual(parseStampAddress(keys, prefix, text), { account: 1, stamp })
      assert.deepEqual(parseStampAddress(keys, prefix, text.toUpperCase()), { account: 1, stamp })
    }
  })

  it('never change their layout', () => {
    for (const [prefix, text] of [
      ['bounce', 'aeaaaaabagkrfid4cf6s5gscbqo6bjnqae7n2knpbk722lobau'],
      ['unsub', 'aeaaaaabagkrfid4cf6s5gscbqo6bjnqahope3wlcc4vxxbsxi'],
      ['stamp', 'aeaaaaabagkrfid4cf6s5gscbqo6bjnqagapk7qnwggrw4pkiy'],
    ] as const) {
      assert.equal(signStampAddress(keys, prefix, 1, stamp), text)
      assert.deepEqual(parseStampAddress(keys, prefix, text), { account: 1, stamp })
    }
  })

  it('are refused with another prefix', () => {
    for (const prefix of prefixes)
      for (const other of prefixes)
        assert.equal(
          parseStampAddress(keys, other, signStampAddress(keys, prefix, 1, stamp)) === undefined,
          prefix !== other,
        )
  })

  it('are refused when any character is replaced, even if only its spare bits differ', () => {
    const text = signStampAddress(keys, 'bounce', 1, stamp)
    for (let at = 0; at < text.length; at++)
      for (const other of 'abcdefghijklmnopqrstuvwxyz234567')
        if (other !== text[at])
          assert.equal(parseStampAddress(keys, 'bounce', text.slice(0, at) + other + text.slice(at + 1)), undefined)
  })

  it('are refused with another length or alphabet', () => {
    const text = signStampAddress(keys, 'bounce', 1, stamp)
    for (const wrong of ['', text.slice(1), `${text}a`, `1${text.slice(1)}`, `é${text.slice(1)}`])
      assert.equal(parseStampAddress(keys, 'bounce', wrong), undefined)
  })
})
