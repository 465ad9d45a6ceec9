import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { schemasOf } from '#test/support/openapi/example-schemas.ts'
import type { OpenApiDocument, OpenApiObject } from '../../../http/openapi/document.ts'
import type { DefinitionLocation } from '../../../scripting/schemas/shape.ts'
import { listenedEventTypes } from '../../events/kinds/listened-types.ts'
import { workflowNodeTypes } from '../nodes/node-types.ts'
import { nameNodeComponent } from './workflow-components.ts'

const root = new URL('../../../../', import.meta.url)
const document = JSON.parse(readFileSync(new URL('openapi.json', root), 'utf8')) as OpenApiDocument
const { schemas } = document.components
const fault = schemasOf(document)
const findFault = (value: unknown, component = 'WorkflowNode'): string | undefined =>
  fault(value, ['components', 'schemas', component])
const membersOf = (schema: OpenApiObject | undefined): Record<string, OpenApiObject> =>
  (schema?.['properties'] ?? {}) as Record<string, OpenApiObject>

/** The members that a node has of its type. */
function readTypeMembers(type: string): Record<string, OpenApiObject> {
  const parts = schemas[nameNodeComponent(type)]?.['allOf'] as OpenApiObject[] | undefined
  return membersOf(parts?.[1])
}

const createLocation = (): DefinitionLocation => ({
  pointer: '',
  reading: { faults: [], strict: false, makeId: () => 'id' },
})

/** The nodes in the reference, each a block of JSON. */
function readNodeExamples(): { type: string }[] {
  const text = readFileSync(new URL('docs/reference/workflow-nodes.md', root), 'utf8')
  return [...text.matchAll(/```json\n(.*?)```/gs)].map(([, block]) => JSON.parse(block!) as { type: string })
}

suite('nodes of workflows in the description', () => {
  test('every type of node is a choice, and no other', () => {
    const choices = (schemas['WorkflowNode']!['oneOf'] as { $ref: string }[]).map(({ $ref }) => $ref.split('/').at(-1)!)
    assert.deepEqual(choices.toSorted(), [...workflowNodeTypes.keys()].map(nameNodeComponent).toSorted())
    for (const type of workflowNodeTypes.keys()) assert.deepEqual(readTypeMembers(type)['type']?.['enum'], [type])
  })

  test('every setting that a type reads is described, and no other', () => {
    for (const { type, settings, own } of workflowNodeTypes.values()) {
      const { settings: described, type: _, ...ownDescribed } = readTypeMembers(type)
      const read = Object.keys(settings.read({}, createLocation()))
      assert.deepEqual(Object.keys(membersOf(described)).toSorted(), read.toSorted(), type)
      assert.deepEqual(Object.keys(ownDescribed).toSorted(), Object.keys(own?.members ?? {}).toSorted(), type)
    }
  })

  test('the examples of the reference match, as do their stored forms', () => {
    const examples = readNodeExamples()
    const types = new Set(examples.map(({ type }) => type))
    assert.deepEqual(
      [...workflowNodeTypes.keys()].filter((type) => !types.has(type)),
      [],
    )
    for (const example of examples) {
      assert.equal(findFault(example), undefined, JSON.stringify(example))
      const { settings } = workflowNodeTypes.get(example.type)!
      const sent = (example as { settings?: object }).settings ?? {}
      const location = createLocation()
      const storedNode = { ...example, settings: settings.read(sent, location) }
      assert.deepEqual(location.reading.faults, [])
      assert.equal(findFault(storedNode), undefined, JSON.stringify(storedNode))
    }
  })

  test('settings of another form do not match', () => {
    for (const wrong of [
      { type: 'leap' },
      { type: 'sleep', settings: { period: { unit: 'AGE', value: 1 } } },
      { type: 'split', settings: { branches: [{ weight: 101 }] } },
      { type: 'wait', settings: { event: { type: 'action.hit', kinds: ['glance'] } } },
      { type: 'rcs/execution', settings: { action: '000AB1' } },
    ])
      assert.ok(findFault(wrong), JSON.stringify(wrong))
  })

  test('every event that can be listened to has a filter with its members', () => {
    for (const [type, { members }] of listenedEventTypes) {
      const filters = schemas['WorkflowEventFilter']!['oneOf'] as OpenApiObject[]
      const filter = filters.find((shape) => (membersOf(shape)['type']!['enum'] as string[]).includes(type))
      assert.deepEqual(Object.keys(membersOf(filter)), ['type', ...Object.keys(members), 'filter'], type)
    }
    const listener = { event: { type: 'custom', names: ['order.paid'] }, handler: 'start' }
    assert.equal(findFault(listener, 'WorkflowListenerWrite'), undefined)
    assert.ok(findFault({ ...listener, event: { type: 'custom', names: 'order.paid' } }, 'WorkflowListenerWrite'))
  })
})
