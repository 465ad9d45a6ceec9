import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { uuidV7 } from '../ids.ts'
import { readDownload, signDownload } from './download-tokens.ts'
import { tokenKeys } from './tokens.ts'

const [older, newer] = [
  { number: 3, key: randomBytes(32) },
  { number: 4, key: randomBytes(32) },
]
const keys = tokenKeys([older])
const now = Date.parse('2026-03-20T08:00:00Z')
const download = { account: 7, id: uuidV7(now), expiresAt: now + 1000 }
const token = signDownload(keys, 'archive', download)

test('a token is valid until it expires, even after a new key is added', () => {
  assert.equal(token.length, 60)
  assert.deepEqual(readDownload(keys, 'archive', token, now), download)
  assert.deepEqual(readDownload(tokenKeys([newer, older]), 'archive', token, now), download)
  assert.equal(readDownload(keys, 'archive', token, now + 1000), undefined)
})

test('a token is refused when any character is changed and on the path of the other kind', () => {
  for (let at = 0; at < token.length; at++) {
    for (const other of ['A', 'B', '_', '=', ' ', '.']) {
      if (token[at] === other) continue
      const changed = token.slice(0, at) + other + token.slice(at + 1)
      assert.equal(readDownload(keys, 'archive', changed, now), undefined, changed)
    }
  }
  assert.equal(readDownload(keys, 'export', token, now), undefined)
  assert.equal(readDownload(tokenKeys([newer]), 'archive', token, now), undefined)
  assert.equal(readDownload(keys, 'archive', `${token}A`, now), undefined)
  assert.equal(readDownload(keys, 'archive', '', now), undefined)
})
