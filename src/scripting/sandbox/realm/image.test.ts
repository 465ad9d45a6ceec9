import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createQuickJsEngine } from './engine.ts'
import { createRealm } from './realm.ts'

const PATTERN = 0xa5
const path = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
const engine = await createQuickJsEngine(await WebAssembly.compile(await readFile(path)))
const realm = createRealm(engine)

/** Bytes of the pattern, and the last one that is not zero, in the memory of the engine. */
function inMemory(): { pattern: number; last: number } {
  const bytes = new Uint8Array(engine.getWasmMemory().buffer)
  let [pattern, last] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === PATTERN) pattern++
    if (bytes[at] !== 0) last = at
  }
  return { pattern, last }
}

/** What a text evaluates to. */
function evaluated(text: string): unknown {
  realm.enter({ ask: () => '', interrupt: () => false })
  realm.configure('{"globals":{"given":1},"functions":[],"seed":[1,2,3,4]}')
  return realm.context.dump(realm.context.unwrapResult(realm.context.evalCode(text)))
}

test("a run leaves no value, byte or change in the engine's memory", () => {
  const before = inMemory()
  const fill = `globalThis.left = []; Object.prototype.polluted = 1; Array.prototype.push = null
    for (let n = 0; n < 20; n++) left[n] = new Uint8Array(1e6).fill(${PATTERN}); left.length`
  for (let round = 0; round < 3; round++) {
    assert.equal(evaluated(fill), 20)
    assert.ok(inMemory().pattern >= 20e6)
    assert.equal(realm.isFull(), false)
    realm.leave()
    const after = inMemory()
    assert.equal(after.last, before.last)
    // The stack keeps what calls left on it until others write there.
    assert.ok(after.pattern < before.pattern + 1000, `${after.pattern} bytes`)
    assert.equal(
      evaluated('[typeof left, typeof {}.polluted, typeof [].push, given, Math.random() < 1].join()'),
      'undefined,undefined,function,1,true',
    )
    realm.leave()
  }
})

test('randomness follows the seed of each run, not earlier runs', () => {
  const [first, second] = [0, 1].map(() => {
    const value = evaluated('[Math.random(), Math.random()].join()')
    realm.leave()
    return value
  })
  assert.equal(first, second)
})

test('a realm is full after a run used nearly all its memory, and no longer after leaving it', () => {
  const text = 'const kept = []; try { for (;;) kept.push(new Uint8Array(1e6)) } catch {} kept.length'
  assert.ok(Number(evaluated(text)) >= 30)
  assert.equal(realm.isFull(), true)
  realm.leave()
  assert.equal(realm.isFull(), false)
})
