import { isRefusal } from '../../api/refusal.ts'
import type { Answer } from '../../api/shapes.ts'
import type { Fault } from '../../components/code/CodeEditor.tsx'

/** What is wrong with a script, a template or a pipeline, as the service finds it. */
export type Flaw = Answer<'/scripting/compilables/{id}/flaws', 'get'>[number]

/** The flaws that a refused save names. */
export const flawsOf = (error: unknown): readonly Flaw[] =>
  isRefusal(error, 'script-flawed') && Array.isArray(error.extras['flaws']) ? (error.extras['flaws'] as Flaw[]) : []

/** Flaws of one text, at their places in it. */
export const faultsOf = (flaws: readonly Flaw[], path: string): Fault[] =>
  flaws
    .filter((flaw) => flaw.path === path && flaw.position !== undefined)
    .map(({ message, severity, position }) => ({ message, severity, ...(position ?? { line: 1, column: 1 }) }))
