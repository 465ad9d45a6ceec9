import { syntaxTree } from '@codemirror/language'
import { type EditorState, StateEffect, StateField } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/** A place in a text: it stays where it is while something else is written, until something is inserted there. */
export interface InsertionPoint {
  /** Writes a text there; the cursor, if it still waits there, is then `cursor` characters within it. */
  insert(text: string, cursor: number): void
}

type Places = ReadonlyMap<InsertionPoint, number>

/** A spot gets a place, or null: it has none any more. */
const place = StateEffect.define<{ spot: InsertionPoint; at: number | null }>()

/** Where the spots of an editor are. */
export const insertionPoints = StateField.define<Places>({
  create: () => new Map(),
  update: (before, { changes, effects, docChanged }) => {
    const placed = effects.filter((effect) => effect.is(place))
    if (before.size === 0 && placed.length === 0) return before
    if (!docChanged && placed.length === 0) return before
    const after = new Map([...before].map(([spot, at]) => [spot, changes.mapPos(at, 1)]))
    for (const { value } of placed) {
      if (value.at === null) after.delete(value.spot)
      else after.set(value.spot, value.at)
    }
    return after
  },
})

type Node = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>

const WHOLE = /Tag$|^Comment$|^DoctypeDecl$|^Interpolation$/

/** Within a tag, a comment or a value nothing can be inserted: behind it. */
function behindTag(state: EditorState, at: number): number {
  for (let node: Node | null = syntaxTree(state).resolveInner(at); node; node = node.parent)
    if (WHOLE.test(node.name) && node.from < at && at < node.to) return behindTag(state, node.to)
  return at
}

/** Where something goes when nobody has put the cursor anywhere: the end of the message. */
export function findMessageEnd({ doc }: EditorState): number {
  const at = doc.toString().search(/<\/body\s*>(?![\s\S]*<\/body\s*>)/i)
  return at < 0 ? doc.length : at
}

/** A spot where the cursor goes now. Whoever writes on meanwhile keeps it: what comes late takes it from nobody. */
export function createInsertionPoint(view: EditorView, at: number): InsertionPoint {
  const spot: InsertionPoint = {
    insert: (text, cursor) => {
      const { state } = view
      const isWaiting = state.doc === doc && state.selection.main.head === at
      const from = behindTag(state, state.field(insertionPoints).get(spot) ?? state.doc.length)
      view.dispatch({
        changes: { from, insert: text },
        effects: place.of({ spot, at: null }),
        userEvent: 'input',
        ...(isWaiting && { selection: { anchor: from + cursor }, scrollIntoView: true }),
      })
      if (isWaiting) view.focus()
    },
  }
  const { doc } = view.state
  view.dispatch({ selection: { anchor: at }, effects: place.of({ spot, at }) })
  return spot
}
