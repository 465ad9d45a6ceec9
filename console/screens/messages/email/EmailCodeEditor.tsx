import { useRef } from 'react'
import { CodeEditor } from '../../../components/code/CodeEditor.tsx'
import type { CodeEditorHandle } from '../../../components/code/editor-props.ts'
import { HtmlEditor } from '../../../components/code/HtmlEditor.tsx'
import { useContactCompletions } from '../../../components/code/use-contact-words.ts'
import { InsertFieldButton } from '../../../components/expression/InsertFieldButton.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiAction } from '../action.ts'
import type { MessageContentProps } from '../write/channel.ts'
import { emailTexts } from './texts.ts'

type EmailPart = 'html' | 'text'

interface Props extends MessageContentProps<ApiAction> {
  part: EmailPart
}

/** Findings of the last test in one part, with their positions. */
function listPartFaults({ informations: { lastValidation } }: ApiAction, part: EmailPart) {
  const positionedFindings = [
    ...(lastValidation?.errors ?? []).map((finding) => ({ ...finding, severity: 'error' as const })),
    ...(lastValidation?.findings ?? []).map((finding) => ({ ...finding, severity: 'warning' as const })),
  ]
  return positionedFindings.flatMap(({ part: findingPart, position, message, severity }) =>
    findingPart === part && position ? [{ ...position, message, severity }] : [],
  )
}

/** The HTML or the text of an email, with Liquid. */
export function EmailCodeEditor({ form, isReadOnly, part }: Props) {
  const t = useTranslator(emailTexts)
  const completions = useContactCompletions()
  const editorHandle = useRef<CodeEditorHandle>(null)
  const insertField = (template: string): void => editorHandle.current?.cursor().insert(template, template.length)
  const { content } = form.value
  const partPointer = `/content/${part}`
  const sharedProps = {
    label: t(part),
    help: t(`${part}Why`),
    value: content[part] ?? '',
    error: form.faultAt(partPointer),
    completions,
    faults: listPartFaults(form.value, part),
    readOnly: isReadOnly,
    minHeight: 320,
  }
  if (part === 'text')
    return (
      <CodeEditor
        {...sharedProps}
        language="liquid"
        hold={editorHandle}
        {...(!isReadOnly && { tools: <InsertFieldButton into={t(part)} onInsert={insertField} /> })}
        onChange={(next) => form.set(partPointer, next)}
      />
    )
  return (
    <HtmlEditor
      {...sharedProps}
      // Blocks make the HTML: what is written by hand takes their place.
      onChange={(next) => {
        if (content.design) form.set('/content/design', null)
        form.set(partPointer, next)
      }}
    />
  )
}
