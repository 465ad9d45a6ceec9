import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { knownFiles, read, settingNames } from './checkout.ts'
import { allOf, environmentOf, execForm, isLeftIn, readContainerfile, readCopy } from './containerfile.ts'

const INSTRUCTIONS = 'ARG CMD COPY ENTRYPOINT ENV EXPOSE HEALTHCHECK LABEL RUN STOPSIGNAL USER VOLUME WORKDIR'.split(
  ' ',
)

const stages = readContainerfile(read('deploy/Containerfile'))
const ignore = read('.dockerignore')
const image = stages.at(-1)!

suite('the Containerfile', () => {
  test('uses only valid instructions and existing stages', () => {
    const words = stages.flatMap(({ instructions }) => instructions.map(({ word }) => word))
    assert.deepEqual(
      words.filter((word) => !INSTRUCTIONS.includes(word)),
      [],
    )
    const names = stages.map(({ name }) => name)
    assert.deepEqual(names, ['console', 'packages', undefined])
    const sources = stages.flatMap((stage) => allOf(stage, 'COPY').map((rest) => readCopy(rest).from))
    assert.ok(sources.every((from) => from === undefined || names.includes(from)))
    for (const { image: base } of stages) assert.match(base, /^[a-z]+:[\w.-]+$/, 'a tag, no host')
  })

  test('copies only committed paths that .dockerignore does not exclude', (t) => {
    const files = knownFiles()
    if (!files) return t.skip('this is no checkout of git')
    const sources = stages.flatMap((stage) => allOf(stage, 'COPY').map(readCopy)).filter(({ from }) => !from)
    for (const source of sources.flatMap((copy) => copy.sources)) {
      const own: string[] = files.filter((file) => file === source || file.startsWith(`${source}/`))
      assert.ok(own.length > 0, `git knows no ${source}`)
      assert.ok(
        own.some((file) => isLeftIn(ignore, file)),
        `.dockerignore leaves nothing of ${source} in`,
      )
    }
  })

  test('excludes secrets, data and tests', () => {
    const left = (path: string) => isLeftIn(ignore, path)
    for (const path of [
      'data/master.key',
      'deploy/.env',
      '.git/config',
      'src/config.test.ts',
      'node_modules/pg/index.js',
    ])
      assert.equal(left(path), false, path)
    for (const path of [
      'src/config.ts',
      'console/router.tsx',
      '.npmrc',
      'deploy/health-check.ts',
      'docs/README.md',
      'SECURITY.md',
    ])
      assert.equal(left(path), true, path)
  })

  test('runs as a numbered account that is not root and owns the data directory', () => {
    assert.deepEqual(allOf(image, 'USER'), ['10001:10001'])
    const [data] = allOf(image, 'VOLUME')
    assert.equal(environmentOf(image)['STENTOR_DATA_DIR'], data)
    const made = allOf(image, 'RUN').join('\n')
    assert.match(made, /useradd --uid 10001 .* stentor /)
    assert.match(made, new RegExp(`install --directory --owner=stentor .* ${data}$`))
  })

  test('sets only known settings and exposes their ports', () => {
    const settings = environmentOf(image)
    const known = settingNames()
    const own = Object.keys(settings).filter((name) => name.startsWith('STENTOR_'))
    assert.deepEqual(
      own.filter((name) => !known.has(name)),
      [],
    )
    assert.equal(settings['STENTOR_HTTP_HOST'], '0.0.0.0')
    const ports = [settings['STENTOR_HTTP_PORT'], settings['STENTOR_SMTP_IN_PORT']]
    assert.deepEqual(allOf(image, 'EXPOSE'), [ports.join(' ')])
  })

  test('has a health check, receives signals directly and starts all roles by default', () => {
    const [health = ''] = allOf(image, 'HEALTHCHECK')
    assert.ok(execForm(health)?.at(-1)?.endsWith('/deploy/health-check.ts'))
    assert.deepEqual(allOf(image, 'STOPSIGNAL'), ['SIGTERM'])
    const [root] = allOf(image, 'WORKDIR')
    assert.deepEqual(execForm(allOf(image, 'ENTRYPOINT')[0] ?? ''), [`${root}/bin/stentor`])
    assert.ok(environmentOf(image)['PATH']?.startsWith(`${root}/bin:`), 'docker exec finds it')
    assert.deepEqual(execForm(allOf(image, 'CMD')[0] ?? ''), ['start'])
  })
})
