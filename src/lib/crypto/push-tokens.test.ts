import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  buildPushReportAddress,
  type PushMessageToken,
  parsePushReportAddress,
  pushReportKinds,
} from './push-tokens.ts'
import { createAccountTokenKeys } from './tokens.ts'

const keys = createAccountTokenKeys([{ number: 3, key: Buffer.alloc(32, 1) }])
const owner = { agency: 'ACME', customer: '001' }
const token: PushMessageToken = {
  account: 7,
  notification: 0x7fffffff,
  version: '0198c300-2222-7333-8444-555566668888',
  subscription: '3b1e77aa-0c0d-4e0f-8a1b-2c3d4e5f6071',
  contact: 0xffff_ffff_ffff,
  stamp: '0198c301-0000-7000-8000-000000000001',
  test: false,
  silent: false,
}
const made = buildPushReportAddress(keys.signing(7), owner, token)
const message = made.path.split('/')[4] ?? ''

/** Every text that differs in one character. */
function* changed(text: string): Generator<string> {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  for (let at = 0; at < text.length; at++)
    for (const letter of letters) if (letter !== text[at]) yield text.slice(0, at) + letter + text.slice(at + 1)
}

describe('push tracking addresses', () => {
  it('are read as they were made, for every sign', () => {
    assert.match(made.path, /^\/hit\/ACME\/001\/[\w-]{107}\/link\/$/)
    assert.equal(new Set(Object.values(made.tokens)).size, pushReportKinds.length)
    for (const sign of pushReportKinds)
      assert.deepEqual(parsePushReportAddress(keys, owner, { message, token: made.tokens[sign] }), { sign, token })
    assert.ok(
      parsePushReportAddress(keys, { agency: 'acme', customer: '001' }, { message, token: made.tokens.dismiss }),
    )
  })

  it('mark test and preview messages', () => {
    for (const more of [{ test: true }, { silent: true }]) {
      const { path, tokens } = buildPushReportAddress(keys.signing(7), owner, { ...token, ...more })
      const read = parsePushReportAddress(keys, owner, { message: path.split('/')[4] ?? '', token: tokens.impression })
      assert.deepEqual(read?.token, { ...token, ...more })
    }
  })

  it('are refused with one changed character', () => {
    const impression = made.tokens.impression
    for (const other of changed(message))
      assert.equal(parsePushReportAddress(keys, owner, { message: other, token: impression }), undefined)
    for (const other of changed(impression))
      assert.equal(parsePushReportAddress(keys, owner, { message, token: other }), undefined)
    for (const text of ['', 'x', impression.slice(1), `${impression}A`])
      assert.equal(parsePushReportAddress(keys, owner, { message, token: text }), undefined)
  })

  it('are valid for one account, one message and one key', () => {
    const texts = { message, token: made.tokens.impression }
    assert.equal(parsePushReportAddress(keys, { ...owner, customer: '002' }, texts), undefined)
    const another = createAccountTokenKeys([{ number: 3, key: Buffer.alloc(32, 2) }])
    assert.equal(parsePushReportAddress(another, owner, texts), undefined)
    const next = buildPushReportAddress(keys.signing(7), owner, { ...token, contact: 1 })
    assert.equal(parsePushReportAddress(keys, owner, { message, token: next.tokens.impression }), undefined)
  })
})
