import assert from 'node:assert/strict'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { clipped, unclipped } from '../../console/screens/workflows/model/clipping.ts'
import { differences } from '../../console/screens/workflows/model/difference.ts'
import {
  added,
  connected,
  freshId,
  outputsOf,
  pasted,
  removed,
  type Step,
  withEntry,
} from '../../console/screens/workflows/model/graph.ts'
import { changed, emptyHistory, redone, undone } from '../../console/screens/workflows/model/history.ts'
import { laidOut } from '../../console/screens/workflows/model/laid-out.ts'
import {
  completed,
  HEIGHT,
  isUnplaced,
  type Places,
  type Shape,
  settledPlaces,
  shapeOf,
  WIDTH,
} from '../../console/screens/workflows/model/layout.ts'
import { longWorkflow } from '../support/browser/steps/workflows.ts'

const STEPS: Step[] = [
  { type: 'sleep', id: 'pause', default: true, settings: {}, next: 'choice' },
  // biome-ignore lint/suspicious/noThenProperty: a member of the interface.
  { type: 'if', id: 'choice', settings: { then: 'mail', else: null, ours: { kept: [1] } }, next: null },
  { type: 'sendMail', id: 'mail', settings: { failure: { mode: 'goto', next: 'end' } }, next: 'end' },
  { type: 'terminal', id: 'end', settings: { outcome: 'done' } },
]
const TYPES = ['if', 'sendMail', 'split', 'switch', 'wait', 'script', 'terminal', 'data-table/pipeline']

const LAYOUT = new URL('../../console/screens/workflows/model/laid-out.ts', import.meta.url).href
const TASK = `import { parentPort, workerData } from 'node:worker_threads'
import { laidOut } from '${LAYOUT}'
parentPort.postMessage(laidOut(workerData))`

