import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Registry } from 'prom-client'
import { buildApiServer } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import type { ServiceContext } from '../src/context.ts'
import { openDatabasePool } from '../src/database/connection/connect.ts'
import { createDesignCompiler } from '../src/features/designs/compiler.ts'
import { formatOpenApiDocument } from '../src/http/openapi/describe.ts'
import type { OpenApiDocument } from '../src/http/openapi/document.ts'
import { describeRegisteredRoutes } from '../src/http/openapi/openapi.ts'
import { listRenamedOperations } from '../src/http/openapi/operation-ids.ts'
import { createAccountTokenKeys } from '../src/lib/crypto/tokens.ts'
import { systemClock } from '../src/lib/time/clock.ts'
import { createLogger } from '../src/log.ts'
import { openApiAdditions } from '../src/openapi-additions.ts'
import { createSandbox } from '../src/scripting/sandbox/sandbox.ts'

/**
 * Writes openapi.json from the schemas of the routes; with --check exits 1 when the file differs. Needs no database. An operation that is
 * there keeps its id, since generated clients depend on it, unless --rename-operations is given.
 */
const FILE = 'openapi.json'

async function describeInterface(): Promise<string> {
  const config = readConfig({ STENTOR_LOG_LEVEL: 'silent' })
  const masterKeys = [{ number: 0, key: Buffer.alloc(32) }]
  // Nothing is asked of the database while routes are registered.
  const { db, pool, close } = openDatabasePool('postgres://localhost:1/none', { max: 1 })
  const renders: ServiceContext['renders'] = {
    render: () => Promise.reject(new Error('no renders here')),
    renderAll: () => Promise.reject(new Error('no renders here')),
    compile: () => Promise.reject(new Error('no renders here')),
    close: async () => undefined,
  }
  const app = await buildApiServer(
    {
      db,
      pool,
      config,
      log: createLogger(config),
      clock: systemClock,
      masterKeys,
      tokens: createAccountTokenKeys(masterKeys),
      renders,
      designs: createDesignCompiler(),
      sandbox: createSandbox({ cores: 1, threadsPerCore: 2 }),
    },
    new Registry(),
  )
  await app.ready()
  const text = formatOpenApiDocument(describeRegisteredRoutes(app, openApiAdditions))
  await app.close()
  await close()
  return text
}

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, 'rename-operations': { type: 'boolean' } },
})
const [before, after] = [readFileSync(FILE, 'utf8'), await describeInterface()]
const renamedOperations = listRenamedOperations(
  JSON.parse(before) as OpenApiDocument,
  JSON.parse(after) as OpenApiDocument,
)
if (renamedOperations.length > 0 && !values['rename-operations']) {
  process.stderr.write(
    `operation ids must not change, because generated clients depend on them:\n${renamedOperations.join('\n')}\n`,
  )
  process.exitCode = 1
} else if (!values.check) writeFileSync(FILE, after)
else if (before !== after) {
  process.stderr.write(`${FILE} does not match the routes: run "npm run openapi"\n`)
  process.exitCode = 1
}
