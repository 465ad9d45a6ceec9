import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { KEY, prepareService, type Service } from '../../support/processes/process.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')
const DESCRIPTION = join(ROOT, 'openapi.json')

/*
 * Generators that live in npm packages, each with the description as it is. Those that need Java, .NET or Go are not tried here.
 */

const directory = await mkdtemp(join(tmpdir(), 'stentor-generators-'))
after(() => rm(directory, { recursive: true, force: true }))
await cp(join(import.meta.dirname, 'generators'), directory, { recursive: true })
await run('npm', ['ci', '--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund'], { cwd: directory })

/** Runs the program of a package; fails with what it printed. */
async function runTool(program: string, ...words: string[]): Promise<string> {
  const script = join(directory, 'node_modules', program)
  const options = { cwd: directory, maxBuffer: 2 ** 28 }
  const { stdout } = await run(process.execPath, [script, ...words], options).catch((error) =>
    assert.fail(`${program} failed: ${error.stdout}${error.stderr}`),
  )
  return stdout
}

const compile = (...words: string[]): Promise<string> =>
  runTool(
    'typescript/bin/tsc',
    ...['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable'],
    '--skipLibCheck',
    ...words,
  )

async function startService(t: TestContext): Promise<Service> {
  const service = await prepareService(t)
  await service.start()
  return service
}

async function runProgram(file: string, url: string): Promise<string> {
  const env = { ...process.env, STENTOR_URL: url, STENTOR_KEY: KEY }
  return (await run(process.execPath, [join(directory, file)], { env })).stdout
}

suite('description of the interface', () => {
  test('meets the recommended rules of Spectral', async () => {
    const report = join(directory, 'report.json')
    const words = ['lint', DESCRIPTION, '--ruleset', 'spectral.yaml', '--format', 'json', '--output', report]
    await runTool('@stoplight/spectral-cli/dist/index.js', ...words, '--fail-severity', 'error', '--quiet')
    const found = JSON.parse(await readFile(report, 'utf8')) as { code: string; message: string; path: string[] }[]
    assert.deepEqual(
      found.map(({ code, message, path }) => `${code}: ${message} (${path.join('/')})`),
      [],
    )
  })

  test('gives openapi-typescript types that compile, and calls that work', async (t) => {
    await runTool('openapi-typescript/bin/cli.js', DESCRIPTION, '--output', join(directory, 'types.ts'))
    await writeFile(
      join(directory, 'types-program.ts'),
      `import createClient from 'openapi-fetch'
import type { paths } from './types.js'

declare const process: { env: Record<string, string> }
const stentor = createClient<paths>({ baseUrl: process.env.STENTOR_URL!, headers: { 'X-Key': process.env.STENTOR_KEY! } })
const { data: contact } = await stentor.POST('/targets', { body: { Email: 'ann@shop.example' } })
const { data: categories = [] } = await stentor.GET('/categories', { params: { query: { limit: 1 } } })
const { data: category } = await stentor.GET('/categories/{id}', { params: { path: { id: categories[0]!.id } } })
const { error } = await stentor.POST('/targets', { body: { Email: 'ann@shop.example' } })
console.log(contact?.fields?.['1'], category?.name, error?.type)
`,
    )
    await compile('types-program.ts')
    const { url } = await startService(t)
    const printed = 'ann@shop.example Uncategorised urn:stentor:problem:unicity-taken\n'
    assert.equal(await runProgram('types-program.js', url), printed)
  })

  test('gives orval a client that compiles and works', async (t) => {
    await runTool('orval/dist/bin/orval.js', '--input', DESCRIPTION, '--output', 'client.ts', '--client', 'fetch')
    await writeFile(
      join(directory, 'client-program.ts'),
      `import { createTarget, getCategory, listCategories } from './client.js'

declare const process: { env: Record<string, string> }
const plainFetch = globalThis.fetch
// Its addresses begin with the path.
globalThis.fetch = (path, init) => plainFetch(process.env.STENTOR_URL + String(path), init)
const options = { headers: { 'X-Key': process.env.STENTOR_KEY!, 'Content-Type': 'application/json' } }
const contact = await createTarget({ Email: 'ben@shop.example' }, undefined, options)
const categories = await listCategories({ limit: 1 }, options)
if (contact.status !== 200 || categories.status !== 200) throw new Error('refused')
const category = await getCategory(categories.data[0]!.id, options)
console.log(contact.data.fields?.['1'], category.status)
`,
    )
    await compile('client-program.ts')
    const { url } = await startService(t)
    assert.equal(await runProgram('client-program.js', url), 'ben@shop.example 200\n')
  })
})
