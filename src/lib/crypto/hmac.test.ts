import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { computeHmac, createHmacKey, padHmacInput, writeHmac } from './hmac.ts'

describe('HMAC-SHA256', () => {
  it('matches node:crypto for every length around two blocks and for long messages', () => {
    const secret = randomBytes(32)
    const key = createHmacKey(secret)
    for (const length of [...Array(201).keys(), 1500, 4096, 100_001]) {
      const message = randomBytes(length)
      assert.deepEqual(
        computeHmac(key, message),
        createHmac('sha256', secret).update(message).digest(),
        `${length} bytes`,
      )
    }
  })

  it('matches node:crypto for keys of every length around a block', () => {
    for (let length = 0; length < 140; length++) {
      const secret = randomBytes(length)
      assert.deepEqual(computeHmac(createHmacKey(secret), secret), createHmac('sha256', secret).update(secret).digest())
    }
  })

  it('is the same for a message in parts, wherever they are split', () => {
    const secret = randomBytes(32)
    const key = createHmacKey(secret)
    for (let length = 0; length <= 200; length++) {
      const message = randomBytes(length)
      const [first, second] = [length % 7, length % 61].sort((a, b) => a - b)
      const parts = [message.subarray(0, first), message.subarray(first, second), message.subarray(second)]
      const target = Buffer.alloc(32)
      writeHmac(key, padHmacInput(...parts), target, 0)
      assert.deepEqual(target, createHmac('sha256', secret).update(message).digest(), `${length} bytes`)
    }
  })

  it('fills only the rest of its target, leaves its words unchanged and follows changed words', () => {
    const secret = randomBytes(32)
    const key = createHmacKey(secret)
    const message = Buffer.alloc(38, 7)
    const words = padHmacInput(message)
    for (let number = 0; number < 300; number++) {
      message.writeInt32BE(number, 0)
      words[0] = number
      const target = Buffer.alloc(31, 1)
      writeHmac(key, words, target, 21)
      const whole = createHmac('sha256', secret).update(message).digest()
      assert.deepEqual(target, Buffer.concat([Buffer.alloc(21, 1), whole.subarray(0, 10)]))
    }
    assert.deepEqual(words, padHmacInput(message))
  })

  it('returns the values of RFC 4231', () => {
    const short = computeHmac(createHmacKey(Buffer.alloc(20, 0x0b)), Buffer.from('Hi There'))
    assert.equal(short.toString('hex'), 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7')
    const long = computeHmac(
      createHmacKey(Buffer.alloc(131, 0xaa)),
      Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
    )
    assert.equal(long.toString('hex'), '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54')
  })
})
