import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import { buildApi } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { connect } from '../src/database/connection/connect.ts'
import { createCompiler } from '../src/features/designs/compiler.ts'
import { printed } from '../src/http/openapi/describe.ts'
import { description } from '../src/http/openapi/openapi.ts'
import { tokenKeys } from '../src/lib/crypto/tokens.ts'
import { systemClock } from '../src/lib/time/clock.ts'
import { createLog } from '../src/log.ts'
import { createSandbox } from '../src/scripting/sandbox/sandbox.ts'

/** Writes openapi.json from the schemas of the routes; with --check exits 1 when the file differs. Needs no database. */
const FILE = 'openapi.json'

async function document(): Promise<string> {
  const config = readConfig({ STENTOR_LOG_LEVEL: 'silent' })
  const masterKeys = [{ number: 0, key: Buffer.alloc(32) }]
  // Nothing is asked of the database while routes are registered.
  const { db, pool, close } = connect('postgres://localhost:1/none', { max: 1 })
  const renders: Context['renders'] = {
    render: () => Promise.reject(new Error('no renders here')),
    renderAll: () => Promise.reject(new Error('no renders here')),
    compile: () => Promise.reject(new Error('no renders here')),
    close: async () => undefined,
  }
  const app = await buildApi(
    {
      db,
      pool,
      config,
      log: createLog(config),
      clock: systemClock,
      masterKeys,
      tokens: tokenKeys(masterKeys),
      renders,
      designs: createCompiler(),
      sandbox: createSandbox({ cores: 1, threadsPerCore: 2 }),
    },
    new Registry(),
  )
  await app.ready()
  const text = printed(description(app))
  await app.close()
  await close()
  return text
}

const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
const text = await document()
if (!values.check) writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write(`${FILE} is not what the routes say: run npm run openapi\n`)
  process.exitCode = 1
}