/** Lays out a graph with as much stack as Chromium gives to workers. */
async function inSmallStack(shape: Shape): Promise<Places> {
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

const stepOf = (steps: readonly Step[], type: string): Step => ({
  ...{ type, id: freshId(steps, type), settings: {}, next: null },
  ...(type === 'split' && { settings: { branches: [{ id: 'a' }, { id: 'b' }] } }),
  ...(type === 'script' && { settings: { outputs: { 'a/b~c': null } } }),
})

function edited(steps: readonly Step[], draw: () => number): Step[] {
  const any = steps[draw() % Math.max(1, steps.length)]
  const act = draw() % 5
  if (act < 2 || !any) return added(steps, stepOf(steps, TYPES[draw() % TYPES.length] as string), any?.id)
  if (act === 2) return removed(steps, new Set([any.id]))
  if (act === 3) return pasted(steps, steps.slice(0, draw() % 4)).steps
  const output = outputsOf(any)[0]
  return output ? connected(steps, any.id, output.at, (steps[draw() % steps.length] as Step).id) : [...steps]
}

suite("the console's workflow graph", () => {
  test('the outputs of a node are at the members that hold their targets in the API', () => {
    assert.deepEqual(outputsOf(STEPS[1] as Step), [
      { at: '/settings/then', label: 'then', target: 'mail' },
      { at: '/settings/else', label: 'else', target: null },
    ])
    assert.deepEqual(
      outputsOf(STEPS[2] as Step).map(({ at, target }) => [at, target]),
      [
        ['/next', 'end'],
        ['/settings/failure/next', 'end'],
      ],
    )
    assert.deepEqual(outputsOf(STEPS[3] as Step), [])
  })

  test('removing a node clears the links to it and keeps unknown members', () => {
    const steps = removed(STEPS, new Set(['mail']))
    // biome-ignore lint/suspicious/noThenProperty: a member of the interface.
    assert.deepEqual(steps[1], { ...STEPS[1], settings: { then: null, else: null, ours: { kept: [1] } } })
    assert.deepEqual(steps[0], STEPS[0])
  })

  test('copied nodes link to each other', () => {
    const { steps, ids } = pasted(STEPS, STEPS.slice(1, 3))
    assert.deepEqual(ids, ['if', 'sendMail'])
    assert.deepEqual(
      steps
        .slice(4)
        .flatMap(outputsOf)
        .map(({ target }) => target),
      ['sendMail', null, null, null],
    )
    assert.deepEqual(steps.slice(0, 4), STEPS)
  })

  test('a node added after one with no free output is inserted before the next node', () => {
    const steps = added(STEPS, { type: 'sleep', id: 'new', settings: {}, next: null }, 'pause')
    assert.deepEqual(
      steps.filter(({ id }) => ['pause', 'new'].includes(id)).map(({ id, next }) => [id, next]),
      [
        ['pause', 'new'],
        ['new', 'choice'],
      ],
    )
  })

  test('copied nodes are read back from the clipboard unchanged, and other texts are rejected', () => {
    assert.deepEqual(unclipped(clipped(STEPS)), STEPS)
    for (const text of [
      '',
      'hello',
      '{}',
      '[1]',
      '{"stentor/workflow-nodes":1,"nodes":[{"id":1}]}',
      'stentor/workflow-nodes',
    ])
      assert.equal(unclipped(text), null, text)
  })

  test('setting the entry leaves exactly one entry node', () => {
    assert.deepEqual(
      withEntry(STEPS, 'mail').map(({ default: isEntry }) => isEntry ?? false),
      [false, false, true, false],
    )
  })

  test('2,000 random edits keep ids unique, and are undone and redone exactly', () => {
    const random = numbers(7)
    const draw = (): number => Math.floor((random.next().value as number) / 64)
    let [steps, history] = [STEPS, emptyHistory<Step[]>()]
    const seen: string[] = []
    for (let n = 0; n < 2000; n++) {
      if (n % 200 === 0) [steps, history] = [STEPS, emptyHistory()]
      if (n % 200 === 0) seen.length = 0
      seen.push(JSON.stringify(steps))
      history = changed(history, steps)
      steps = edited(steps.slice(0, 60), draw)
      const ids = new Set(steps.map(({ id }) => id))
      assert.equal(ids.size, steps.length)
      assert.deepEqual(JSON.parse(JSON.stringify(steps)), steps)
      if (n % 200 !== 199) continue
      const last = JSON.stringify(steps)
      for (const text of seen.toReversed()) {
        const back = undone(history, steps)
        assert.ok(back)
        ;[steps, history] = [back.value, back.history]
        assert.equal(JSON.stringify(steps), text)
      }
      assert.equal(undone(history, steps), null)
      for (let forth = redone(history, steps); forth; forth = redone(history, steps))
        [steps, history] = [forth.value, forth.history]
      assert.equal(JSON.stringify(steps), last)
    }
  })

  test('every node has its own position and keeps it when another is added', () => {
    const places = laidOut(shapeOf(STEPS))
    assert.equal(new Set(Object.values(places).map(({ x, y }) => `${x} ${y}`)).size, 4)
    const more = completed(places, [...STEPS, { type: 'sleep', id: 'new' }])
    assert.deepEqual({ ...more, new: undefined }, { ...places, new: undefined })
    assert.ok(more['new'] && more['new'].y > Math.max(...Object.values(places).map(({ y }) => y)))
  })

  test("1,000 nodes are laid out without overlap within a worker's stack, and chains run from top to bottom", async () => {
    const ring = Array.from(
      { length: 300 },
      (_, n): Step => ({ type: 'sleep', id: `r${n}`, next: `r${(n + 1) % 300}` }),
    )
    for (const steps of [
      longWorkflow(1000) as Step[],
      longWorkflow(1000).map((step) => ({ ...step, type: 'sleep' })) as Step[],
      ring,
    ]) {
      const places = await inSmallStack(shapeOf(steps))
      assert.equal(Object.keys(places).length, steps.length)
      const all = Object.values(places).toSorted((a, b) => a.y - b.y)
      for (const [n, one] of all.entries())
        for (let other = all[n + 1], m = n + 1; other && other.y < one.y + HEIGHT; other = all[++m])
          assert.ok(Math.abs(other.x - one.x) >= WIDTH, `${JSON.stringify(one)} and ${JSON.stringify(other)}`)
    }
    const chain = await inSmallStack(shapeOf(longWorkflow(1000) as Step[]))
    assert.ok(chain['step-1'] && chain['step-2'] && chain['step-2'].y === chain['step-1'].y + HEIGHT + 72)
  })

  test('a graph edited during its layout keeps the nodes moved and added meanwhile', () => {
    const before = laidOut(shapeOf(STEPS))
    const steps = [...STEPS.slice(1), { type: 'sleep', id: 'new' }]
    const now: Places = { ...completed(before, steps), mail: { x: 900, y: 40 } }
    const laid = Object.fromEntries(STEPS.map(({ id }, n) => [id, { x: n, y: n }]))
    const places = settledPlaces(laid, before, now)
    assert.deepEqual(places, { ...laid, mail: { x: 900, y: 40 }, new: now['new'] })
    assert.equal(isUnplaced(places, steps), false)
    assert.equal(isUnplaced(places, [{ type: 'goal', id: 'goal' }]), true)
    assert.equal(isUnplaced(places, [{ type: 'goal', id: 'goal' }], { goal: { x: 1, y: 1 } }), false)
  })

  test('the differences between versions are added, removed and changed nodes', () => {
    const after = [...connected(STEPS.slice(0, 3), 'pause', '/next', 'mail'), { type: 'goal', id: 'goal' }]
    assert.deepEqual(Object.fromEntries(differences(STEPS, after)), { pause: 'changed', goal: 'added', end: 'removed' })
  })
})
