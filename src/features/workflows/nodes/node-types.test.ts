import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ProblemFault } from '../../../lib/errors/problem.ts'
import type { DefinitionVisitor } from '../../../scripting/schemas/shape.ts'
import { collectWorkflowContents } from '../definition/definition-contents.ts'
import type { WorkflowDefinition } from '../definition/workflow-definition.ts'
import { createWorkflowSettings } from '../definition/workflow-settings.ts'
import { nodeListShape } from './node-list-shape.ts'
import type { StoredWorkflowNode } from './node-type.ts'
import { workflowNodeTypes } from './node-types.ts'

const DAY = { unit: 'DAY', value: 1 }
const custom = { type: 'custom', names: ['order'] }
const slots = [{ days: [1], from: '08:00', to: '24:00' }]
const compilable = '0193c0de-7000-7000-8000-000000000041'

/** Settings as they are asked for. */
interface Row {
  /** Fine. */
  fine: object
  /** What is missing, as pointers below the settings, when they are empty. */
  missing: string[]
  /** What cannot be read, with the pointer to its fault. */
  refused: [object, string][]
  /** Where a run may go. */
  targets?: string[]
  /** Members of the node itself. */
  own?: object
}

const send = (action: string): Row => ({
  fine: { action, data: { cart: { type: 'path', value: 'data.cart' } }, into: 'result' },
  missing: ['/settings/action'],
  refused: [
    [{ action: 1 }, '/settings/action'],
    [{ action, data: { cart: [1] } }, '/settings/data/cart'],
    [{ action, into: '1st' }, '/settings/into'],
    [{ action, failure: { mode: 'retry' } }, '/settings/failure/mode'],
    [{ action, failure: { retry: { attempts: 21 } } }, '/settings/failure/retry/attempts'],
  ],
})

/** Ways by a truth. */
// biome-ignore lint/suspicious/noThenProperty: the interface names it so.
const ways = { then: 'a', else: 'b' }

