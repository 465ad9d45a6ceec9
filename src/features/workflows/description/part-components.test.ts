import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { schemasOf } from '#test/support/openapi/example-schemas.ts'
import type { OpenApiDocument, OpenApiObject } from '../../../http/openapi/document.ts'
import type { DefinitionLocation } from '../../../scripting/schemas/shape.ts'
import { cappingListShape } from '../definition/capping-entries.ts'
import { createWorkflowSettings, parseWorkflowSettings } from '../definition/workflow-settings.ts'
import { taskListShape, type WorkflowTask } from '../tasks/task-definitions.ts'

const document = JSON.parse(
  readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8'),
) as OpenApiDocument
const { schemas } = document.components
const fault = schemasOf(document)
const findFault = (value: unknown, component: string): string | undefined =>
  fault(value, ['components', 'schemas', component])
const listMembers = (schema: OpenApiObject | undefined): string[] => Object.keys(schema?.['properties'] ?? {})

const createLocation = (): DefinitionLocation => ({
  pointer: '',
  reading: { faults: [], strict: false, makeId: () => 'id' },
})

/** The members of each choice of a component, by its type. */
function listVariants(component: string): Map<string, string[]> {
  const variants = schemas[component]!['oneOf'] as (OpenApiObject & { properties: Record<string, OpenApiObject> })[]
  return new Map(
    variants.map((variant) => [(variant.properties['type']!['enum'] as string[])[0]!, listMembers(variant)]),
  )
}

const readTask = (task: object, location = createLocation()): WorkflowTask => taskListShape.read([task], location)[0]!

const tasks = [
  {
    id: 'monday',
    schedulers: [{ type: 'cron', minute: '0', hour: '9', dayOfWeek: 'MON', timeZone: { id: 'Europe/Paris' } }],
    provider: { type: 'segment', value: { id: 41 }, projection: { name: { type: 'path', value: 'contact.id' } } },
    handler: 'start',
  },
  { schedulers: [{ type: 'once', at: '2026-09-07T08:00:00Z' }], provider: { type: 'none' }, handler: 'start' },
  { provider: { type: 'search', value: { criteria: { type: 'redList' } } }, projection: { n: 1 }, handler: 'start' },
  { provider: { type: 'search', value: { all: [] } }, overlap: 'queue', missed: 'none', handler: 'start' },
  {
    provider: {
      type: 'compilable',
      value: { id: '0193c0de-7000-7000-8000-000000000041', arguments: { top: 3 }, receiver: null },
    },
    handler: 'start',
  },
]

suite('tasks, capping and settings of workflows in the description', () => {
  test('every member of a task, its schedulers and its provider that is read is described, and no other', () => {
    const ignored = ['projection', 'nextRun', 'lastRun']
    const read = [...Object.keys(readTask({})), ...ignored]
    assert.deepEqual(listMembers(schemas['WorkflowTaskWrite']).toSorted(), read.toSorted())
    for (const [type, members] of listVariants('WorkflowTaskScheduler')) {
      const [scheduler] = readTask({ schedulers: [{ type }] }).schedulers
      assert.deepEqual(members.toSorted(), Object.keys(scheduler!).toSorted(), type)
    }
    for (const [type, members] of listVariants('WorkflowTaskProvider'))
      assert.deepEqual(members.toSorted(), Object.keys(readTask({ provider: { type } }).provider).toSorted(), type)
  })

  test('tasks match as they are sent and as they are stored', () => {
    for (const task of tasks) {
      assert.equal(findFault(task, 'WorkflowTaskWrite'), undefined, JSON.stringify(task))
      const location = createLocation()
      const storedTask = { ...readTask(task, location), nextRun: null, lastRun: null }
      assert.deepEqual(location.reading.faults, [])
      assert.equal(findFault(storedTask, 'WorkflowTask'), undefined, JSON.stringify(storedTask))
      assert.equal(findFault(storedTask, 'WorkflowTaskWrite'), undefined, JSON.stringify(storedTask))
    }
  })

  test('every member of a capping entry that is read is described, and entries match', () => {
    const location = createLocation()
    const entry = { threshold: 3, period: { unit: 'DAY', value: 1 }, nodes: ['mail'] }
    const [storedEntry] = cappingListShape.read([entry], location)
    assert.deepEqual(location.reading.faults, [])
    assert.deepEqual(listMembers(schemas['WorkflowCappingEntryWrite']).toSorted(), Object.keys(storedEntry!).toSorted())
    const id = '0193c0de-7000-7000-8000-000000000041'
    for (const sent of [entry, { ...storedEntry, id }])
      assert.equal(findFault(sent, 'WorkflowCappingEntryWrite'), undefined, JSON.stringify(sent))
  })

  test('every setting that is read is described, and settings match as they are sent and as they are stored', () => {
    const defaults = createWorkflowSettings('Europe/Paris')
    assert.deepEqual(listMembers(schemas['WorkflowSettingsWrite']).toSorted(), Object.keys(defaults).toSorted())
    const sent = { entryKey: 'promo', reentry: { mode: 'afterPeriod', period: { unit: 'DAY', value: 7 } }, own: [1] }
    const location = createLocation()
    const storedSettings = parseWorkflowSettings(sent, location, defaults, defaults)
    assert.deepEqual(location.reading.faults, [])
    for (const settings of [sent, storedSettings, { trace: null }])
      assert.equal(findFault(settings, 'WorkflowSettingsWrite'), undefined, JSON.stringify(settings))
    assert.equal(findFault(storedSettings, 'WorkflowSettings'), undefined)
  })

  test('what no shape reads does not match', () => {
    for (const [wrong, component] of [
      [{ schedulers: [{ type: 'hourly' }] }, 'WorkflowTaskWrite'],
      [{ schedulers: [{ type: 'cron', minute: 0 }] }, 'WorkflowTaskWrite'],
      [{ provider: { type: 'list' } }, 'WorkflowTaskWrite'],
      [{ provider: { type: 'segment', value: { id: 'gold' } } }, 'WorkflowTaskWrite'],
      [{ overlap: 'wait' }, 'WorkflowTaskWrite'],
      [{ action: 'stop' }, 'WorkflowCappingEntryWrite'],
      [{ increment: -1 }, 'WorkflowCappingEntryWrite'],
      [{ concurrency: 101 }, 'WorkflowSettingsWrite'],
      [{ environment: { capabilities: ['files.read'] } }, 'ScriptingWrite'],
      [{ imports: [{ type: 'webtask', name: 'shop', value: 'seven' }] }, 'ScriptingWrite'],
      [{ cpuMs: 5 }, 'WebtaskSettingsWrite'],
    ] as const)
      assert.ok(findFault(wrong, component), JSON.stringify(wrong))
  })
})
