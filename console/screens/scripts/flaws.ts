import { isApiRefusal } from '../../api/refusal.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import type { CodeFault } from '../../components/code/editor-props.ts'

/** A flaw of a script, a template or a pipeline, as found by the service. */
export type ApiScriptFlaw = ApiAnswer<'listCompilableFlaws'>[number]

/** The flaws that a refused save names. */
export const listRefusedScriptFlaws = (error: unknown): readonly ApiScriptFlaw[] =>
  isApiRefusal(error, 'script-flawed') && Array.isArray(error.extras['flaws'])
    ? (error.extras['flaws'] as ApiScriptFlaw[])
    : []

/** Flaws of one text, at their places in it. */
export const toScriptTextFaults = (flaws: readonly ApiScriptFlaw[], path: string): CodeFault[] =>
  flaws
    .filter((flaw) => flaw.path === path && flaw.position !== undefined)
    .map(({ message, severity, position }) => ({ message, severity, ...(position ?? { line: 1, column: 1 }) }))