const table: Record<string, Row> = {
  sendMail: send('000AB1'),
  sendSms: send('000AB2'),
  sms: { ...send('000AB2'), fine: { action: '000AB2', text: 'Hi' }, missing: ['/settings/action', '/settings/text'] },
  sendpushapp: {
    fine: { notification: 1, title: 'a', body: 'b', channel: { type: 'literal', value: 'news' } },
    missing: ['/settings/notification', '/settings/title', '/settings/body'],
    refused: [[{ notification: '1' }, '/settings/notification']],
  },
  'np6.notification/execution': {
    fine: { notification: 1, version: compilable },
    missing: ['/settings/notification'],
    refused: [[{ notification: 1, version: 'x' }, '/settings/version']],
  },
  'rcs/execution': {
    fine: { action: 7, expiration: { type: 'literal', value: {} } },
    missing: ['/settings/action'],
    refused: [[{ action: '000AB1' }, '/settings/action']],
  },
  updateTarget: {
    fine: { fields: { 3: 'x' }, segments: { add: [1] } },
    missing: ['/settings'],
    refused: [[{ segments: { add: ['1'] } }, '/settings/segments/add/0']],
  },
  publish: {
    fine: {},
    own: { event: 'order.paid', data: { type: 'literal', value: {} } },
    missing: ['/event'],
    refused: [],
  },
  request: {
    fine: { url: 'https://api.shop.test/', headers: { a: 'b' }, success: [200] },
    missing: ['/settings/url'],
    refused: [
      [{ method: 'HEAD' }, '/settings/method'],
      [{ timeoutMs: 30_001 }, '/settings/timeoutMs'],
    ],
  },
  script: {
    fine: { value: 'export default () => null', outputs: { yes: 'a' } },
    missing: ['/settings'],
    refused: [[{ value: 1 }, '/settings/value']],
    targets: ['/outputs/yes'],
  },
  'data-manager/pipeline': {
    fine: { compilable, into: 'rows' },
    missing: ['/settings/compilable', '/settings/into'],
    refused: [[{ compilable: 'x' }, '/settings/compilable']],
  },
  'data-table/pipeline': {
    fine: { compilable, empty: 'a' },
    missing: ['/settings/compilable'],
    refused: [[{ empty: 1 }, '/settings/empty']],
    targets: ['/empty'],
  },
  sleep: {
    fine: { slot: { hour: 8 }, spread: DAY },
    missing: ['/settings'],
    refused: [
      [{ period: { unit: 'DECADE', value: 1 } }, '/settings/period/unit'],
      [{ period: { unit: 'DAY', value: 0 } }, '/settings/period/value'],
      [{ slot: { hour: 24 } }, '/settings/slot/hour'],
    ],
  },
  wait: {
    fine: { event: custom, timeout: { until: '2030-01-01' }, timeoutNext: 'a', since: 'run', correlation: 'none' },
    missing: ['/settings/event'],
    refused: [
      [{ event: { type: 'nope' } }, '/settings/event/type'],
      [{ event: custom, since: 'then' }, '/settings/since'],
      [{ event: custom, correlation: 'nobody' }, '/settings/correlation'],
    ],
    targets: ['/timeoutNext'],
  },
  'wait.race': {
    fine: {
      waits: [
        { id: 'x', event: custom, next: 'a' },
        { period: DAY, next: 'b' },
      ],
    },
    missing: ['/settings/waits'],
    refused: [
      [{ waits: [{ id: 'x' }, { id: 'x' }] }, '/settings/waits/1/id'],
      [{ waits: Array.from({ length: 21 }, () => ({ period: DAY })) }, '/settings/waits'],
    ],
    targets: ['/waits/0/next', '/waits/1/next'],
  },
  'wait.all': {
    fine: { waits: [{ event: custom }, { event: custom }], timeoutNext: 'a' },
    missing: ['/settings/waits'],
    refused: [[{ waits: 'x' }, '/settings/waits']],
    targets: ['/timeoutNext'],
  },
  'wait.kill': {
    fine: { nodes: ['a'] },
    missing: ['/settings/nodes'],
    refused: [[{ nodes: ['a'], scope: 'all' }, '/settings/scope']],
  },
  multipleslots: {
    fine: { slots, timeZone: 'contact' },
    missing: ['/settings/slots'],
    refused: [
      [{ slots: [{ days: [8], from: '08:00', to: '09:00' }] }, '/settings/slots/0/days/0'],
      [{ slots: [{ days: [1], from: '24:00', to: '09:00' }] }, '/settings/slots/0/from'],
      [{ slots, timeZone: 'Mars/Base' }, '/settings/timeZone'],
    ],
  },
  conditionaltimeslots: {
    fine: { cases: [{ condition: true, slots, next: 'a' }], default: 'b' },
    missing: ['/settings/cases'],
    refused: [[{ cases: Array.from({ length: 21 }, () => ({})) }, '/settings/cases']],
    targets: ['/cases/0/next', '/default'],
  },
  if: {
    fine: { condition: { type: 'path', value: 'data.x' }, ...ways },
    missing: ['/settings/condition'],
    refused: [[{ condition: { type: 'jsonata', value: 'x' } }, '/settings/condition/type']],
    targets: ['/then', '/else'],
  },
  match: {
    fine: { segment: 1, ...ways },
    missing: ['/settings'],
    refused: [[{ criteria: 'x' }, '/settings/criteria']],
    targets: ['/then', '/else'],
  },
  'data-explorer-v2.match': {
    fine: { event: { type: 'action.hit', kinds: ['open'] }, period: DAY, count: { value: 3 }, ...ways },
    missing: ['/settings/event'],
    refused: [
      [{ event: { type: 'action.hit', kinds: ['look'] } }, '/settings/event/kinds/0'],
      [{ count: { operator: 'like' } }, '/settings/count/operator'],
    ],
    targets: ['/then', '/else'],
  },
  switch: {
    fine: {
      value: { type: 'path', value: 'data.x' },
      cases: [
        { value: 1, next: 'a' },
        { value: '1', next: 'b' },
        { value: null, next: 'a' },
      ],
      default: 'b',
    },
    missing: ['/settings/value', '/settings/cases'],
    refused: [[{ cases: [{ value: {} }] }, '/settings/cases/0/value']],
    targets: ['/cases/0/next', '/cases/1/next', '/cases/2/next', '/default'],
  },
  split: {
    fine: {
      branches: [
        { id: 'x', weight: 33.33, next: 'a' },
        { id: 'y', weight: 66.67, next: 'b' },
      ],
    },
    missing: ['/settings/branches'],
    refused: [[{ branches: [{ weight: -1 }, { weight: 101 }] }, '/settings/branches/0/weight']],
    targets: ['/branches/0/next', '/branches/1/next'],
  },
  experiment: {
    fine: { branches: [{ next: 'a' }, { next: 'b' }], metric: custom, holdout: 10, holdoutNext: 'a', confidence: 99.9 },
    missing: ['/settings/branches', '/settings/metric'],
    refused: [
      [{ holdout: 51 }, '/settings/holdout'],
      [{ minimum: 9 }, '/settings/minimum'],
      [{ method: 'guess' }, '/settings/method'],
    ],
    targets: ['/branches/0/next', '/branches/1/next', '/holdoutNext'],
  },
  goal: { fine: { event: custom }, missing: ['/settings/event'], refused: [[{ event: 1 }, '/settings/event']] },
  sample: {
    fine: { percent: 12.25, ...ways },
    missing: ['/settings'],
    refused: [
      [{ percent: 1.234 }, '/settings/percent'],
      [{ count: -1 }, '/settings/count'],
    ],
    targets: ['/then', '/else'],
  },
  terminal: { fine: { outcome: 'done' }, missing: [], refused: [[{ outcome: 'x'.repeat(65) }, '/settings/outcome']] },
}

