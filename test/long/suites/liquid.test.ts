import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { parse } from 'yaml'
import { createLiquidEngine, runTemplate } from '../../../src/features/rendering/templates/liquid.ts'
import { joinTextPieces } from '../../../src/features/rendering/templates/pieces.ts'
import { noSharedData, SHARED_DATA } from '../../support/files/sample-files.ts'

/** A case of liquid-spec. Without `expected` and `errors` its template only has to render. */
interface Case {
  /** Its file, name, and number among cases of the same name. */
  id: string
  template: string
  environment?: object
  expected?: string
  errors?: { output?: string[] }
}

/** Cases of each file that differ for one reason. */
interface Kind {
  reason: string
  cases: Record<string, string[]>
}

const SPECS = join(SHARED_DATA, 'suites/liquid-spec/specs')
const KINDS: Record<string, Kind> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'liquid-differences.json'), 'utf8'),
)
/** The current time in the suite. */
const NOW = Date.parse('2024-01-01T00:01:58Z')

function casesIn(file: string): Case[] {
  const text = readFileSync(join(SPECS, file), 'utf8')
  const read = parse(text, { uniqueKeys: false, logLevel: 'error', maxAliasCount: -1 })
  const cases: (Case & { name: string })[] = Array.isArray(read) ? read : read.specs
  const counts = new Map<string, number>()
  return cases.map((one) => {
    const nth = (counts.get(one.name) ?? 0) + 1
    counts.set(one.name, nth)
    return { ...one, id: `${file} ${one.name}${nth > 1 ? ` #${nth}` : ''}` }
  })
}

const engine = createLiquidEngine('en-US', false)

/** The output of a template; undefined if it fails. */
function rendered({ template, environment = {} }: Case): string | undefined {
  const state = { zone: 'UTC', now: NOW, track: (_: number, target: string) => target }
  try {
    const nodes = engine.parse(String(template))
    const { fragments } = runTemplate(engine, nodes, {
      environment: structuredClone(environment),
      bare: {},
      strict: false,
      state,
    })
    return joinTextPieces(fragments)
  } catch {
    return undefined
  }
}

function isAsExpected(one: Case): boolean {
  const text = rendered(one)
  const { expected, errors } = one
  if (errors?.output) return text !== undefined && errors.output.every((part) => text.includes(part))
  if (errors) return text === undefined
  return text !== undefined && (expected === undefined || text === String(expected))
}

function differences(): string[] {
  const files = readdirSync(SPECS, { recursive: true, encoding: 'utf8' }).toSorted()
  return files
    .filter((file) => file.endsWith('.yml') && !file.endsWith('suite.yml'))
    .flatMap(casesIn)
    .filter((one) => !isAsExpected(one))
    .map(({ id }) => id)
}

const idsOf = ({ cases }: Kind): string[] =>
  Object.entries(cases).flatMap(([file, names]) => names.map((name) => `${file} ${name}`))

suite('Liquid of templates', { skip: noSharedData }, () => {
  const different = new Set(noSharedData ? [] : differences())
  for (const [kind, listed] of Object.entries(KINDS))
    test(`differs from liquid-spec in ${kind}: ${listed.reason}`, () => {
      assert.deepEqual(
        idsOf(listed).filter((id) => !different.has(id)),
        [],
        'these no longer differ',
      )
    })

  test('renders every other case of liquid-spec as expected', () => {
    const listed = new Set(Object.values(KINDS).flatMap(idsOf))
    assert.deepEqual(
      [...different].filter((id) => !listed.has(id)),
      [],
    )
  })
})
