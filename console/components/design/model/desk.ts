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

/** The last action, as announced to screen readers. */
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
function recordStep(
  desk: DesignEditorState,
  announcement: DesignAnnouncement,
  design: ApiDesign,
  chosenPath: DesignPath | null,
): DesignEditorState {
  const previousDesign = desk.history.present
  if (design === previousDesign) return { ...desk, done: buildAnnouncement(desk, 'impossible', undefined) }
  const node =
    (chosenPath && findDesignNode(design, chosenPath)) ?? (desk.chosen && findDesignNode(previousDesign, desk.chosen))
  return {
    history: recordDesignStep(desk.history, design, null, 0),
    chosen: chosenPath,
    isEditing: false,
    done: buildAnnouncement(desk, announcement, node ?? undefined),
  }
}

const buildAnnouncement = (
  { done }: DesignEditorState,
  announcement: DesignAnnouncement,
  node: DesignNode | undefined,
): DesignEditorState['done'] => ({
  what: announcement,
  kind: findDesignNodeKind(node),
  count: (done?.count ?? 0) + 1,
})

/** Returns the path to choose after a node is removed: the node that took its position, or the one before it. */
function findNeighbour(design: ApiDesign, path: DesignPath): DesignPath | null {
  const precedingPath = [...path.slice(0, -1), path.at(-1)! - 1]
  const parentPath = path.slice(0, -2)
  return (
    [path, precedingPath, parentPath].find(
      (candidatePath) => candidatePath.length > 0 && findDesignNode(design, candidatePath),
    ) ?? null
  )
}

function findAdjacentPath({ history, chosen: chosenPath }: DesignEditorState, step: 1 | -1): DesignPath | null {
  const paths = listDesignPaths(history.present)
  const index = paths.findIndex((path) => String(path) === String(chosenPath))
  const nextIndex = index === -1 ? (step === 1 ? 0 : paths.length - 1) : index + step
  return paths[nextIndex] ?? chosenPath
}

function moveInHistory(
  desk: DesignEditorState,
  history: DesignHistory,
  announcement: 'undone' | 'redone',
): DesignEditorState {
  if (history === desk.history) return { ...desk, done: buildAnnouncement(desk, 'impossible', undefined) }
  const remainingChoice = desk.chosen && findDesignNode(history.present, desk.chosen) ? desk.chosen : null
  return {
    ...desk,
    history,
    chosen: remainingChoice,
    isEditing: desk.isEditing && remainingChoice !== null,
    done: buildAnnouncement(desk, announcement, undefined),
  }
}

function moveNode(desk: DesignEditorState, from: DesignPath, to: DesignPath | undefined): DesignEditorState {
  const movedDesign = to && moveDesignNode(desk.history.present, from, to)
  return movedDesign
    ? recordStep(desk, 'moved', movedDesign.design, movedDesign.path)
    : { ...desk, done: buildAnnouncement(desk, 'impossible', undefined) }
}

/** Acts on what is chosen. */
function applyToChosen(desk: DesignEditorState, chosenPath: DesignPath, act: DesignEditorAction): DesignEditorState {
  const { present } = desk.history
  const node = findDesignNode(present, chosenPath)
  if (!node) return desk
  const followingPath = [...chosenPath.slice(0, -1), chosenPath.at(-1)! + 1]
  if (act.do === 'step') return moveNode(desk, chosenPath, findDesignStepPath(present, chosenPath, act.step))
  if (act.do === 'duplicate')
    return recordStep(
      desk,
      'duplicated',
      insertDesignNode(present, followingPath, cloneDesignNode(node)),
      followingPath,
    )
  const remainingDesign = removeDesignNode(present, chosenPath)
  return recordStep(desk, 'removed', remainingDesign, findNeighbour(remainingDesign, chosenPath))
}

function pasteNode(desk: DesignEditorState, node: DesignNode): DesignEditorState {
  const { present } = desk.history
  if ('type' in node) return insertBlock(desk, 'pasted', cloneDesignNode(node), findInsertionPath(present, desk.chosen))
  const path = [desk.chosen ? desk.chosen[0]! + 1 : present.rows.length]
  return recordStep(desk, 'pasted', insertDesignNode(present, path, cloneDesignNode(node)), path)
}

/** Rows after the chosen one, or at the end, as one step. */
function insertRows(desk: DesignEditorState, rows: readonly ApiDesignRow[]): DesignEditorState {
  const { present } = desk.history
  const firstRowIndex = desk.chosen ? desk.chosen[0]! + 1 : present.rows.length
  const designWithRows = rows.reduce(
    (before, row, index) => insertDesignNode(before, [firstRowIndex + index], cloneDesignNode(row)),
    present,
  )
  return recordStep(desk, 'inserted', designWithRows, [firstRowIndex])
}

function insertBlock(
  desk: DesignEditorState,
  announcement: DesignAnnouncement,
  block: ApiDesignBlock,
  path: DesignPath,
): DesignEditorState {
  const insertedBlock = insertDesignBlock(desk.history.present, path, block)
  return recordStep(
    desk,
    announcement,
    insertedBlock?.design ?? desk.history.present,
    insertedBlock?.path ?? desk.chosen,
  )
}

const applySetting = (
  design: ApiDesign,
  { path, member, value }: Extract<DesignEditorAction, { do: 'set' }>,
): ApiDesign =>
  path.length === 0
    ? setDesignSetting(design, member, value)
    : replaceDesignNode(design, path, (node) => setDesignSetting(node, member, value))

/** The editor after an act. */
export function reduceDesignState(desk: DesignEditorState, act: DesignEditorAction): DesignEditorState {
  const { history, chosen: chosenPath } = desk
  switch (act.do) {
    case 'reset':
      return createDesignState(act.design)
    case 'choose':
      return { ...desk, chosen: act.path, isEditing: act.isEditing ?? false }
    case 'walk':
      return { ...desk, chosen: findAdjacentPath(desk, act.step), isEditing: false }
    case 'change': {
      const changedDesign = replaceDesignNode(history.present, act.path, () => act.node)
      return { ...desk, history: recordDesignStep(history, changedDesign, `${act.path} ${act.member}`, act.at) }
    }
    case 'set':
      return {
        ...desk,
        history: recordDesignStep(history, applySetting(history.present, act), `${act.path} ${act.member}`, act.at),
      }
    case 'insert':
      return insertBlock(desk, 'inserted', act.block, act.path ?? findInsertionPath(history.present, chosenPath))
    case 'paste':
      return pasteNode(desk, act.node)
    case 'rows':
      return insertRows(desk, act.rows)
    case 'move':
      return moveNode(desk, act.from, act.to)
    case 'undo':
      return moveInHistory(desk, undoDesignStep(history), 'undone')
    case 'redo':
      return moveInHistory(desk, redoDesignStep(history), 'redone')
    default:
      return chosenPath ? applyToChosen(desk, chosenPath, act) : desk
  }
}
