import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands'
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { lintGutter, lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  type KeyBinding,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { getNonce } from 'get-nonce'
import type { Translator } from '../../text/catalogue.ts'
import type en from './en.ts'
import { joinCodeLines } from './places.ts'
import { codeTheme } from './theme.ts'

/** Tab leaves the editor until Ctrl or ⌘ M has it indent; Esc ends that. */
function createTabKeys(): KeyBinding[] {
  let isIndenting = false
  return [
    { key: 'Tab', run: (view) => isIndenting && indentMore(view), shift: (view) => isIndenting && indentLess(view) },
    {
      key: 'Mod-m',
      run: () => {
        isIndenting = !isIndenting
        return true
      },
    },
    {
      key: 'Escape',
      run: () => {
        const wasIndenting = isIndenting
        isIndenting = false
        return wasIndenting
      },
    },
  ]
}

/** The words of the search panel and of the list of faults, by the English ones of the library. */
const createPhrases = (t: Translator<typeof en>): Extension =>
  EditorState.phrases.of({
    Find: t('find'),
    Replace: t('replace'),
    next: t('next'),
    previous: t('previous'),
    all: t('all'),
    'match case': t('caseMatters'),
    'by word': t('byWord'),
    regexp: t('regexp'),
    replace: t('replaceOne'),
    'replace all': t('replaceAll'),
    close: t('close'),
    Diagnostics: t('faults'),
  })

/** Several lines: numbers, faults in the gutter, folding, search. */
const createMultilineSetup = (): Extension => [
  lineNumbers(),
  lintGutter(),
  codeFolding(),
  foldGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  search({ top: true }),
  indentOnInput(),
  keymap.of([...createTabKeys(), ...searchKeymap, ...foldKeymap]),
]

/** One line: what is pasted is joined, and Enter sends the form it stands in. */
const createSingleLineSetup = (): Extension => [
  EditorView.clipboardInputFilter.of(joinCodeLines),
  EditorState.transactionFilter.of((change) => (change.newDoc.lines > 1 ? [] : change)),
  keymap.of([
    {
      key: 'Enter',
      run: ({ dom }) => {
        dom.closest('form')?.requestSubmit()
        return true
      },
    },
  ]),
]

/** Keys of the library that do something else here. */
const REASSIGNED_KEYS = new Set(['Ctrl-m', 'Mod-Enter'])

/** Extensions common to all editors. */
export const codeEditorSetup = (t: Translator<typeof en>, singleLine: boolean): Extension => [
  EditorView.cspNonce.of(getNonce() ?? ''),
  codeTheme,
  createPhrases(t),
  history(),
  drawSelection(),
  bracketMatching(),
  closeBrackets(),
  autocompletion({ icons: false, aboveCursor: false }),
  EditorView.lineWrapping,
  EditorState.tabSize.of(2),
  keymap.of([...closeBracketsKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
  singleLine ? createSingleLineSetup() : createMultilineSetup(),
  keymap.of(defaultKeymap.filter(({ key }) => key !== undefined && !REASSIGNED_KEYS.has(key))),
]
