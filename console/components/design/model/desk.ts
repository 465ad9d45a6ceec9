import { createDesignHistory, type DesignHistory, recordDesignStep, redoDesignStep, undoDesignStep } from './history.ts'
import {
  cloneDesignNode,
  type DesignNode,
  type DesignPath,
  findDesignNode,
  findDesignStepPath,
  findInsertionPath,
  insertDesignBlock,
  insertDesignNode,
  listDesignPaths,
  moveDesignNode,
  removeDesignNode,
  replaceDesignNode,
} from './model.ts'
import { setDesignSetting } from './settings.ts'
import type { ApiBlockKind, ApiDesign, ApiDesignBlock, ApiDesignRow } from './shapes.ts'

/** What was done, as it is announced. */
export type DesignAnnouncement =
  | 'inserted'
  | 'moved'
  | 'removed'
  | 'duplicated'
  | 'pasted'
  | 'undone'
  | 'redone'
  | 'impossible'

export interface DesignEditorState {
  history: DesignHistory
  chosen: DesignPath | null
  /** The text of the chosen block is written in. */
  isEditing: boolean
  done: { what: DesignAnnouncement; kind: ApiBlockKind | 'row'; count: number } | null
}

export type DesignEditorAction =
  | { do: 'reset'; design: ApiDesign }
  | { do: 'choose'; path: DesignPath | null; isEditing?: boolean }
  | { do: 'walk'; step: 1 | -1 }
  | { do: 'change'; path: DesignPath; node: DesignNode; member: string; at: number }
  /** A setting of what stands at a path; of the design as a whole, at the empty one. */
  | { do: 'set'; path: DesignPath; member: string; value: unknown; at: number }
  | { do: 'insert'; block: ApiDesignBlock; path?: DesignPath }
  | { do: 'paste'; node: DesignNode }
  | { do: 'rows'; rows: readonly ApiDesignRow[] }
  | { do: 'move'; from: DesignPath; to: DesignPath }
  | { do: 'step'; step: 1 | -1 }
  | { do: 'remove' | 'duplicate' | 'undo' | 'redo' }

export const createDesignState = (design: ApiDesign): DesignEditorState => ({
  history: createDesignHistory(design),
  chosen: null,
  isEditing: false,
  done: null,
})

export const findDesignNodeKind = (node: DesignNode | undefined): ApiBlockKind | 'row' =>
  node && 'type' in node ? node.type : 'row'

/** A step of the history that leaves something chosen and says what it was. */
function did(
  desk: DesignEditorState,
  what: DesignAnnouncement,
  design: ApiDesign,
  chosen: DesignPath | null,
): DesignEditorState {
  const before = desk.history.present
  if (design === before) return { ...desk, done: said(desk, 'impossible', undefined) }
  const node = (chosen && findDesignNode(design, chosen)) ?? (desk.chosen && findDesignNode(before, desk.chosen))
  return {
    history: recordDesignStep(desk.history, design, null, 0),
    chosen,
    isEditing: false,
    done: said(desk, what, node ?? undefined),
  }
}

const said = (
  { done }: DesignEditorState,
  what: DesignAnnouncement,
  node: DesignNode | undefined,
): DesignEditorState['done'] => ({
  what,
  kind: findDesignNodeKind(node),
  count: (done?.count ?? 0) + 1,
})

/** What is chosen after what stood at a path is gone: what came into its place, or stands before it. */
function neighbour(design: ApiDesign, path: DesignPath): DesignPath | null {
  const before = [...path.slice(0, -1), path.at(-1)! - 1]
  const around = path.slice(0, -2)
  return [path, before, around].find((one) => one.length > 0 && findDesignNode(design, one)) ?? null
}

function walk({ history, chosen }: DesignEditorState, step: 1 | -1): DesignPath | null {
  const paths = listDesignPaths(history.present)
  const index = paths.findIndex((path) => String(path) === String(chosen))
  const next = index === -1 ? (step === 1 ? 0 : paths.length - 1) : index + step
  return paths[next] ?? chosen
}

