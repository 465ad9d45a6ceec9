import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { findFreePort } from '../../src/lib/net/free-port.ts'
import { findExpositionFaults, findForeignNames } from '../support/openapi/exposition.ts'
import { prepareService } from '../support/processes/process.ts'
import { eventually } from '../support/wait.ts'

/** Those that only Linux can tell. */
const OF_LINUX = /^process_(open_fds|max_fds|virtual_memory_bytes|heap_bytes)$/

/** The names in the left column of the table of metrics. */
function documentedMetrics(): string[] {
  const [, text = ''] =
    /<!-- metrics -->(.*?)<!-- end of metrics -->/s.exec(readFileSync('docs/reference/metrics.md', 'utf8')) ?? []
  const cells = [...text.matchAll(/^\| (.+?) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

test('/metrics keeps to the exposition format under names of its own, and docs/reference/metrics.md lists exactly its metrics', async (t) => {
  const port = await findFreePort()
  const service = await prepareService(t, { STENTOR_METRICS_PORT: String(port) })
  await service.start()
  const documented = documentedMetrics()
  assert.equal(new Set(documented).size, documented.length, 'each once')
  // Only with an events store.
  const ofStore = documented.filter((name) => name.startsWith('stentor_events_store_'))
  assert.equal(ofStore.length, 2)
  const isServed = (name: string) => !ofStore.includes(name) && (process.platform === 'linux' || !OF_LINUX.test(name))
  const expected = documented.filter(isServed).toSorted()
  // The service answers before the last of its roles has begun.
  const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const served = async () => {
    const text = await read()
    return [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name).toSorted()
  }
  await eventually(async () => isDeepStrictEqual(await served(), expected)).catch(() => undefined)
  assert.deepEqual(await served(), expected)
  const text = await read()
  assert.deepEqual([findExpositionFaults(text), findForeignNames(text)], [[], []])
})