function read(given: object): { nodes: StoredWorkflowNode[]; faults: ProblemFault[] } {
  const faults: ProblemFault[] = []
  let made = 0
  const place = { pointer: '', reading: { faults, strict: false, makeId: () => `made-${++made}` } }
  return { nodes: nodeListShape.read([given], place), faults }
}

function flawsOf(nodes: StoredWorkflowNode[]): string[] {
  const flaws: string[] = []
  const visitor: DefinitionVisitor = { flaw: ({ type, path }) => flaws.push(`${type} ${path.replace('/0', '')}`) }
  nodeListShape.visit?.(nodes, '', visitor)
  return flaws
}

suite('workflow node types', () => {
  test('the table of this test lists all of them', () => {
    assert.deepEqual(Object.keys(table).sort(), [...workflowNodeTypes.keys()].sort())
  })

  for (const [type, { fine, missing, refused, targets = [], own }] of Object.entries(table)) {
    test(`${type} accepts valid settings, reports missing ones and refuses unreadable ones`, () => {
      const good = read({ type, id: 'n', settings: fine, ...own })
      assert.deepEqual(good.faults, [])
      assert.deepEqual(flawsOf(good.nodes), [])
      const [node] = good.nodes
      const ways = workflowNodeTypes.get(type)!.targets(node!.settings)
      assert.deepEqual(
        ways.map(({ path }) => path),
        targets,
      )
      // What was read is read again as it is: answers can be sent back.
      assert.deepEqual(read(node!).nodes, good.nodes)
      const empty = read({ type, id: 'n' })
      assert.deepEqual(empty.faults, [])
      assert.deepEqual(
        flawsOf(empty.nodes),
        missing.map((path) => `missing-setting ${path}`),
      )
      for (const [settings, pointer] of refused) {
        const { faults } = read({ type, id: 'n', settings })
        assert.ok(
          faults.some((fault) => fault.pointer === `/0${pointer}`),
          `${pointer}: ${JSON.stringify(faults)}`,
        )
      }
    })
  }

  test('only nodes that can fail have a failure block, with its defaults', () => {
    const failing = [...workflowNodeTypes.values()].filter(({ hasFailure }) => hasFailure).map(({ type }) => type)
    assert.deepEqual(failing.sort(), [
      'data-manager/pipeline',
      'data-table/pipeline',
      'np6.notification/execution',
      'publish',
      'rcs/execution',
      'request',
      'script',
      'sendMail',
      'sendSms',
      'sendpushapp',
      'sms',
      'updateTarget',
    ])
    const retry = {
      attempts: 5,
      delay: { type: 'rolling', unit: 'MINUTE', value: 1 },
      factor: 2,
      max: { type: 'rolling', unit: 'HOUR', value: 6 },
    }
    for (const type of workflowNodeTypes.keys()) {
      const block = (read({ type, id: 'n' }).nodes[0]!.settings as { failure?: unknown }).failure
      assert.deepEqual(block, failing.includes(type) ? { mode: 'fail', next: null, retry } : undefined, type)
    }
    const goto = read({ type: 'request', id: 'n', settings: { url: 'https://a.test', failure: { mode: 'goto' } } })
    assert.deepEqual(flawsOf(goto.nodes), ['missing-setting /settings/failure/next'])
  })

  test('two members of which only one is allowed are ambiguous', () => {
    const both: [string, object][] = [
      ['sleep', { period: DAY, until: '2030-01-01' }],
      ['match', { segment: 1, criteria: {} }],
      ['sample', { percent: 1, count: 1 }],
      ['script', { value: 'x', webtask: 1 }],
    ]
    for (const [type, settings] of both)
      assert.deepEqual(flawsOf(read({ type, id: 'n', settings }).nodes), ['ambiguous-setting /settings'], type)
  })

  test('weights that do not sum to 100 or have three decimals are a flaw', () => {
    for (const [one, other] of [
      [50, 49.99],
      [33.333, 66.667],
      [0, 0],
    ]) {
      const { nodes, faults } = read({
        type: 'split',
        id: 'n',
        settings: { branches: [{ weight: one }, { weight: other }] },
      })
      assert.deepEqual([faults, flawsOf(nodes)], [[], ['weights /settings/branches']])
    }
  })

  test('empty arrays from PHP clients are accepted in place of objects', () => {
    const { nodes, faults } = read({ type: 'sendMail', id: 'n', settings: { action: '000AB1', data: [] } })
    assert.deepEqual([faults, (nodes[0]!.settings as { data: object }).data], [[], {}])
    assert.deepEqual(read({ type: 'terminal', id: 'n', settings: [] }).faults, [])
  })

  test('an unknown member is a fault at any level in strict reading', () => {
    const faults: ProblemFault[] = []
    const given = [{ type: 'sleep', id: 'n', odd: 1, settings: { period: DAY, slot: { hour: 1, odd: 1 }, odd: 1 } }]
    nodeListShape.read(given, { pointer: '', reading: { faults, strict: true, makeId: () => 'x' } })
    assert.deepEqual(faults.map(({ pointer }) => pointer).sort(), ['/0/odd', '/0/settings/odd', '/0/settings/slot/odd'])
  })

  test('more than five goals are a flaw', () => {
    const goals = Array.from(
      { length: 6 },
      () => read({ type: 'goal', id: 'g', settings: { event: custom } }).nodes[0]!,
    )
    const definition = { nodes: goals, listeners: [], tasks: [], capping: [], settings: createWorkflowSettings('UTC') }
    const { flaws } = collectWorkflowContents(definition as unknown as WorkflowDefinition)
    assert.deepEqual(
      flaws.map(({ type, path }) => [type, path]),
      [['limit', '/nodes/5']],
    )
  })
})
