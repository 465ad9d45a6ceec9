import assert from 'node:assert/strict'

const WATCHED: readonly object[] = [
  ...[
    Object,
    Function,
    Array,
    String,
    Number,
    Boolean,
    Symbol,
    Promise,
    Map,
    Set,
    WeakSet,
    RegExp,
    Date,
    Error,
    TypeError,
  ].flatMap((type) => [type, type.prototype]),
  JSON,
  Math,
  Reflect,
  Object.getPrototypeOf([][Symbol.iterator]()),
  Object.getPrototypeOf(async () => {}),
]

type Shape = [holder: object, key: string | symbol, PropertyDescriptor][]

function shape(): Shape {
  return WATCHED.flatMap(
    (holder): Shape =>
      Reflect.ownKeys(holder).map((key) => [holder, key, Object.getOwnPropertyDescriptor(holder, key)!]),
  )
}

const before = shape()

/** What all code of this process is built on is as it was when this file was loaded. */
export function assertHostUnchanged(): void {
  const now = shape()
  assert.equal(now.length, before.length, 'no member is new or gone')
  for (const [index, [, key, descriptor]] of now.entries()) {
    const [, knownKey, known] = before[index]!
    assert.equal(key, knownKey)
    for (const part of ['value', 'get', 'set'] as const)
      assert.ok(Object.is(descriptor[part], known[part]), String(key))
  }
}
