import assert from 'node:assert/strict'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { formatClipboardNodes, parseClipboardNodes } from '../../console/screens/workflows/model/clipping.ts'
import { compareWorkflowNodes } from '../../console/screens/workflows/model/difference.ts'
import {
  addNode,
  connectNodes,
  createNodeId,
  listNodeOutputs,
  pasteNodes,
  removeNodes,
  setEntryNode,
  type WorkflowFormNode,
} from '../../console/screens/workflows/model/graph.ts'
import { createEditHistory, recordEdit, redoEdit, undoEdit } from '../../console/screens/workflows/model/history.ts'
import { computeGraphLayout } from '../../console/screens/workflows/model/laid-out.ts'
import {
  buildGraphShape,
  completePositions,
  type GraphShape,
  isGraphUnplaced,
  mergeMovedPositions,
  NODE_HEIGHT_PX,
  NODE_WIDTH_PX,
  type NodePositions,
} from '../../console/screens/workflows/model/layout.ts'
import { longWorkflow } from '../support/browser/steps/workflows.ts'

const STEPS: WorkflowFormNode[] = [
  { type: 'sleep', id: 'pause', default: true, settings: {}, next: 'choice' },
  // biome-ignore lint/suspicious/noThenProperty: a member of the interface.
  { type: 'if', id: 'choice', settings: { then: 'mail', else: null, ours: { kept: [1] } }, next: null },
  { type: 'sendMail', id: 'mail', settings: { failure: { mode: 'goto', next: 'end' } }, next: 'end' },
  { type: 'terminal', id: 'end', settings: { outcome: 'done' } },
]
const TYPES = ['if', 'sendMail', 'split', 'switch', 'wait', 'script', 'terminal', 'data-table/pipeline']

const LAYOUT = new URL('../../console/screens/workflows/model/laid-out.ts', import.meta.url).href
const TASK = `import { parentPort, workerData } from 'node:worker_threads'
import { computeGraphLayout } from '${LAYOUT}'
parentPort.postMessage(computeGraphLayout(workerData))`

/** Lays out a graph with as much stack as Chromium gives to workers. */
async function inSmallStack(shape: GraphShape): Promise<NodePositions> {
  const source = new URL(`data:text/javascript,${encodeURIComponent(TASK)}`)
  const worker = new Worker(source, { workerData: shape, resourceLimits: { stackSizeMb: 0.5 } })
  const [places] = await once(worker, 'message')
  return places
}

