import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { suite, test } from 'node:test'

const MAX_FILES = 20
const MAX_CLIMB = 3
/** Texts of screens, which stand beside the screen, and what is generated. */
const NOT_COUNTED = /\.test\.ts$|\.d\.ts$|\/(?:en|fr)\.ts$|^src\/database\/tables\.ts$/

const modules = globSync(['src/**/*.ts', 'console/**/*.{ts,tsx}']).map((path) => path.replaceAll('\\', '/'))
const sources = modules.filter((file) => !NOT_COUNTED.test(file))

suite('rooms and names', () => {
  test('no two modules export the same name', () => {
    const filesByName = new Map<string, Set<string>>()
    for (const file of sources)
      for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
        /^export (?:default )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm,
      ))
        filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file))
    assert.ok(filesByName.size > 5_000)
    const shared = [...filesByName].filter(([, files]) => files.size > 1)
    assert.deepEqual(
      shared.map(([name, files]) => `${name}: ${[...files].join(', ')}`),
      [],
      'give each its subject, so that a search for the name finds one thing',
    )
  })

  test(`no folder holds more than ${MAX_FILES} modules`, () => {
    const counts = Object.groupBy(sources, (file) => posix.dirname(file))
    assert.deepEqual(
      Object.entries(counts).flatMap(([folder, files = []]) =>
        files.length > MAX_FILES ? [`${folder}: ${files.length}`] : [],
      ),
      [],
    )
  })

  test(`no import climbs more than ${MAX_CLIMB} folders`, () => {
    const climbs = new RegExp(`from '(?:\\.\\./){${MAX_CLIMB + 1},}`)
    // Beside the console stands what it shares with the service.
    const climbing = modules.filter((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .some((line) => climbs.test(line) && !line.includes('/src/')),
    )
    assert.deepEqual(climbing, [])
  })
})
