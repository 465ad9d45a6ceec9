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

/** Reads the completions at each request, so that a change does not recreate the editor. */
type ReadCompletions = () => CodeCompletions

/** The variables of an editor, where one is written; filters, tags and the rest come from `liquid` itself. */
const createVariableSource =
  (readCompletions: ReadCompletions): CompletionSource =>
  (context) => {
    const variables: readonly Completion[] = readCompletions().variables ?? []
    const liquidResult = liquidCompletionSource({ variables })(context)
    const variableOptions = liquidResult?.options.filter((option) => variables.includes(option)) ?? []
    return liquidResult && variableOptions.length > 0 ? { ...liquidResult, options: variableOptions } : null
  }

function createLiquidSupport(readCompletions: ReadCompletions, base: LanguageSupport): Extension {
  const liquidSupport = liquid({
    base,
    filters: customLiquidFilters,
    tags: customLiquidTags,
    properties: (path) => readCompletions().properties?.(path) ?? [],
  })
  return [
    liquidSupport,
    liquidSupport.language.data.of({ autocomplete: createVariableSource(readCompletions) }),
    closePercentBrace,
  ]
}

/** Around the Liquid of what is no HTML. */
const plainTextLanguage = StreamLanguage.define({
  token: (stream) => {
    stream.skipToEnd()
    return null
  },
})

const lintJson = jsonParseLinter()
/** Nothing written yet is no fault. */
const listJsonFaults = (view: EditorView): Diagnostic[] => [
  ...listShownFaults(view.state, true),
  ...(view.state.doc.toString().trim() === '' ? [] : lintJson(view)),
]

const languageExtensions: Record<CodeLanguage, (readCompletions: ReadCompletions) => Extension> = {
  html: (readCompletions) => createLiquidSupport(readCompletions, html({ autoCloseTags: true })),
  liquid: (readCompletions) => createLiquidSupport(readCompletions, new LanguageSupport(plainTextLanguage)),
  css: () => css(),
  json: () => [json(), linter(listJsonFaults)],
  javascript: (readCompletions) => [
    javascript(),
    javascriptLanguage.data.of({ autocomplete: scriptCompletionSource(() => readCompletions().words ?? []) }),
  ],
}

/** Language support of an editor: highlighting, indentation, completion, and parse errors for JSON. */
export const codeLanguageExtension = (language: CodeLanguage, readCompletions: ReadCompletions): Extension =>
  languageExtensions[language](readCompletions)
