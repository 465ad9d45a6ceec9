import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { KEY, prepareService } from './process.ts'

/** Those that only Linux can tell. */
const OF_LINUX = /^process_(open_fds|max_fds|virtual_memory_bytes|heap_bytes)$/

/** The names in the left column of the table of metrics. */
function documentedMetrics(): string[] {
  const [, text = ''] =
    /<!-- metrics -->(.*?)<!-- end of metrics -->/s.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  const cells = [...text.matchAll(/^\| (.+?) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

test('docs/operations.md has every metric of /metrics, and no others', async (t) => {
  const service = await prepareService(t)
  await service.start()
  const text = await (await fetch(`${service.url}/metrics`, { headers: { 'x-key': KEY } })).text()
  const served = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name)
  assert.ok(served.includes('messages_total') && served.includes('http_request_seconds'))
  const documented = documentedMetrics()
  assert.equal(new Set(documented).size, documented.length, 'each once')
  // Only with an events store.
  const ofStore = documented.filter((name) => name.startsWith('events_store_'))
  assert.equal(ofStore.length, 2)
  const isServed = (name: string) => !ofStore.includes(name) && (process.platform === 'linux' || !OF_LINUX.test(name))
  assert.deepEqual(served.toSorted(), documented.filter(isServed).toSorted())
})
