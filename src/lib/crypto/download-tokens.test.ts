import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createUuidV7 } from '../ids.ts'
import { parseDownloadToken, signDownloadToken } from './download-tokens.ts'
import { createAccountTokenKeys } from './tokens.ts'

const [older, newer] = [
  { number: 3, key: randomBytes(32) },
  { number: 4, key: randomBytes(32) },
]
const keys = createAccountTokenKeys([older])
const now = Date.parse('2026-03-20T08:00:00Z')
const download = { account: 7, id: createUuidV7(now), expiresAt: now + 1000 }
const token = signDownloadToken(keys, 'archive', download)

test('a token is valid until it expires, even after a new key is added', () => {
  assert.equal(token.length, 60)
  assert.deepEqual(parseDownloadToken(keys, 'archive', token, now), download)
  assert.deepEqual(parseDownloadToken(createAccountTokenKeys([newer, older]), 'archive', token, now), download)
  assert.equal(parseDownloadToken(keys, 'archive', token, now + 1000), undefined)
})

test('a token is refused when any character is changed and on the path of the other kind', () => {
  for (let at = 0; at < token.length; at++) {
    for (const other of ['A', 'B', '_', '=', ' ', '.']) {
      if (token[at] === other) continue
      const changed = token.slice(0, at) + other + token.slice(at + 1)
      assert.equal(parseDownloadToken(keys, 'archive', changed, now), undefined, changed)
    }
  }
  assert.equal(parseDownloadToken(keys, 'export', token, now), undefined)
  assert.equal(parseDownloadToken(createAccountTokenKeys([newer]), 'archive', token, now), undefined)
  assert.equal(parseDownloadToken(keys, 'archive', `${token}A`, now), undefined)
  assert.equal(parseDownloadToken(keys, 'archive', '', now), undefined)
})
