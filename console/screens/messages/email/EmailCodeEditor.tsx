import { CodeEditor } from '../../../components/code/CodeEditor.tsx'
import { HtmlEditor } from '../../../components/code/HtmlEditor.tsx'
import { useContactCompletions } from '../../../components/code/use-contact-words.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiAction } from '../action.ts'
import type { MessageContentProps } from '../write/channel.ts'
import { emailTexts } from './texts.ts'

type Part = 'html' | 'text'

interface Props extends MessageContentProps<ApiAction> {
  part: Part
}

/** What the last test found in a part, at its place. */
function faultsOf({ informations: { lastValidation } }: ApiAction, part: Part) {
  const placed = [
    ...(lastValidation?.errors ?? []).map((one) => ({ ...one, severity: 'error' as const })),
    ...(lastValidation?.findings ?? []).map((one) => ({ ...one, severity: 'warning' as const })),
  ]
  return placed.flatMap(({ part: found, position, message, severity }) =>
    found === part && position ? [{ ...position, message, severity }] : [],
  )
}

/** The HTML or the text of an email, with Liquid. */
export function EmailCodeEditor({ form, isReadOnly, part }: Props) {
  const t = useTranslator(emailTexts)
  const completions = useContactCompletions()
  const { content } = form.value
  const at = `/content/${part}`
  const shared = {
    ...{ label: t(part), help: t(`${part}Why`), value: content[part] ?? '', error: form.faultAt(at), completions },
    ...{ faults: faultsOf(form.value, part), readOnly: isReadOnly, minHeight: 320 },
  }
  if (part === 'text') return <CodeEditor {...shared} language="liquid" onChange={(next) => form.set(at, next)} />
  return (
    <HtmlEditor
      {...shared}
      // Blocks make the HTML: what is written by hand takes their place.
      onChange={(next) => {
        if (content.design) form.set('/content/design', null)
        form.set(at, next)
      }}
    />
  )
}
