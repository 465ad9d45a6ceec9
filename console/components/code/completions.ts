import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  ifNotIn,
} from '@codemirror/autocomplete'

/** A suggested word: its name, the signature shown after it, and a sentence shown next to it. */
export interface CodeCompletion {
  label: string
  detail?: string
  info?: string
  type?: 'function' | 'variable' | 'property' | 'keyword'
}

/** Suggestions offered while typing, in addition to those of the language. */
export interface CodeCompletions {
  /** Variables for Liquid, and the members below a path such as `['contact']`. */
  variables?: readonly CodeCompletion[]
  properties?(path: readonly string[]): readonly CodeCompletion[]
  /** Names for scripts, including the part before the dot, such as `targets.get`. */
  words?: readonly CodeCompletion[]
}

/** Syntax nodes in which no name can begin: strings, comments and similar. */
const NON_CODE_NODES = ['String', 'TemplateString', 'LineComment', 'BlockComment', 'RegExp', 'PropertyDefinition']

function completeNames(context: CompletionContext, words: readonly Completion[]): CompletionResult | null {
  const typedPrefix = context.matchBefore(/[\w$.]+/)
  if (!typedPrefix && !context.explicit) return null
  return { from: typedPrefix?.from ?? context.pos, options: words, validFor: /^[\w$.]*$/ }
}

/** Offers names of scripts. `words` is read at each use, as it comes from the service. */
export const scriptCompletionSource = (words: () => readonly CodeCompletion[]): CompletionSource =>
  ifNotIn(NON_CODE_NODES, (context) => completeNames(context, words()))
