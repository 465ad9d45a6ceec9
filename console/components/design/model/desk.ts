import { type History, historyOf, record, redo, undo } from './history.ts'
import {
  copyOf,
  insertAt,
  insertBlock,
  moveTo,
  type Node,
  nodeAt,
  type Path,
  pathsOf,
  placeAfter,
  removeAt,
  stepOf,
  withNode,
} from './model.ts'
import { withSetting } from './settings.ts'
import type { Block, BlockKind, Design, Row } from './shapes.ts'

/** What was done, as it is announced. */
export type Done = 'inserted' | 'moved' | 'removed' | 'duplicated' | 'pasted' | 'undone' | 'redone' | 'impossible'

export interface Desk {
  history: History
  chosen: Path | null
  /** The text of the chosen block is written in. */
  isEditing: boolean
  done: { what: Done; kind: BlockKind | 'row'; count: number } | null
}

export type Act =
  | { do: 'reset'; design: Design }
  | { do: 'choose'; path: Path | null; isEditing?: boolean }
  | { do: 'walk'; step: 1 | -1 }
  | { do: 'change'; path: Path; node: Node; member: string; at: number }
  /** A setting of what stands at a path; of the design as a whole, at the empty one. */
  | { do: 'set'; path: Path; member: string; value: unknown; at: number }
  | { do: 'insert'; block: Block; path?: Path }
  | { do: 'paste'; node: Node }
  | { do: 'rows'; rows: readonly Row[] }
  | { do: 'move'; from: Path; to: Path }
  | { do: 'step'; step: 1 | -1 }
  | { do: 'remove' | 'duplicate' | 'undo' | 'redo' }

export const deskOf = (design: Design): Desk => ({
  history: historyOf(design),
  chosen: null,
  isEditing: false,
  done: null,
})

export const kindOf = (node: Node | undefined): BlockKind | 'row' => (node && 'type' in node ? node.type : 'row')

/** A step of the history that leaves something chosen and says what it was. */
function did(desk: Desk, what: Done, design: Design, chosen: Path | null): Desk {
  const before = desk.history.present
  if (design === before) return { ...desk, done: said(desk, 'impossible', undefined) }
  const node = (chosen && nodeAt(design, chosen)) ?? (desk.chosen && nodeAt(before, desk.chosen))
  return {
    history: record(desk.history, design, null, 0),
    chosen,
    isEditing: false,
    done: said(desk, what, node ?? undefined),
  }
}

const said = ({ done }: Desk, what: Done, node: Node | undefined): Desk['done'] => ({
  what,
  kind: kindOf(node),
  count: (done?.count ?? 0) + 1,
})

/** What is chosen after what stood at a path is gone: what came into its place, or stands before it. */
function neighbour(design: Design, path: Path): Path | null {
  const before = [...path.slice(0, -1), path.at(-1)! - 1]
  const around = path.slice(0, -2)
  return [path, before, around].find((one) => one.length > 0 && nodeAt(design, one)) ?? null
}

function walk({ history, chosen }: Desk, step: 1 | -1): Path | null {
  const paths = pathsOf(history.present)
  const index = paths.findIndex((path) => String(path) === String(chosen))
  const next = index === -1 ? (step === 1 ? 0 : paths.length - 1) : index + step
  return paths[next] ?? chosen
}

function travelled(desk: Desk, history: History, what: 'undone' | 'redone'): Desk {
  if (history === desk.history) return { ...desk, done: said(desk, 'impossible', undefined) }
  const chosen = desk.chosen && nodeAt(history.present, desk.chosen) ? desk.chosen : null
  return { ...desk, history, chosen, isEditing: desk.isEditing && chosen !== null, done: said(desk, what, undefined) }
}

function moved(desk: Desk, from: Path, to: Path | undefined): Desk {
  const next = to && moveTo(desk.history.present, from, to)
  return next ? did(desk, 'moved', next.design, next.path) : { ...desk, done: said(desk, 'impossible', undefined) }
}

/** Acts on what is chosen. */
function chosenAct(desk: Desk, chosen: Path, act: Act): Desk {
  const { present } = desk.history
  const node = nodeAt(present, chosen)
  if (!node) return desk
  const behind = [...chosen.slice(0, -1), chosen.at(-1)! + 1]
  if (act.do === 'step') return moved(desk, chosen, stepOf(present, chosen, act.step))
  if (act.do === 'duplicate') return did(desk, 'duplicated', insertAt(present, behind, copyOf(node)), behind)
  const next = removeAt(present, chosen)
  return did(desk, 'removed', next, neighbour(next, chosen))
}

function pasted(desk: Desk, node: Node): Desk {
  const { present } = desk.history
  if ('type' in node) return inserted(desk, 'pasted', copyOf(node), placeAfter(present, desk.chosen))
  const path = [desk.chosen ? desk.chosen[0]! + 1 : present.rows.length]
  return did(desk, 'pasted', insertAt(present, path, copyOf(node)), path)
}

/** Rows after the chosen one, or at the end, as one step. */
function insertedRows(desk: Desk, rows: readonly Row[]): Desk {
  const { present } = desk.history
  const first = desk.chosen ? desk.chosen[0]! + 1 : present.rows.length
  const design = rows.reduce((before, row, index) => insertAt(before, [first + index], copyOf(row)), present)
  return did(desk, 'inserted', design, [first])
}

function inserted(desk: Desk, what: Done, block: Block, path: Path): Desk {
  const next = insertBlock(desk.history.present, path, block)
  return did(desk, what, next?.design ?? desk.history.present, next?.path ?? desk.chosen)
}

const withSet = (design: Design, { path, member, value }: Extract<Act, { do: 'set' }>): Design =>
  path.length === 0
    ? withSetting(design, member, value)
    : withNode(design, path, (node) => withSetting(node, member, value))

/** The editor after an act. */
export function deskAfter(desk: Desk, act: Act): Desk {
  const { history, chosen } = desk
  switch (act.do) {
    case 'reset':
      return deskOf(act.design)
    case 'choose':
      return { ...desk, chosen: act.path, isEditing: act.isEditing ?? false }
    case 'walk':
      return { ...desk, chosen: walk(desk, act.step), isEditing: false }
    case 'change': {
      const design = withNode(history.present, act.path, () => act.node)
      return { ...desk, history: record(history, design, `${act.path} ${act.member}`, act.at) }
    }
    case 'set':
      return { ...desk, history: record(history, withSet(history.present, act), `${act.path} ${act.member}`, act.at) }
    case 'insert':
      return inserted(desk, 'inserted', act.block, act.path ?? placeAfter(history.present, chosen))
    case 'paste':
      return pasted(desk, act.node)
    case 'rows':
      return insertedRows(desk, act.rows)
    case 'move':
      return moved(desk, act.from, act.to)
    case 'undo':
      return travelled(desk, undo(history), 'undone')
    case 'redo':
      return travelled(desk, redo(history), 'redone')
    default:
      return chosen ? chosenAct(desk, chosen, act) : desk
  }
}
