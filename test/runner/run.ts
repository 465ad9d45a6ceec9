// `npm run test:files -- FILE...`: runs some files of tests as `npm test` does.
import { parseArgs } from 'node:util'
import { printResults, showResult } from './print.ts'
import { withTestRun } from './suite-run.ts'
import { testFile } from './suites.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { store: { type: 'boolean', default: false }, lanes: { type: 'string' } },
})
const startedAt = performance.now()
const files = positionals.map((file) => testFile(file, values.store))
const options = { ...(values.lanes && { lanes: Number(values.lanes) }), onResult: showResult }
const results = await withTestRun((run) => run(files, options))
process.exitCode = printResults(results, { startedAt }) ? 0 : 1
