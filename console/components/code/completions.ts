import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  ifNotIn,
} from '@codemirror/autocomplete'

/** A word that is offered: its name, its signature behind it, a sentence beside it. */
export interface CodeCompletion {
  label: string
  detail?: string
  info?: string
  type?: 'function' | 'variable' | 'property' | 'keyword'
}

/** What is offered while writing, beside what the language has. */
export interface CodeCompletions {
  /** Of Liquid: its variables, and what is below a path, such as `['contact']`. */
  variables?: readonly CodeCompletion[]
  properties?(path: readonly string[]): readonly CodeCompletion[]
  /** Of scripts: names, with what is before their dot, such as `targets.get`. */
  words?: readonly CodeCompletion[]
}

/** Where no name is begun: in texts, comments and their like. */
const NOT_CODE = ['String', 'TemplateString', 'LineComment', 'BlockComment', 'RegExp', 'PropertyDefinition']

function named(context: CompletionContext, words: readonly Completion[]): CompletionResult | null {
  const begun = context.matchBefore(/[\w$.]+/)
  if (!begun && !context.explicit) return null
  return { from: begun?.from ?? context.pos, options: words, validFor: /^[\w$.]*$/ }
}

/** Offers names of scripts. `words` is read at each use, as it comes from the service. */
export const scriptCompletionSource = (words: () => readonly CodeCompletion[]): CompletionSource =>
  ifNotIn(NOT_CODE, (context) => named(context, words()))
