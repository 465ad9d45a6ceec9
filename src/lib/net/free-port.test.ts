import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { findFreePort } from './free-port.ts'

test('a free port can be listened on and is outside the range of outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => findFreePort()))
  for (const port of ports) assert.ok(port >= 10_240 && port < 32_768, `${port}`)
  const server = createServer().listen(ports[0], '127.0.0.1')
  await once(server, 'listening')
  server.close()
})

test('a host that is not of this machine is an error', async () => {
  await assert.rejects(findFreePort('192.0.2.1'), { code: 'EADDRNOTAVAIL' })
})
