import { type Diagnostic, forEachDiagnostic } from '@codemirror/lint'
import type { EditorState } from '@codemirror/state'

/** Marks faults from outside the editor, as opposed to those found by the language. */
export const EXTERNAL_FAULT_CLASS = 'cm-given'

/** The faults shown now that came from outside, or those that did not, at the places they have moved to. */
export function listShownFaults(state: EditorState, isGiven: boolean): Diagnostic[] {
  const externalDiagnostics: Diagnostic[] = []
  forEachDiagnostic(state, (fault, from, to) => {
    if ((fault.markClass === EXTERNAL_FAULT_CLASS) === isGiven) externalDiagnostics.push({ ...fault, from, to })
  })
  return externalDiagnostics
}
