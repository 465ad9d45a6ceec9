import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { createAccountTokenKeys, parseLinkToken, signLinkToken } from '../../lib/crypto/tokens.ts'
import { deriveDisplayStamp } from './display-hits.ts'
import {
  type DisplayTag,
  parseDisplayTag,
  parseVisitorIdentity,
  signDisplayTag,
  signVisitorIdentity,
  VISITOR_COOKIE_MS,
} from './tokens.ts'

const old = { number: 3, key: randomBytes(32) }
const keys = createAccountTokenKeys([old])
const tag: DisplayTag = { account: 7, content: 0xffffffff, placement: 12, contact: 2 ** 47 }

suite('display tokens', () => {
  test('are read back as signed, with any retained key', () => {
    const rotated = createAccountTokenKeys([{ number: 4, key: randomBytes(32) }, old])
    for (const one of [tag, { ...tag, contact: null }]) {
      for (const kind of ['impression', 'redirection'] as const) {
        const token = signDisplayTag(keys, kind, one)
        assert.match(token, /^[A-Za-z0-9_-]{48}$/)
        assert.deepEqual(parseDisplayTag(keys, kind, token), one)
        assert.deepEqual(parseDisplayTag(rotated, kind, token), one)
      }
    }
    assert.equal(
      parseDisplayTag(
        createAccountTokenKeys([{ number: 3, key: randomBytes(32) }]),
        'impression',
        signDisplayTag(keys, 'impression', tag),
      ),
      undefined,
    )
  })

  test('are valid on one path only and refused when altered', () => {
    const token = signDisplayTag(keys, 'impression', tag)
    assert.equal(parseDisplayTag(keys, 'redirection', token), undefined)
    assert.equal(parseVisitorIdentity(keys, token, 0), undefined)
    assert.equal(
      parseDisplayTag(keys, 'impression', signVisitorIdentity(keys, { account: 7, contact: 1 }, 0)),
      undefined,
    )
    for (const text of ['', token.slice(1), `${token}A`, `${token}==`, `${token.slice(0, -1)}*`])
      assert.equal(parseDisplayTag(keys, 'impression', text), undefined, text)
    for (let place = 0; place < token.length; place++) {
      const changed = token.slice(0, place) + (token[place] === 'A' ? 'B' : 'A') + token.slice(place + 1)
      assert.equal(parseDisplayTag(keys, 'impression', changed), undefined, String(place))
    }
    const stamp = deriveDisplayStamp(tag, undefined, 0)
    const link = signLinkToken(keys, {
      kind: 'open',
      account: 7,
      sourceKind: 'action',
      source: 1,
      version: 1,
      contact: 1,
      stamp,
      link: 0,
      test: false,
      silent: false,
    })
    assert.equal(parseDisplayTag(keys, 'impression', link), undefined)
    assert.equal(parseLinkToken(keys, token, 'open'), undefined)
  })

  test('a visitor cookie is valid for 13 months', () => {
    const value = signVisitorIdentity(keys, { account: 7, contact: 9 }, 1000)
    assert.deepEqual(parseVisitorIdentity(keys, value, 1000 + VISITOR_COOKIE_MS), { account: 7, contact: 9 })
    assert.equal(parseVisitorIdentity(keys, value, 1001 + VISITOR_COOKIE_MS), undefined)
    for (const changed of [value.slice(1), `${value}A`, value.slice(0, -1)])
      assert.equal(parseVisitorIdentity(keys, changed, 1000), undefined)
  })
})

test('a nonce gives one stamp per tag, and without a nonce each stamp is new', () => {
  assert.equal(deriveDisplayStamp(tag, 'a', 1), deriveDisplayStamp({ ...tag }, 'a', 2))
  assert.match(deriveDisplayStamp(tag, 'a', 1), /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const others = [
    deriveDisplayStamp(tag, 'b', 1),
    deriveDisplayStamp({ ...tag, account: 8 }, 'a', 1),
    deriveDisplayStamp({ ...tag, contact: null }, 'a', 1),
  ]
  assert.equal(
    new Set([
      deriveDisplayStamp(tag, 'a', 1),
      ...others,
      deriveDisplayStamp(tag, undefined, 1),
      deriveDisplayStamp(tag, undefined, 1),
    ]).size,
    6,
  )
})
