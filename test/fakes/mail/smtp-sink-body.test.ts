import assert from 'node:assert/strict'
import { it } from 'node:test'
import { chunkReader, dataReader } from './smtp-sink-body.ts'

it('the SMTP sink finds the end of a message and its dots, wherever the chunks are cut', () => {
  const messages = ['', '.\r\n', 'a\r\n', '..\r\n.a\r\nb\r\n.\r\n\r\n', 'a\r\n\r.\r\n\n.\r\n']
  for (const message of messages) {
    const wire = Buffer.from(`${message.replace(/(^|\r\n)\./g, '$1..')}.\r\nQUIT\r\n`)
    for (const size of [1, 2, 3, 4, 5, 6, 7, wire.length]) {
      const reader = dataReader(true)
      let at = 0
      let end = -1
      for (; end === -1; at += size) end = reader.feed(wire.subarray(at, at + size), 0)
      assert.equal(at - size + end, wire.length - 'QUIT\r\n'.length)
      assert.equal(reader.bytes().toString(), message)
    }
  }
})

it('the SMTP sink reads exactly the octets of a chunk', () => {
  const reader = chunkReader(5, true)
  assert.equal(reader.feed(Buffer.from('xxab'), 2), -1)
  assert.equal(reader.feed(Buffer.from('cdeQUIT'), 0), 3)
  assert.equal(reader.bytes().toString(), 'abcde')
})
