import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { schemasOf } from '#test/support/openapi/example-schemas.ts'
import type { OpenApiDocument, OpenApiObject } from '../../../http/openapi/document.ts'
import type { DefinitionLocation } from '../../../scripting/schemas/shape.ts'
import { cursorShape } from '../definition/cursors.ts'
import { compilableValueShape } from '../definition/definition.ts'
import { pipelineSourceShape } from '../definition/sources.ts'

const root = new URL('../../../../', import.meta.url)
const document = JSON.parse(readFileSync(new URL('openapi.json', root), 'utf8')) as OpenApiDocument
const { schemas } = document.components
const fault = schemasOf(document)
const findFault = (value: unknown, component: string): string | undefined =>
  fault(value, ['components', 'schemas', component])

const createLocation = (): DefinitionLocation => ({
  pointer: '',
  reading: { faults: [], strict: false, makeId: () => 'id' },
})

/** The members of each choice of a component, by its type. */
function listVariants(component: string): Map<string, string[]> {
  const variants = schemas[component]!['oneOf'] as (OpenApiObject & { $ref?: string })[]
  return new Map(
    variants.map((variant) => {
      const { properties } = variant.$ref === undefined ? variant : schemas[variant.$ref.split('/').at(-1)!]!
      const members = properties as Record<string, OpenApiObject>
      return [(members['type']!['enum'] as string[])[0]!, Object.keys(members)]
    }),
  )
}

/** The compilables in the reference: blocks of JSON with a `value`. */
function readExamples(): { value: { type: string } }[] {
  const text = readFileSync(new URL('docs/reference/scripts.md', root), 'utf8')
  return [...text.matchAll(/```json (?:pipeline|template)\n(.*?)```/gs)].map(([, block]) => JSON.parse(block!))
}

const shapes = [
  ['PipelineSource', pipelineSourceShape],
  ['PipelineCursor', cursorShape],
  ['CompilableValue', compilableValueShape],
] as const

suite('pipelines in the description', () => {
  for (const [component, shape] of shapes)
    test(`every type and member that is read of ${component} is described, and no other`, () => {
      const location = createLocation()
      shape.read({ type: 'none' }, location)
      const [, types = ''] = /must be one of (.*)/.exec(location.reading.faults[0]!.detail) ?? []
      const variants = listVariants(component)
      assert.deepEqual([...variants.keys()].toSorted(), types.split(', ').toSorted())
      for (const [type, members] of variants) {
        const read = Object.keys(shape.read({ type }, createLocation()))
        // It is read apart from the shape, since it holds secrets.
        const others = type === 'script' && component === 'CompilableValue' ? ['scripting'] : []
        assert.deepEqual(members.toSorted(), [...read, ...others].toSorted(), type)
      }
    })

  test('the examples of the reference match, as do their stored forms', () => {
    const examples = readExamples()
    assert.ok(examples.length >= 2, `${examples.length} examples`)
    for (const { value } of examples) {
      assert.equal(findFault(value, 'CompilableValue'), undefined, JSON.stringify(value))
      const location = createLocation()
      const storedValue = compilableValueShape.read(value, location)
      assert.deepEqual(location.reading.faults, [])
      assert.equal(findFault(storedValue, 'StoredCompilableValue'), undefined, JSON.stringify(storedValue))
    }
  })

  test('conditions, counts and periods have the forms that are read', () => {
    const argument = { type: 'path', value: 'arguments.top' }
    for (const cursor of [
      { type: 'limit', count: argument, offset: { type: 'literal', value: 2 } },
      { type: 'filter', condition: { any: [true, { none: [{ type: 'path', value: 'row.paid' }] }] } },
      { type: 'filter', condition: { all: [{ type: 'criteria', value: { type: 'redList' } }] } },
      { type: 'join', source: { type: 'inline', rows: [1, { a: 2 }] }, on: { left: 1, right: 1 }, into: 'other' },
      { type: 'group', by: {}, aggregates: { n: { function: 'count' } } },
    ])
      assert.equal(findFault(cursor, 'PipelineCursor'), undefined, JSON.stringify(cursor))
    for (const start of ['2026-01-01', 0, { unit: 'DAY', value: 7 }, argument])
      assert.equal(findFault({ type: 'events', types: ['action.hit'], start }, 'PipelineSource'), undefined)
  })

  test('what no shape reads does not match', () => {
    for (const [wrong, component] of [
      [{ type: 'pipeline', cursors: [{ type: 'leap' }] }, 'CompilableValue'],
      [{ type: 'template', output: 'xml' }, 'CompilableValue'],
      [{ type: 'script', parameters: [{ name: '1st' }] }, 'CompilableValue'],
      [{ type: 'limit', count: -1 }, 'PipelineCursor'],
      [{ type: 'sort', by: [{ direction: 'up' }] }, 'PipelineCursor'],
      [{ type: 'group', aggregates: { n: { function: 'median' } } }, 'PipelineCursor'],
      [{ type: 'filter', condition: { type: 'compare', operator: 'like' } }, 'PipelineCursor'],
      [{ type: 'events', types: ['action.glance'] }, 'PipelineSource'],
      [{ type: 'segment', segment: 'gold' }, 'PipelineSource'],
    ] as const)
      assert.ok(findFault(wrong, component), JSON.stringify(wrong))
  })
})