function travelled(desk: DesignEditorState, history: DesignHistory, what: 'undone' | 'redone'): DesignEditorState {
  if (history === desk.history) return { ...desk, done: said(desk, 'impossible', undefined) }
  const chosen = desk.chosen && findDesignNode(history.present, desk.chosen) ? desk.chosen : null
  return { ...desk, history, chosen, isEditing: desk.isEditing && chosen !== null, done: said(desk, what, undefined) }
}

function moved(desk: DesignEditorState, from: DesignPath, to: DesignPath | undefined): DesignEditorState {
  const next = to && moveDesignNode(desk.history.present, from, to)
  return next ? did(desk, 'moved', next.design, next.path) : { ...desk, done: said(desk, 'impossible', undefined) }
}

/** Acts on what is chosen. */
function chosenAct(desk: DesignEditorState, chosen: DesignPath, act: DesignEditorAction): DesignEditorState {
  const { present } = desk.history
  const node = findDesignNode(present, chosen)
  if (!node) return desk
  const behind = [...chosen.slice(0, -1), chosen.at(-1)! + 1]
  if (act.do === 'step') return moved(desk, chosen, findDesignStepPath(present, chosen, act.step))
  if (act.do === 'duplicate')
    return did(desk, 'duplicated', insertDesignNode(present, behind, cloneDesignNode(node)), behind)
  const next = removeDesignNode(present, chosen)
  return did(desk, 'removed', next, neighbour(next, chosen))
}

function pasted(desk: DesignEditorState, node: DesignNode): DesignEditorState {
  const { present } = desk.history
  if ('type' in node) return inserted(desk, 'pasted', cloneDesignNode(node), findInsertionPath(present, desk.chosen))
  const path = [desk.chosen ? desk.chosen[0]! + 1 : present.rows.length]
  return did(desk, 'pasted', insertDesignNode(present, path, cloneDesignNode(node)), path)
}

/** Rows after the chosen one, or at the end, as one step. */
function insertedRows(desk: DesignEditorState, rows: readonly ApiDesignRow[]): DesignEditorState {
  const { present } = desk.history
  const first = desk.chosen ? desk.chosen[0]! + 1 : present.rows.length
  const design = rows.reduce(
    (before, row, index) => insertDesignNode(before, [first + index], cloneDesignNode(row)),
    present,
  )
  return did(desk, 'inserted', design, [first])
}

function inserted(
  desk: DesignEditorState,
  what: DesignAnnouncement,
  block: ApiDesignBlock,
  path: DesignPath,
): DesignEditorState {
  const next = insertDesignBlock(desk.history.present, path, block)
  return did(desk, what, next?.design ?? desk.history.present, next?.path ?? desk.chosen)
}

const withSet = (design: ApiDesign, { path, member, value }: Extract<DesignEditorAction, { do: 'set' }>): ApiDesign =>
  path.length === 0
    ? setDesignSetting(design, member, value)
    : replaceDesignNode(design, path, (node) => setDesignSetting(node, member, value))

/** The editor after an act. */
export function reduceDesignState(desk: DesignEditorState, act: DesignEditorAction): DesignEditorState {
  const { history, chosen } = desk
  switch (act.do) {
    case 'reset':
      return createDesignState(act.design)
    case 'choose':
      return { ...desk, chosen: act.path, isEditing: act.isEditing ?? false }
    case 'walk':
      return { ...desk, chosen: walk(desk, act.step), isEditing: false }
    case 'change': {
      const design = replaceDesignNode(history.present, act.path, () => act.node)
      return { ...desk, history: recordDesignStep(history, design, `${act.path} ${act.member}`, act.at) }
    }
    case 'set':
      return {
        ...desk,
        history: recordDesignStep(history, withSet(history.present, act), `${act.path} ${act.member}`, act.at),
      }
    case 'insert':
      return inserted(desk, 'inserted', act.block, act.path ?? findInsertionPath(history.present, chosen))
    case 'paste':
      return pasted(desk, act.node)
    case 'rows':
      return insertedRows(desk, act.rows)
    case 'move':
      return moved(desk, act.from, act.to)
    case 'undo':
      return travelled(desk, undoDesignStep(history), 'undone')
    case 'redo':
      return travelled(desk, redoDesignStep(history), 'redone')
    default:
      return chosen ? chosenAct(desk, chosen, act) : desk
  }
}
