// `npm run test:files -- FILE...`: runs some files of tests as `npm test` does.
import { parseArgs } from 'node:util'
import { printResults, showResult } from './print.ts'
import { startTestRun } from './suite-run.ts'
import { testFile } from './suites.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { store: { type: 'boolean', default: false }, lanes: { type: 'string' } },
})
const begun = performance.now()
const run = await startTestRun()
try {
  const files = positionals.map((file) => testFile(file, values.store))
  const results = await run.run(files, { ...(values.lanes && { lanes: Number(values.lanes) }), onResult: showResult })
  process.exitCode = printResults(results, { begun }) ? 0 : 1
} finally {
  await run.end()
}
