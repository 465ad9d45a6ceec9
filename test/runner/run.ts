// Runs files of tests: `node test/runner/run.ts [--all] [FILE...]`.

import { appendFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { COMPILE_CACHE } from '../support/compile-cache.ts'
import { startTemplate, TEMPLATE_URL } from '../support/database.ts'
import { type FileResult, runFiles } from './lanes.ts'
import { describeFailures, describeResult, describeSkips, describeTotals, hasFailed, totalsOf } from './results.ts'
import { filesOf, testFile } from './suites.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, lanes: { type: 'string', default: '2' } },
})
void availableParallelism
const files = positionals.length > 0 ? positionals.map((file) => testFile(file)) : filesOf(values.all ? 'all' : 'short')
const begun = performance.now()
const server = await startTemplate()
const environment = {
  ...process.env,
  [TEMPLATE_URL]: server.url,
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? COMPILE_CACHE,
}
const results: FileResult[] = []
await runFiles(files, {
  lanes: Number(values.lanes),
  environment,
  onResult(result) {
    results.push(result)
    if (process.env['OUT'])
      appendFileSync(
        process.env['OUT'],
        JSON.stringify({
          f: result.file.file,
          c: result.file.isCrossing,
          ms: Math.round(result.wallMs),
          cpu: result.cpuMs,
          n: result.tests.length,
          bad: hasFailed(result),
        }) + '\n',
      )
    console.log(describeResult(result))
    if (hasFailed(result)) console.log(describeFailures(result))
  },
})
await server.stop()
for (const line of describeSkips(results)) console.log(line)
for (const result of results.filter(hasFailed)) console.log(describeFailures(result))
console.log(describeTotals(totalsOf(results), [], performance.now() - begun))
process.exitCode = results.some(hasFailed) ? 1 : 0
