import { type Diagnostic, forEachDiagnostic } from '@codemirror/lint'
import type { EditorState } from '@codemirror/state'

/** Marks faults that came from outside, beside those that the language finds by itself. */
export const EXTERNAL_FAULT_CLASS = 'cm-given'

/** The faults shown now that came from outside, or those that did not, at the places they have moved to. */
export function listShownFaults(state: EditorState, isGiven: boolean): Diagnostic[] {
  const found: Diagnostic[] = []
  forEachDiagnostic(state, (fault, from, to) => {
    if ((fault.markClass === EXTERNAL_FAULT_CLASS) === isGiven) found.push({ ...fault, from, to })
  })
  return found
}
