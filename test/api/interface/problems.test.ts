import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'

const STATUSES: Readonly<Record<string, string>> = { conflict: '409', gone: '410' }

/** Where the kind of a problem is no word of the line itself, and which words it can be. */
const given: Readonly<Record<string, RegExp | null>> = {
  // What makes problems of kinds that it is given.
  'src/lib/errors/problem.ts': null,
  // The same problem again.
  'src/features/mcp/ask.ts': null,
  'src/features/approvals/approvals.ts': null,
  'src/features/imports/files/reader-thread.ts': null,
  'src/features/mcp/tools/delete-object.ts': /linked: '([\w-]+)'/g,
  'src/features/actions/validation/testers.ts': /const kind = .*? \? '([\w-]+)' : '([\w-]+)'/g,
  'src/features/actions/validation/readiness.ts': /(?:kind: |addReason\()'([\w-]+)'/g,
  'src/features/actions/validation/validation.ts': /kind: '([\w-]+)'/g,
  'src/features/contacts/records/flat-map.ts': /kind: '(unicity-missing)'/g,
  'src/features/actions/rcs/profile-reasons.ts': /kind: '([\w-]+)'/g,
}

/** Errors of items that are problems to scripts: their types with hyphens. */
const ITEM_PROBLEMS = 'src/features/script-host/writes/item-problems.ts'

/** The words of problems in the code, with the statuses they come with; `?`: one that the line does not say. */
function kindsOfCode(): Map<string, Set<string>> {
  const kinds = new Map<string, Set<string>>()
  const add = (kind: string, status: string) => kinds.set(kind, (kinds.get(kind) ?? new Set()).add(status))
  const open = new Set<string>()
  for (const file of globSync('src/**/*.ts').map((path) => path.replaceAll('\\', '/'))) {
    if (file.endsWith('.test.ts')) continue
    const text = readFileSync(file, 'utf8')
    for (const [, status = '', first = ''] of text.matchAll(/new Problem\(\s*([^,()]+),\s*([^,]+),/g)) {
      const words = [...first.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word)
      if (words.length === 0) open.add(file)
      for (const word of words) add(word, /^\d+$/.test(status) ? status : '?')
    }
    for (const [, first = ''] of text.matchAll(/\bconflictProblem\(\s*([^,:]+),/g)) {
      const [, word] = /^'([\w-]+)'$/.exec(first) ?? []
      if (word === undefined) open.add(file)
      else add(word, '409')
    }
    for (const [, ...words] of given[file] ? text.matchAll(given[file]) : []) for (const word of words) add(word, '?')
    if (/\bgoneProblem\(/.test(text)) add('gone', STATUSES['gone']!)
  }
  const items = readFileSync(ITEM_PROBLEMS, 'utf8')
  for (const [, quoted, bare, value = ''] of items.matchAll(/(?:'([\w -]+)'|(\w+)): ('|\d+)/g))
    add((quoted ?? bare ?? '').replaceAll(' ', '-'), value === "'" ? '?' : value)
  open.delete(ITEM_PROBLEMS)
  assert.deepEqual(
    [...open].filter((file) => !(file in given)).sort(),
    [],
    'kinds that are not words: say which they are',
  )
  return kinds
}

const documented = new Map(
  [
    ...readFileSync('docs/reference/problems.md', 'utf8').matchAll(/^\| `([\w-]+)` +\| ([\d, ]+?) +\| (.+?) +\|$/gm),
  ].map(([, kind = '', statuses = '', meaning = '']) => [kind, { statuses: statuses.split(', '), meaning }] as const),
)

suite('docs/reference/problems.md', () => {
  test('lists every problem kind in the code with its status', () => {
    const kinds = kindsOfCode()
    assert.ok(kinds.size > 170, String(kinds.size))
    assert.deepEqual([...kinds.keys()].filter((kind) => !documented.has(kind)).sort(), [])
    const differing = [...kinds].flatMap(([kind, statuses]) => {
      const shown = documented.get(kind)?.statuses ?? []
      const known = [...statuses].filter((status) => status !== '?' && !shown.includes(status))
      return known.map((status) => `${kind}: ${status}, not ${shown}`)
    })
    assert.deepEqual(differing, [])
  })

  test('lists no kind that the code lacks, and each only once', () => {
    const kinds = kindsOfCode()
    const text = globSync('src/**/*.ts')
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    for (const kind of documented.keys())
      assert.ok(kinds.has(kind) || text.includes(`'${kind}'`) || text.includes(`:${kind}'`), kind)
    const rows = readFileSync('docs/reference/problems.md', 'utf8').match(/^\| `/gm) ?? []
    assert.equal(rows.length, documented.size)
  })
})
