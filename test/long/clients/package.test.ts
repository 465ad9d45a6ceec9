import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { GENERATOR, installGenerator } from '../../../scripts/generator.ts'
import { installClient, ROOT } from '../../clients/packed.ts'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { KEY, prepareService } from '../../support/processes/process.ts'

const run = promisify(execFile)

/** The examples of a document that are programs, each with what it says they print: text, of which "…" may be anything. */
async function examplesOf(document: string): Promise<{ code: string; printed: string }[]> {
  const text = await readFile(join(ROOT, document), 'utf8')
  return [...text.matchAll(/```js\n(.*?)```\n\n```text\n(.*?)```/gs)].map(([, code = '', printed = '']) => ({
    code,
    printed,
  }))
}

function patternOf(printed: string): RegExp {
  const parts = printed.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}

const directory = await mkdtemp(join(tmpdir(), 'stentor-client-'))
after(() => rm(directory, { recursive: true, force: true }))

suite('client package', async () => {
  const { files, user, installed } = await installClient(directory)
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))

  test('has the version of the API, no dependencies and only the files it needs', async () => {
    const { info } = JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8'))
    assert.equal(manifest.version, info.version)
    assert.deepEqual([manifest.dependencies, manifest.license], [undefined, 'Apache-2.0'])
    const others = files.filter((path) => !/^dist\/.*\.(js|d\.ts)$/.test(path))
    assert.deepEqual(others.sort(), ['LICENSE', 'README.md', 'package.json'])
  })

  test('has types for TypeScript 5 and 7, with and without browser types', async () => {
    const program = `import { createStentor, StentorError, verifyWebhook } from '@stentor/client'
      const stentor = createStentor({ url: 'http://localhost:8080', key: 'key' })
      for await (const category of stentor.items(stentor.listCategories, { query: { limit: 10 } })) {
        const name: string = category.name
        // @ts-expect-error: an id is a number
        const id: string = category.id
        await stentor.getCategory({ path: { id: category.id } })
        console.log(name, id)
      }
      // @ts-expect-error: there is no such member
      await stentor.createCategory({ body: { nam: 'x' } })
      const { type } = await verifyWebhook({ headers: new Headers(), body: '', secret: 'whsec_' })
      export const kind = (error: unknown): string => (error instanceof StentorError ? error.kind : type)
      `
    await writeFile(join(user, 'program.ts'), program)
    await writeFile(join(user, 'package.json'), '{"type": "module"}')
    // The older one comes with the generators.
    installGenerator()
    const compilers = [join(ROOT, 'node_modules/typescript'), join(ROOT, GENERATOR, 'node_modules/typescript')]
    const common = { noEmit: true, strict: true, module: 'nodenext', target: 'es2022' }
    const libraries = [
      { lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
      { lib: ['es2023'], types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
    ]
    for (const compiler of compilers)
      for (const library of libraries) {
        const compilerOptions = { ...common, ...library }
        await writeFile(join(user, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
        const words = [join(compiler, 'bin/tsc'), '--project', '.']
        const { stdout, stderr } = await run(process.execPath, words, { cwd: user }).catch((error) => error)
        assert.equal(stdout + stderr, '', `${compiler} ${library.lib}`)
      }
  })

  test('runs the examples in its documentation against a service', async (t) => {
    const sink = await startSink()
    t.after(() => sink.close())
    const service = await prepareService(t, { STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none` })
    await service.start()
    const environment = { ...process.env, STENTOR_URL: service.url, STENTOR_KEY: KEY }
    await writeFile(join(user, 'people.csv'), 'Email\nann@example.org\nben@example.org\n')
    for (const document of ['clients/typescript/README.md', 'docs/reference/client.md']) {
      const examples = await examplesOf(document)
      assert.ok(examples.length > 0, document)
      for (const [n, { code, printed }] of examples.entries()) {
        const file = join(user, `example-${n}.mjs`)
        await writeFile(file, code)
        const { stdout } = await run(process.execPath, [file], { cwd: user, env: environment })
        assert.match(stdout, patternOf(printed), `${document}, example ${n + 1}`)
      }
    }
    assert.ok(sink.messages.length > 0)
  })
})