/** Numbers that look random and are the same each time. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    yield state
  }
}

const stepOf = (steps: readonly WorkflowFormNode[], type: string): WorkflowFormNode => ({
  type,
  id: createNodeId(steps, type),
  settings: {},
  next: null,
  ...(type === 'split' && { settings: { branches: [{ id: 'a' }, { id: 'b' }] } }),
  ...(type === 'script' && { settings: { outputs: { 'a/b~c': null } } }),
})

function edited(steps: readonly WorkflowFormNode[], draw: () => number): WorkflowFormNode[] {
  const any = steps[draw() % Math.max(1, steps.length)]
  const act = draw() % 5
  if (act < 2 || !any) return addNode(steps, stepOf(steps, TYPES[draw() % TYPES.length] as string), any?.id)
  if (act === 2) return removeNodes(steps, new Set([any.id]))
  if (act === 3) return pasteNodes(steps, steps.slice(0, draw() % 4)).steps
  const output = listNodeOutputs(any)[0]
  return output
    ? connectNodes(steps, any.id, output.at, (steps[draw() % steps.length] as WorkflowFormNode).id)
    : [...steps]
}

suite("the console's workflow graph", () => {
  test('the outputs of a node are at the members that hold their targets in the API', () => {
    assert.deepEqual(listNodeOutputs(STEPS[1] as WorkflowFormNode), [
      { at: '/settings/then', label: 'then', target: 'mail' },
      { at: '/settings/else', label: 'else', target: null },
    ])
    assert.deepEqual(
      listNodeOutputs(STEPS[2] as WorkflowFormNode).map(({ at, target }) => [at, target]),
      [
        ['/next', 'end'],
        ['/settings/failure/next', 'end'],
      ],
    )
    assert.deepEqual(listNodeOutputs(STEPS[3] as WorkflowFormNode), [])
  })

  test('removing a node clears the links to it and keeps unknown members', () => {
    const steps = removeNodes(STEPS, new Set(['mail']))
    // biome-ignore lint/suspicious/noThenProperty: a member of the interface.
    assert.deepEqual(steps[1], { ...STEPS[1], settings: { then: null, else: null, ours: { kept: [1] } } })
    assert.deepEqual(steps[0], STEPS[0])
  })

  test('copied nodes link to each other', () => {
    const { steps, ids } = pasteNodes(STEPS, STEPS.slice(1, 3))
    assert.deepEqual(ids, ['if', 'sendMail'])
    assert.deepEqual(
      steps
        .slice(4)
        .flatMap(listNodeOutputs)
        .map(({ target }) => target),
      ['sendMail', null, null, null],
    )
    assert.deepEqual(steps.slice(0, 4), STEPS)
  })

  test('a node added after one with no free output is inserted before the next node', () => {
    const steps = addNode(STEPS, { type: 'sleep', id: 'new', settings: {}, next: null }, 'pause')
    assert.deepEqual(
      steps.filter(({ id }) => ['pause', 'new'].includes(id)).map(({ id, next }) => [id, next]),
      [
        ['pause', 'new'],
        ['new', 'choice'],
      ],
    )
  })

  test('copied nodes are read back from the clipboard unchanged, and other texts are rejected', () => {
    assert.deepEqual(parseClipboardNodes(formatClipboardNodes(STEPS)), STEPS)
    for (const text of [
      '',
      'hello',
      '{}',
      '[1]',
      '{"stentor/workflow-nodes":1,"nodes":[{"id":1}]}',
      'stentor/workflow-nodes',
    ])
      assert.equal(parseClipboardNodes(text), null, text)
  })

  test('setting the entry leaves exactly one entry node', () => {
    assert.deepEqual(
      setEntryNode(STEPS, 'mail').map(({ default: isEntry }) => isEntry ?? false),
      [false, false, true, false],
    )
  })

  test('2,000 random edits keep ids unique, and are undone and redone exactly', () => {
    const random = numbers(7)
    const draw = (): number => Math.floor((random.next().value as number) / 64)
    let [steps, history] = [STEPS, createEditHistory<WorkflowFormNode[]>()]
    const seen: string[] = []
    for (let n = 0; n < 2000; n++) {
      if (n % 200 === 0) [steps, history] = [STEPS, createEditHistory()]
      if (n % 200 === 0) seen.length = 0
      seen.push(JSON.stringify(steps))
      history = recordEdit(history, steps)
      steps = edited(steps.slice(0, 60), draw)
      const ids = new Set(steps.map(({ id }) => id))
      assert.equal(ids.size, steps.length)
      assert.deepEqual(JSON.parse(JSON.stringify(steps)), steps)
      if (n % 200 !== 199) continue
      const last = JSON.stringify(steps)
      for (const text of seen.toReversed()) {
        const back = undoEdit(history, steps)
        assert.ok(back)
        ;[steps, history] = [back.value, back.history]
        assert.equal(JSON.stringify(steps), text)
      }
      assert.equal(undoEdit(history, steps), null)
      for (let forth = redoEdit(history, steps); forth; forth = redoEdit(history, steps))
        [steps, history] = [forth.value, forth.history]
      assert.equal(JSON.stringify(steps), last)
    }
  })

  test('every node has its own position and keeps it when another is added', () => {
    const places = computeGraphLayout(buildGraphShape(STEPS))
    assert.equal(new Set(Object.values(places).map(({ x, y }) => `${x} ${y}`)).size, 4)
    const more = completePositions(places, [...STEPS, { type: 'sleep', id: 'new' }])
    assert.deepEqual({ ...more, new: undefined }, { ...places, new: undefined })
    assert.ok(more['new'] && more['new'].y > Math.max(...Object.values(places).map(({ y }) => y)))
  })

  test("1,000 nodes are laid out without overlap within a worker's stack, and chains run from top to bottom", async () => {
    const ring = Array.from(
      { length: 300 },
      (_, n): WorkflowFormNode => ({ type: 'sleep', id: `r${n}`, next: `r${(n + 1) % 300}` }),
    )
    for (const steps of [
      longWorkflow(1000) as WorkflowFormNode[],
      longWorkflow(1000).map((step) => ({ ...step, type: 'sleep' })) as WorkflowFormNode[],
      ring,
    ]) {
      const places = await inSmallStack(buildGraphShape(steps))
      assert.equal(Object.keys(places).length, steps.length)
      const all = Object.values(places).toSorted((a, b) => a.y - b.y)
      for (const [n, one] of all.entries())
        for (let other = all[n + 1], m = n + 1; other && other.y < one.y + NODE_HEIGHT_PX; other = all[++m])
          assert.ok(Math.abs(other.x - one.x) >= NODE_WIDTH_PX, `${JSON.stringify(one)} and ${JSON.stringify(other)}`)
    }
    const chain = await inSmallStack(buildGraphShape(longWorkflow(1000) as WorkflowFormNode[]))
    assert.ok(chain['step-1'] && chain['step-2'] && chain['step-2'].y === chain['step-1'].y + NODE_HEIGHT_PX + 72)
  })

  test('a graph edited during its layout keeps the nodes moved and added meanwhile', () => {
    const before = computeGraphLayout(buildGraphShape(STEPS))
    const steps = [...STEPS.slice(1), { type: 'sleep', id: 'new' }]
    const now: NodePositions = { ...completePositions(before, steps), mail: { x: 900, y: 40 } }
    const laid = Object.fromEntries(STEPS.map(({ id }, n) => [id, { x: n, y: n }]))
    const places = mergeMovedPositions(laid, before, now)
    assert.deepEqual(places, { ...laid, mail: { x: 900, y: 40 }, new: now['new'] })
    assert.equal(isGraphUnplaced(places, steps), false)
    assert.equal(isGraphUnplaced(places, [{ type: 'goal', id: 'goal' }]), true)
    assert.equal(isGraphUnplaced(places, [{ type: 'goal', id: 'goal' }], { goal: { x: 1, y: 1 } }), false)
  })

  test('the differences between versions are added, removed and changed nodes', () => {
    const after = [...connectNodes(STEPS.slice(0, 3), 'pause', '/next', 'mail'), { type: 'goal', id: 'goal' }]
    assert.deepEqual(Object.fromEntries(compareWorkflowNodes(STEPS, after)), {
      pause: 'changed',
      goal: 'added',
      end: 'removed',
    })
  })
})
