import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { loadOrCreateMasterKeys, sealWithMasterKey, unsealWithMasterKey } from './seal.ts'

const directory = mkdtempSync(join(tmpdir(), 'seal-'))
after(() => rmSync(directory, { recursive: true }))

const old = { number: 1, key: Buffer.alloc(32, 1) }
const renewed = { number: 2, key: Buffer.alloc(32, 2) }

describe('sealing', () => {
  it('is reversible for text and bytes and never returns the same result twice', () => {
    const sealed = sealWithMasterKey([old], 'pass wörd', 'gateway 7')
    assert.equal(unsealWithMasterKey([old], sealed, 'gateway 7').toString(), 'pass wörd')
    assert.deepEqual(
      unsealWithMasterKey([old], sealWithMasterKey([old], Buffer.of(0, 255), 'x'), 'x'),
      Buffer.of(0, 255),
    )
    assert.notDeepEqual(sealWithMasterKey([old], 'a', 'x'), sealWithMasterKey([old], 'a', 'x'))
    assert.ok(!sealed.includes('pass'))
  })

  it('refuses a changed byte, another context and truncated data', () => {
    const sealed = sealWithMasterKey([old], 'secret', 'gateway 7')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      assert.throws(() => unsealWithMasterKey([old], changed, 'gateway 7'))
    }
    assert.throws(() => unsealWithMasterKey([old], sealed, 'gateway 8'), /changed or belongs elsewhere/)
    assert.throws(() => unsealWithMasterKey([old], sealed.subarray(0, 10), 'gateway 7'))
    assert.throws(() => unsealWithMasterKey([old], Buffer.alloc(0), 'gateway 7'))
  })

  it('opens with any configured key and seals with the newest', () => {
    const sealed = sealWithMasterKey([old], 'secret', 'x')
    assert.equal(unsealWithMasterKey([renewed, old], sealed, 'x').toString(), 'secret')
    assert.throws(
      () => unsealWithMasterKey([old], sealWithMasterKey([renewed, old], 'secret', 'x'), 'x'),
      /not configured/,
    )
  })
})

describe('master keys', () => {
  it('are created once in a file that only its owner can read', () => {
    const file = join(directory, 'made')
    const made = loadOrCreateMasterKeys({ file })
    assert.equal(made.length, 1)
    assert.equal(made[0]?.key.length, 32)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(loadOrCreateMasterKeys({ file }), made)
  })

  it('are read from the environment, and then no file is created', () => {
    const masterKey = Buffer.alloc(32, 9).toString('base64')
    assert.deepEqual(loadOrCreateMasterKeys({ masterKey, file: join(directory, 'none') }), [
      { number: 1, key: Buffer.alloc(32, 9) },
    ])
    assert.throws(() => readFileSync(join(directory, 'none')))
  })

  it('may be several, with the newest first', () => {
    const file = join(directory, 'several')
    writeFileSync(file, `2:${renewed.key.toString('base64')}\n1:${old.key.toString('base64')}\n`)
    assert.deepEqual(loadOrCreateMasterKeys({ file }), [renewed, old])
  })

  it('are refused when malformed, without appearing in the error', () => {
    const short = Buffer.alloc(31, 9).toString('base64')
    for (const masterKey of ['', 'x', short, `16:${old.key.toString('base64')}`, '1:AA 1:AA'])
      assert.throws(
        () => loadOrCreateMasterKeys({ masterKey, file: '' }),
        (error: Error) => error.message.startsWith('STENTOR_MASTER_KEY') && !error.message.includes(short),
      )
  })
})
