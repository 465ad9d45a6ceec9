import { setDiagnostics } from '@codemirror/lint'
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state'
import { dropCursor, EditorView } from '@codemirror/view'
import { useEffect, useImperativeHandle, useRef } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { hasTransferFiles, listPastedFiles } from '../media/pictures.ts'
import type { CodeCompletions } from './completions.ts'
import type { CodeEditorProps, CodeFault } from './editor-props.ts'
import { EXTERNAL_FAULT_CLASS, listShownFaults } from './faults.ts'
import { type CodeLanguage, codeLanguageExtension } from './languages.ts'
import { joinCodeLines, toDocumentRange } from './places.ts'
import { codeEditorSetup } from './setup.ts'
import { createInsertionPoint, findMessageEnd, insertionPoints } from './spots.ts'
import { createChangeNotifier } from './telling.ts'
import { codeTexts } from './texts.ts'

type Props = CodeEditorProps & { describedBy: string }

/** A change that came with the value, not by hand. */
const externalChange = Annotation.define<true>()

const NO_FAULTS: readonly CodeFault[] = []

/** Parts of an editor that can be reconfigured during its lifetime. */
interface EditorCompartments {
  language: Compartment
  attributes: Compartment
}

interface EditorCallbacks {
  onChange(value: string): void
  onFiles: CodeEditorProps['onFiles']
  completions: CodeCompletions
}

/** Gives the files that are dropped or pasted; whether somebody takes them. */
function handleFiles(
  { current: { onFiles } }: { current: EditorCallbacks },
  view: EditorView,
  files: readonly File[],
  at: number,
): boolean {
  if (!onFiles || files.length === 0) return false
  onFiles(files, () => createInsertionPoint(view, at))
  return true
}

const files = (callbacksRef: { current: EditorCallbacks }): Extension => [
  insertionPoints,
  dropCursor(),
  EditorView.domEventHandlers({
    dragover: ({ dataTransfer }) => callbacksRef.current.onFiles !== undefined && hasTransferFiles(dataTransfer),
    drop: ({ dataTransfer, clientX, clientY }, view) =>
      handleFiles(
        callbacksRef,
        view,
        [...(dataTransfer?.files ?? [])],
        view.posAtCoords({ x: clientX, y: clientY }, false),
      ),
    paste: ({ clipboardData }, view) =>
      handleFiles(callbacksRef, view, listPastedFiles(clipboardData), view.state.selection.main.head),
  }),
]

const hasErrors = ({ error, faults = NO_FAULTS }: Props): boolean =>
  error !== undefined || faults.some(({ severity = 'error' }) => severity === 'error')

const createAttributeExtensions = (props: Props): Extension => [
  EditorState.readOnly.of(props.readOnly ?? false),
  EditorView.contentAttributes.of({
    'aria-label': props.label,
    'aria-describedby': props.describedBy,
    'aria-multiline': String(!props.singleLine),
    ...(props.readOnly && { 'aria-readonly': 'true' }),
    ...(hasErrors(props) && { 'aria-invalid': 'true' }),
  }),
]

const createLanguageExtension = (
  parts: EditorCompartments,
  language: CodeLanguage,
  callbacksRef: { current: EditorCallbacks },
): Extension => parts.language.of(codeLanguageExtension(language, () => callbacksRef.current.completions))

/** Writes a value that came from outside as one change, so that it can be undone like any other. */
function applyExternalValue(view: EditorView, value: string): void {
  const { doc } = view.state
  if (doc.toString() === value) return
  view.dispatch({ changes: { from: 0, to: doc.length, insert: value }, annotations: externalChange.of(true) })
}

function showFaults(view: EditorView, faults: readonly CodeFault[]): void {
  const { state } = view
  const diagnostics = faults.map(({ message, severity = 'error', ...place }) => ({
    ...toDocumentRange(state.doc, place),
    message,
    severity,
    markClass: EXTERNAL_FAULT_CLASS,
  }))
  view.dispatch(setDiagnostics(state, [...listShownFaults(state, false), ...diagnostics]))
}

/** The editor itself: made once, changed in place from then on. */
export default function CodeMirrorEditor(props: Props) {
  const { value, language, faults = NO_FAULTS, singleLine = false, completions = {} } = props
  const { label, readOnly, describedBy } = props
  const isInvalid = hasErrors(props)
  const t = useTranslator(codeTexts)
  const containerRef = useRef<HTMLDivElement>(null)
  const viewRef = useRef<EditorView>(null)
  const { onChange, onFiles } = props
  const callbacksRef = useRef<EditorCallbacks>({ onChange, onFiles, completions })
  const wasFocused = useRef(false)
  const parts = useRef<EditorCompartments>({ language: new Compartment(), attributes: new Compartment() })
  const notifierRef = useRef<ReturnType<typeof createChangeNotifier>>(null)
  const text = singleLine ? joinCodeLines(value) : value
  callbacksRef.current = { onChange, onFiles, completions }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes later is changed in the editor that is there.
  useEffect(() => {
    if (!containerRef.current) return
    const changeNotifier = createChangeNotifier(
      (document) => callbacksRef.current.onChange(document.toString()),
      singleLine,
    )
    const editorView = new EditorView({
      parent: containerRef.current,
      doc: text,
      extensions: [
        codeEditorSetup(t, singleLine),
        createLanguageExtension(parts.current, language, callbacksRef),
        parts.current.attributes.of(createAttributeExtensions(props)),
        files(callbacksRef),
        EditorView.updateListener.of(({ docChanged, state, transactions, view: { hasFocus } }) => {
          wasFocused.current ||= hasFocus
          if (docChanged && !transactions.some((change) => change.annotation(externalChange)))
            changeNotifier.later(state.doc)
        }),
      ],
    })
    viewRef.current = editorView
    notifierRef.current = changeNotifier
    return () => {
      changeNotifier.end()
      editorView.destroy()
    }
  }, [singleLine, t])
  useEffect(() => {
    const { language: part } = parts.current
    viewRef.current?.dispatch({
      effects: part.reconfigure(codeLanguageExtension(language, () => callbacksRef.current.completions)),
    })
  }, [language])
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the properties only these.
  useEffect(() => {
    viewRef.current?.dispatch({ effects: parts.current.attributes.reconfigure(createAttributeExtensions(props)) })
  }, [label, readOnly, singleLine, describedBy, isInvalid])
  useEffect(() => {
    // Text typed since then is still pending in the notifier and takes precedence.
    if (viewRef.current && !notifierRef.current?.isDue()) applyExternalValue(viewRef.current, text)
  }, [text])
  useEffect(() => {
    if (viewRef.current) showFaults(viewRef.current, faults)
  }, [faults])
  useImperativeHandle(props.hold, () => ({
    cursor: () => {
      const { state } = viewRef.current!
      return createInsertionPoint(
        viewRef.current!,
        wasFocused.current ? state.selection.main.head : findMessageEnd(state),
      )
    },
  }))
  return <div ref={containerRef} />
}
