import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { readToken, signToken, tokenKeys } from '../../lib/crypto/tokens.ts'
import { stampOf } from './display-hits.ts'
import { COOKIE_MS, readTag, readVisitorIdentity, signTag, signVisitorIdentity, type Tag } from './tokens.ts'

const old = { number: 3, key: randomBytes(32) }
const keys = tokenKeys([old])
const tag: Tag = { account: 7, content: 0xffffffff, placement: 12, contact: 2 ** 47 }

suite('display tokens', () => {
  test('are read back as signed, with any retained key', () => {
    const rotated = tokenKeys([{ number: 4, key: randomBytes(32) }, old])
    for (const one of [tag, { ...tag, contact: null }]) {
      for (const kind of ['impression', 'redirection'] as const) {
        const token = signTag(keys, kind, one)
        assert.match(token, /^[A-Za-z0-9_-]{48}$/)
        assert.deepEqual(readTag(keys, kind, token), one)
        assert.deepEqual(readTag(rotated, kind, token), one)
      }
    }
    assert.equal(
      readTag(tokenKeys([{ number: 3, key: randomBytes(32) }]), 'impression', signTag(keys, 'impression', tag)),
      undefined,
    )
  })

  test('are valid on one path only and refused when altered', () => {
    const token = signTag(keys, 'impression', tag)
    assert.equal(readTag(keys, 'redirection', token), undefined)
    assert.equal(readVisitorIdentity(keys, token, 0), undefined)
    assert.equal(readTag(keys, 'impression', signVisitorIdentity(keys, { account: 7, contact: 1 }, 0)), undefined)
    for (const text of ['', token.slice(1), `${token}A`, `${token}==`, `${token.slice(0, -1)}*`])
      assert.equal(readTag(keys, 'impression', text), undefined, text)
    for (let place = 0; place < token.length; place++) {
      const changed = token.slice(0, place) + (token[place] === 'A' ? 'B' : 'A') + token.slice(place + 1)
      assert.equal(readTag(keys, 'impression', changed), undefined, String(place))
    }
    const stamp = stampOf(tag, undefined, 0)
    const link = signToken(keys, {
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
    assert.equal(readTag(keys, 'impression', link), undefined)
    assert.equal(readToken(keys, token, 'open'), undefined)
  })

  test('a visitor cookie is valid for 13 months', () => {
    const value = signVisitorIdentity(keys, { account: 7, contact: 9 }, 1000)
    assert.deepEqual(readVisitorIdentity(keys, value, 1000 + COOKIE_MS), { account: 7, contact: 9 })
    assert.equal(readVisitorIdentity(keys, value, 1001 + COOKIE_MS), undefined)
    for (const changed of [value.slice(1), `${value}A`, value.slice(0, -1)])
      assert.equal(readVisitorIdentity(keys, changed, 1000), undefined)
  })
})

test('a nonce gives one stamp per tag, and without a nonce each stamp is new', () => {
  assert.equal(stampOf(tag, 'a', 1), stampOf({ ...tag }, 'a', 2))
  assert.match(stampOf(tag, 'a', 1), /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const others = [
    stampOf(tag, 'b', 1),
    stampOf({ ...tag, account: 8 }, 'a', 1),
    stampOf({ ...tag, contact: null }, 'a', 1),
  ]
  assert.equal(
    new Set([stampOf(tag, 'a', 1), ...others, stampOf(tag, undefined, 1), stampOf(tag, undefined, 1)]).size,
    6,
  )
})
