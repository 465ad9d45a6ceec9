import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { INTERFACE_VERSION, PROGRAM_VERSION } from '../../src/version.ts'

const read = (path: string): string => readFileSync(path, 'utf8')

/** The front matter of an issue template, by member. */
function readFrontMatter(path: string): Record<string, string> {
  const [, matter = ''] = /^---\n(.*?)\n---\n/s.exec(read(path)) ?? []
  return Object.fromEntries([...matter.matchAll(/^(\w+): (.+)$/gm)].map(([, name = '', value = '']) => [name, value]))
}

suite('files of the root', () => {
  test('.node-version names the Node.js that package.json installs', () => {
    const { dependencies } = JSON.parse(read('package.json'))
    assert.equal(read('.node-version').trim(), dependencies.node)
  })

  test('.gitattributes marks files that exist', () => {
    const paths = [...read('.gitattributes').matchAll(/^\/(\S+) /gm)].map(([, path = '']) => path)
    assert.ok(paths.length > 0)
    for (const path of paths) assert.ok(globSync(path).length > 0, path)
  })

  test('NOTICE names the program, its licence and the list of third parties', () => {
    const [name, copyright] = read('NOTICE').split('\n')
    assert.equal(name, 'Stentor')
    assert.match(copyright ?? '', /^Copyright \d{4} The Stentor contributors$/)
    assert.equal(JSON.parse(read('package.json')).license, 'Apache-2.0')
    for (const file of ['LICENSE', 'THIRD-PARTY-NOTICES']) {
      assert.match(read('NOTICE'), new RegExp(`\\b${file}\\b`))
      assert.ok(read(file).length > 0)
    }
  })

  test('CODE_OF_CONDUCT.md names the way to report that SECURITY.md describes', () => {
    assert.match(read('CODE_OF_CONDUCT.md'), /\]\(SECURITY\.md#report-a-vulnerability\)/)
    assert.match(read('SECURITY.md'), /^## Report a vulnerability$/m)
  })

  test('ROADMAP.md promises no dates', () => {
    assert.doesNotMatch(read('ROADMAP.md'), /\b20\d\d\b|\bQ[1-4]\b/)
  })

  test('CHANGELOG.md and the page on releases name the versions of the program and of the interface', () => {
    const changelog = read('CHANGELOG.md')
    assert.match(changelog, new RegExp(`^## ${RegExp.escape(PROGRAM_VERSION)}\\b`, 'm'))
    assert.ok(changelog.includes(`The interface has its own version: ${INTERFACE_VERSION}.`))
    const releases = read('docs/operations/releases.md')
    assert.ok(releases.includes(`| **program**, ${PROGRAM_VERSION} |`))
    assert.ok(releases.includes(`| **interface**, ${INTERFACE_VERSION} |`))
  })
})

suite('templates of the repository', () => {
  const templates = globSync('.github/ISSUE_TEMPLATE/*.md').sort()

  test('of issues have a name and a purpose, and ask for what is needed', () => {
    assert.deepEqual(
      templates.map((path) => readFrontMatter(path)['name']),
      ['Bug', 'Feature'],
    )
    for (const path of templates) assert.ok((readFrontMatter(path)['about'] ?? '').length > 10, path)
    const [bug = ''] = templates.map(read)
    for (const part of ['SECURITY.md', 'stentor --version', 'stentor doctor', 'x-request-id'])
      assert.ok(bug.includes(part), part)
  })

  test('name only files and commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json'))
    for (const path of [...templates, '.github/pull_request_template.md']) {
      for (const [file] of read(path).matchAll(/\b[A-Z]+\.md\b/g))
        assert.ok(globSync(file).length > 0, `${path}: ${file}`)
      for (const [, script = ''] of read(path).matchAll(/`npm (?:run )?([\w:]+)`/g))
        assert.ok(script in scripts, `${path}: ${script}`)
    }
  })
})
