import type { Completion, CompletionSource } from '@codemirror/autocomplete'
import { css } from '@codemirror/lang-css'
import { html } from '@codemirror/lang-html'
import { javascript, javascriptLanguage } from '@codemirror/lang-javascript'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { closePercentBrace, liquid, liquidCompletionSource } from '@codemirror/lang-liquid'
import { LanguageSupport, StreamLanguage } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { type CodeCompletions, scriptCompletionSource } from './completions.ts'
import { listShownFaults } from './faults.ts'
import { customLiquidFilters, customLiquidTags } from './liquid-words.ts'

/** `html` has Liquid inside, as contents of messages have; `liquid` is Liquid in plain text. */
export type CodeLanguage = 'html' | 'css' | 'javascript' | 'json' | 'liquid'

/** What is read at each completion, so that the editor is not made anew when it changes. */
type Read = () => CodeCompletions

/** The variables of an editor, where one is written; filters, tags and the rest come from `liquid` itself. */
const variablesOf =
  (read: Read): CompletionSource =>
  (context) => {
    const variables: readonly Completion[] = read().variables ?? []
    const found = liquidCompletionSource({ variables })(context)
    const options = found?.options.filter((option) => variables.includes(option)) ?? []
    return found && options.length > 0 ? { ...found, options } : null
  }

function withLiquid(read: Read, base: LanguageSupport): Extension {
  const support = liquid({
    base,
    filters: customLiquidFilters,
    tags: customLiquidTags,
    properties: (path) => read().properties?.(path) ?? [],
  })
  return [support, support.language.data.of({ autocomplete: variablesOf(read) }), closePercentBrace]
}

/** Around the Liquid of what is no HTML. */
const plain = StreamLanguage.define({
  token: (stream) => {
    stream.skipToEnd()
    return null
  },
})

const parsed = jsonParseLinter()
/** Nothing written yet is no fault. */
const jsonFaults = (view: EditorView): Diagnostic[] => [
  ...listShownFaults(view.state, true),
  ...(view.state.doc.toString().trim() === '' ? [] : parsed(view)),
]

const languages: Record<CodeLanguage, (read: Read) => Extension> = {
  html: (read) => withLiquid(read, html({ autoCloseTags: true })),
  liquid: (read) => withLiquid(read, new LanguageSupport(plain)),
  css: () => css(),
  json: () => [json(), linter(jsonFaults)],
  javascript: (read) => [
    javascript(),
    javascriptLanguage.data.of({ autocomplete: scriptCompletionSource(() => read().words ?? []) }),
  ],
}

/** What an editor knows of its language: colours, indenting, completion, and of JSON what does not parse. */
export const codeLanguageExtension = (language: CodeLanguage, read: Read): Extension => languages[language](read)
