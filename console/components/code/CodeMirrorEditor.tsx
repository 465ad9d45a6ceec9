import { setDiagnostics } from '@codemirror/lint'
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state'
import { dropCursor, EditorView } from '@codemirror/view'
import { useEffect, useImperativeHandle, useRef } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { hasTransferFiles, listPastedFiles } from '../media/pictures.ts'
import type { CodeEditorProps, CodeFault } from './CodeEditor.tsx'
import type { CodeCompletions } from './completions.ts'
import { EXTERNAL_FAULT_CLASS, listShownFaults } from './faults.ts'
import { type CodeLanguage, codeLanguageExtension } from './languages.ts'
import { joinCodeLines, toDocumentRange } from './places.ts'
import { codeEditorSetup } from './setup.ts'
import { createInsertionPoint, findMessageEnd, insertionPoints } from './spots.ts'
import { createChangeNotifier } from './telling.ts'
import { codeTexts } from './texts.ts'

type Props = CodeEditorProps & { describedBy: string }

/** A change that came with the value, not by hand. */
const given = Annotation.define<true>()

const NO_FAULTS: readonly CodeFault[] = []

/** What of an editor may change while it lives. */
interface Parts {
  language: Compartment
  attributes: Compartment
}

interface Held {
  onChange(value: string): void
  onFiles: CodeEditorProps['onFiles']
  completions: CodeCompletions
}

/** Gives the files that are dropped or pasted; whether somebody takes them. */
function give(
  { current: { onFiles } }: { current: Held },
  view: EditorView,
  files: readonly File[],
  at: number,
): boolean {
  if (!onFiles || files.length === 0) return false
  onFiles(files, () => createInsertionPoint(view, at))
  return true
}

const files = (held: { current: Held }): Extension => [
  insertionPoints,
  dropCursor(),
  EditorView.domEventHandlers({
    dragover: ({ dataTransfer }) => held.current.onFiles !== undefined && hasTransferFiles(dataTransfer),
    drop: ({ dataTransfer, clientX, clientY }, view) =>
      give(held, view, [...(dataTransfer?.files ?? [])], view.posAtCoords({ x: clientX, y: clientY }, false)),
    paste: ({ clipboardData }, view) =>
      give(held, view, listPastedFiles(clipboardData), view.state.selection.main.head),
  }),
]

const isWrong = ({ error, faults = NO_FAULTS }: Props): boolean =>
  error !== undefined || faults.some(({ severity = 'error' }) => severity === 'error')

const attributesOf = (props: Props): Extension => [
  EditorState.readOnly.of(props.readOnly ?? false),
  EditorView.contentAttributes.of({
    'aria-label': props.label,
    'aria-describedby': props.describedBy,
    'aria-multiline': String(!props.singleLine),
    ...(props.readOnly && { 'aria-readonly': 'true' }),
    ...(isWrong(props) && { 'aria-invalid': 'true' }),
  }),
]

const languageIn = (parts: Parts, language: CodeLanguage, held: { current: Held }): Extension =>
  parts.language.of(codeLanguageExtension(language, () => held.current.completions))

/** Writes a value that came from outside as one change, so that it can be undone like any other. */
function take(view: EditorView, value: string): void {
  const { doc } = view.state
  if (doc.toString() === value) return
  view.dispatch({ changes: { from: 0, to: doc.length, insert: value }, annotations: given.of(true) })
}

function showFaults(view: EditorView, faults: readonly CodeFault[]): void {
  const { state } = view
  const shown = faults.map(({ message, severity = 'error', ...place }) => ({
    ...toDocumentRange(state.doc, place),
    ...{ message, severity, markClass: EXTERNAL_FAULT_CLASS },
  }))
  view.dispatch(setDiagnostics(state, [...listShownFaults(state, false), ...shown]))
}

/** The editor itself: made once, changed in place from then on. */
export default function CodeMirrorEditor(props: Props) {
  const { value, language, faults = NO_FAULTS, singleLine = false, completions = {} } = props
  const { label, readOnly, describedBy } = props
  const isFaulty = isWrong(props)
  const t = useTranslator(codeTexts)
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const { onChange, onFiles } = props
  const held = useRef<Held>({ onChange, onFiles, completions })
  const wasFocused = useRef(false)
  const parts = useRef<Parts>({ language: new Compartment(), attributes: new Compartment() })
  const telling = useRef<ReturnType<typeof createChangeNotifier>>(null)
  const text = singleLine ? joinCodeLines(value) : value
  held.current = { onChange, onFiles, completions }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes later is changed in the editor that is there.
  useEffect(() => {
    if (!box.current) return
    const told = createChangeNotifier((document) => held.current.onChange(document.toString()), singleLine)
    const made = new EditorView({
      parent: box.current,
      doc: text,
      extensions: [
        codeEditorSetup(t, singleLine),
        languageIn(parts.current, language, held),
        parts.current.attributes.of(attributesOf(props)),
        files(held),
        EditorView.updateListener.of(({ docChanged, state, transactions, view: { hasFocus } }) => {
          wasFocused.current ||= hasFocus
          if (docChanged && !transactions.some((change) => change.annotation(given))) told.later(state.doc)
        }),
      ],
    })
    view.current = made
    telling.current = told
    return () => {
      told.end()
      made.destroy()
    }
  }, [singleLine, t])
  useEffect(() => {
    const { language: part } = parts.current
    view.current?.dispatch({
      effects: part.reconfigure(codeLanguageExtension(language, () => held.current.completions)),
    })
  }, [language])
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the properties only these.
  useEffect(() => {
    view.current?.dispatch({ effects: parts.current.attributes.reconfigure(attributesOf(props)) })
  }, [label, readOnly, singleLine, describedBy, isFaulty])
  useEffect(() => {
    // What was typed since is told, and counts.
    if (view.current && !telling.current?.isDue()) take(view.current, text)
  }, [text])
  useEffect(() => {
    if (view.current) showFaults(view.current, faults)
  }, [faults])
  useImperativeHandle(props.hold, () => ({
    cursor: () => {
      const { state } = view.current!
      return createInsertionPoint(view.current!, wasFocused.current ? state.selection.main.head : findMessageEnd(state))
    },
  }))
  return <div ref={box} />
}
