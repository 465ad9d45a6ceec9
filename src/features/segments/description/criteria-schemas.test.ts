import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { schemasOf } from '#test/support/openapi/example-schemas.ts'
import type { OpenApiDocument, OpenApiObject } from '../../../http/openapi/document.ts'
import { fieldOperators } from '../criteria/field-operators.ts'
import { criteriaLeafKinds } from '../criteria/leaves.ts'

const root = new URL('../../../../', import.meta.url)
const document = JSON.parse(readFileSync(new URL('openapi.json', root), 'utf8')) as OpenApiDocument
const { schemas } = document.components
const fault = schemasOf(document)
const findFault = (criteria: unknown): string | undefined =>
  fault(criteria, ['components', 'schemas', 'SegmentCriteria'])

/** The components that criteria are a choice of. */
const choices = (schemas['SegmentCriteria']!['oneOf'] as { $ref: string }[]).map(
  ({ $ref }) => schemas[$ref.split('/').at(-1)!]!,
)
const membersOf = ({ properties }: OpenApiObject): Record<string, OpenApiObject> =>
  properties as Record<string, OpenApiObject>

/** The criteria in a page: blocks of JSON, and leaves in tables. */
function readExamples(page: string): unknown[] {
  const text = readFileSync(new URL(page, root), 'utf8')
  const blocks = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, block]) => block!)
  const cells = [...text.matchAll(/`(\{"type": .*?\})` \|$/gm)].map(([, cell]) => cell!)
  return [...blocks, ...cells].map((example) => JSON.parse(example) as unknown)
}

suite('criteria in the description', () => {
  test('every type of leaf is a choice, and no other', () => {
    const types = choices.flatMap((choice) => (membersOf(choice)['type']?.['enum'] ?? []) as string[])
    assert.deepEqual(types.toSorted(), Object.keys(criteriaLeafKinds).toSorted())
  })

  test('every operator of a field is in its enumeration', () => {
    const operators = membersOf(schemas['FieldCriterion']!)['operator']!['enum'] as string[]
    assert.deepEqual(operators, [...new Set(Object.values(fieldOperators).flatMap(Object.keys))])
  })

  test('the examples of the reference match', () => {
    const examples = readExamples('docs/reference/criteria.md')
    assert.ok(examples.length > 60, `${examples.length} examples`)
    for (const example of examples) assert.equal(findFault(example), undefined, JSON.stringify(example))
  })

  test('what is no criteria does not match', () => {
    for (const wrong of [
      {},
      { all: [], any: [] },
      { all: [], type: 'redList' },
      { all: {} },
      { type: 'colour' },
      { type: 'field', field: 101 },
      { type: 'field', field: '101', operator: 'empty' },
      { type: 'event', event: 'hits/none' },
      { type: 'segment', segment: 41, operator: 'equals' },
      { all: [{ any: [{ type: 'event', event: 'hits', period: {} }] }] },
      { type: 'creationDate', operator: 'before', value: { ago: { value: 1, unit: 'century' } } },
    ])
      assert.ok(findFault(wrong), JSON.stringify(wrong))
  })

  test('segments, previews, searches and selections refer to them', () => {
    const referring = Object.entries(schemas).filter(([, schema]) =>
      JSON.stringify(membersOf(schema)?.['criteria'] ?? {}).includes('#/components/schemas/SegmentCriteria'),
    )
    const names = referring.map(([name]) => name)
    for (const name of ['Segment', 'SegmentWrite', 'PreviewSegmentRequest']) assert.ok(names.includes(name), name)
    assert.ok(names.length >= 4, names.join())
    assert.match(JSON.stringify(schemas['DeleteTargetsRequest']), /SegmentCriteria/)
  })
})
