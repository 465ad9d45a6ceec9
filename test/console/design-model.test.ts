import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  createDesignState,
  type DesignEditorAction,
  type DesignEditorState,
  reduceDesignState,
} from '../../console/components/design/model/desk.ts'
import { findDesignNode, listDesignPaths } from '../../console/components/design/model/model.ts'
import type { ApiDesign, ApiDesignBlock } from '../../console/components/design/model/shapes.ts'
import { fromEditorTree, toEditorTree } from '../../console/components/design/model/tree.ts'
import { findDesignFaults } from '../../src/features/designs/faults.ts'
import { listLibraryDesigns } from '../../src/features/designs/library/library.ts'

const designs = listLibraryDesigns().map(({ design }) => design as ApiDesign)
const newsletter = designs[0]!

const divider: ApiDesignBlock = { type: 'divider' }
const columns: ApiDesignBlock = { type: 'columns', columns: [50, 50], blocks: [[divider], []] }

/** Numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  return (below) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
}

function anyAct({ history: { present } }: DesignEditorState, below: (limit: number) => number): DesignEditorAction {
  const paths = listDesignPaths(present)
  const path = paths[below(paths.length)] ?? null
  const acts: DesignEditorAction[] = [
    { do: 'choose', path },
    { do: 'insert', block: below(2) ? divider : columns },
    { do: 'step', step: below(2) ? 1 : -1 },
    { do: 'duplicate' },
    { do: 'remove' },
    { do: 'undo' },
    { do: 'redo' },
    ...(path ? [{ do: 'move', from: path, to: paths[below(paths.length)]! } as const] : []),
    ...(path ? [{ do: 'paste', node: findDesignNode(present, path)! } as const] : []),
  ]
  return acts[below(acts.length)]!
}

suite('design editor model', () => {
  test('random edits keep designs valid and can be undone to the original', () => {
    for (const [seed, design] of designs.entries()) {
      const below = numbers(seed + 1)
      let desk = createDesignState(design)
      for (let step = 0; step < 150; step++) desk = reduceDesignState(desk, anyAct(desk, below))
      assert.deepEqual(findDesignFaults(desk.history.present as never, ''), [], `design ${seed}`)
      for (let step = 0; step < 200; step++) desk = reduceDesignState(desk, { do: 'undo' })
      assert.equal(desk.history.present, design)
    }
  })

  test('a change keeps the other rows as the same objects', () => {
    const node = findDesignNode(newsletter, [0, 0, 0])!
    const { present } = reduceDesignState(createDesignState(newsletter), {
      do: 'change',
      path: [0, 0, 0],
      member: 'align',
      at: 0,
      node: { ...node, align: 'center' } as ApiDesignBlock,
    }).history
    assert.notEqual(findDesignNode(present, [0, 0, 0]), node)
    for (const [index, row] of newsletter.rows.entries()) if (index > 0) assert.equal(present.rows[index], row)
  })

  test('columns cannot be moved into their own columns', () => {
    const inner = reduceDesignState(
      createDesignState({ ...newsletter, rows: [{ columns: [100], blocks: [[columns]] }] }),
      {
        do: 'move',
        from: [0, 0, 0],
        to: [0, 0, 0, 1, 0],
      },
    )
    assert.equal(inner.done?.what, 'impossible')
  })

  test('the text of every design in the library passes through the editor unchanged', () => {
    for (const design of designs)
      for (const path of listDesignPaths(design)) {
        const node = findDesignNode(design, path)!
        if ('type' in node && node.type === 'text') assert.deepEqual(fromEditorTree(toEditorTree(node.text)), node.text)
      }
  })

  test('inserted rows follow the selected row and are undone in one step', () => {
    const [first, ...rest] = newsletter.rows
    const before = reduceDesignState(createDesignState(newsletter), { do: 'choose', path: [0, 0, 0] })
    const rows = designs[1]!.rows.slice(0, 2)
    const after = reduceDesignState(before, { do: 'rows', rows })
    assert.deepEqual(after.history.present.rows, [first, ...rows, ...rest])
    assert.deepEqual(after.chosen, [1])
    assert.equal(reduceDesignState(after, { do: 'undo' }).history.present, newsletter)
  })
})
