import { syntaxTree } from '@codemirror/language'
import { type EditorState, StateEffect, StateField } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/** A place in a text: it stays where it is while something else is written, until something is inserted there. */
export interface InsertionPoint {
  /** Writes a text there; the cursor, if it still waits there, is then `cursor` characters within it. */
  insert(text: string, cursor: number): void
}

type InsertionOffsets = ReadonlyMap<InsertionPoint, number>

/** Sets the offset of an insertion point, or removes the point if the offset is null. */
const setOffset = StateEffect.define<{ spot: InsertionPoint; at: number | null }>()

/** Current offsets of the insertion points of an editor. */
export const insertionPoints = StateField.define<InsertionOffsets>({
  create: () => new Map(),
  update: (before, { changes, effects, docChanged }) => {
    const offsetEffects = effects.filter((effect) => effect.is(setOffset))
    if (before.size === 0 && offsetEffects.length === 0) return before
    if (!docChanged && offsetEffects.length === 0) return before
    const mappedOffsets = new Map([...before].map(([spot, at]) => [spot, changes.mapPos(at, 1)]))
    for (const { value } of offsetEffects) {
      if (value.at === null) mappedOffsets.delete(value.spot)
      else mappedOffsets.set(value.spot, value.at)
    }
    return mappedOffsets
  },
})

type SyntaxTreeNode = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>

const INDIVISIBLE_NODES = /Tag$|^Comment$|^DoctypeDecl$|^Interpolation$/

/** Within a tag, a comment or a value nothing can be inserted: behind it. */
function skipIndivisibleNode(state: EditorState, at: number): number {
  for (let node: SyntaxTreeNode | null = syntaxTree(state).resolveInner(at); node; node = node.parent)
    if (INDIVISIBLE_NODES.test(node.name) && node.from < at && at < node.to) return skipIndivisibleNode(state, node.to)
  return at
}

/** Returns the insertion offset used when the cursor has never been placed: the end of the message. */
export function findMessageEnd({ doc }: EditorState): number {
  const bodyEnd = doc.toString().search(/<\/body\s*>(?![\s\S]*<\/body\s*>)/i)
  return bodyEnd < 0 ? doc.length : bodyEnd
}

/** A spot where the cursor goes now. Whoever writes on meanwhile keeps it: what comes late takes it from nobody. */
export function createInsertionPoint(view: EditorView, at: number): InsertionPoint {
  const insertionPoint: InsertionPoint = {
    insert: (text, cursor) => {
      const { state } = view
      const isWaiting = state.doc === doc && state.selection.main.head === at
      const insertionOffset = skipIndivisibleNode(
        state,
        state.field(insertionPoints).get(insertionPoint) ?? state.doc.length,
      )
      view.dispatch({
        changes: { from: insertionOffset, insert: text },
        effects: setOffset.of({ spot: insertionPoint, at: null }),
        userEvent: 'input',
        ...(isWaiting && { selection: { anchor: insertionOffset + cursor }, scrollIntoView: true }),
      })
      if (isWaiting) view.focus()
    },
  }
  const { doc } = view.state
  view.dispatch({ selection: { anchor: at }, effects: setOffset.of({ spot: insertionPoint, at }) })
  return insertionPoint
}
