import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { listOpenApiOperations, type OpenApiDocument } from './document.ts'

const root = new URL('../../../', import.meta.url)
const text = readFileSync(new URL('openapi.json', root), 'utf8')
const document = JSON.parse(text) as OpenApiDocument

/** Of connections, of paths that are not described, of parts of answers, and of answers without a body. */
const elsewhere = new Set(
  'request-timeout headers-too-large malformed-request console-not-built batch-failed file-unreadable cancelled registration-closed'.split(
    ' ',
  ),
)

suite('documented problems of operations', () => {
  test('every problem type that the code throws is documented by an operation', () => {
    const thrown = globSync('src/**/*.ts', { cwd: root })
      // Tools answer as JSON-RPC, which is not described here.
      .filter((path) => !path.endsWith('.test.ts') && !path.startsWith('src/features/mcp/'))
      .flatMap((path) => {
        const source = readFileSync(new URL(path, root), 'utf8')
        return [...source.matchAll(/(?:new Problem\(\s*\d{3},|\bconflictProblem\()\s*'([a-z-]+)'/g)].map(
          ([, kind]) => kind!,
        )
      })
    assert.ok(thrown.length > 150, `${thrown.length} are thrown`)
    const missing = [...new Set(thrown)].filter(
      (kind) => !elsewhere.has(kind) && !text.includes(`"urn:stentor:problem:${kind}"`),
    )
    assert.deepEqual(missing, [])
  })

  test('every operation documents a 4xx response', () => {
    const unnamed = listOpenApiOperations(document).filter(
      ({ operation }) => !Object.keys(operation.responses).some((status) => status.startsWith('4')),
    )
    assert.deepEqual(
      unnamed.map(({ path }) => path),
      [],
    )
  })
})
