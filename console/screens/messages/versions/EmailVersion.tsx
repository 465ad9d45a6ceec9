import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiAction } from '../action.ts'
import { EmailCodeEditor } from '../email/EmailCodeEditor.tsx'
import { EmailSenderFields } from '../email/EmailSenderFields.tsx'
import { emailTexts } from '../email/texts.ts'
import type { MessageContentProps } from '../write/channel.ts'
import { versionTexts } from './texts.ts'

const PARTS = ['html', 'text'] as const
type Part = (typeof PARTS)[number]

/** Subject, sender and body of a version of an email. */
export function EmailVersion(own: MessageContentProps<ApiAction>) {
  const t = useTranslator(emailTexts)
  const words = useTranslator(versionTexts)
  const [part, setPart] = useState<Part>('html')
  return (
    <>
      <TextField {...own} at="/content/subject" label={t('subject')} />
      <EmailSenderFields {...own} hasReply={false} />
      <FieldGroup title={words('body')}>
        {own.form.value.content.design && <small>{words('bodyOfBlocks')}</small>}
        <div>
          <SegmentedControl
            size="xs"
            aria-label={words('body')}
            data={PARTS.map((value) => ({ value, label: t(value) }))}
            value={part}
            onChange={(next) => setPart(next as Part)}
          />
        </div>
        <EmailCodeEditor key={part} {...own} part={part} />
      </FieldGroup>
    </>
  )
}
