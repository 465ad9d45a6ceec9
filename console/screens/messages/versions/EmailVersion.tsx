import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { FieldGroup } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiAction } from '../action.ts'
import { EmailCodeEditor } from '../email/EmailCodeEditor.tsx'
import { EmailSenderFields } from '../email/EmailSenderFields.tsx'
import { emailTexts } from '../email/texts.ts'
import { LiquidTextField } from '../phones/LiquidTextField.tsx'
import type { MessageContentProps } from '../write/channel.ts'
import { versionTexts } from './texts.ts'

const EMAIL_PARTS = ['html', 'text'] as const
type EmailPart = (typeof EMAIL_PARTS)[number]

/** Subject, sender and body of a version of an email. */
export function EmailVersion(contentProps: MessageContentProps<ApiAction>) {
  const t = useTranslator(emailTexts)
  const versionT = useTranslator(versionTexts)
  const [part, setPart] = useState<EmailPart>('html')
  return (
    <>
      <LiquidTextField {...contentProps} isLine at="/content/subject" label={t('subject')} />
      <EmailSenderFields {...contentProps} hasReply={false} />
      <FieldGroup title={versionT('body')}>
        {contentProps.form.value.content.design && <small>{versionT('bodyOfBlocks')}</small>}
        <div>
          <SegmentedControl
            size="xs"
            aria-label={versionT('body')}
            data={EMAIL_PARTS.map((value) => ({ value, label: t(value) }))}
            value={part}
            onChange={(next) => setPart(next as EmailPart)}
          />
        </div>
        <EmailCodeEditor key={part} {...contentProps} part={part} />
      </FieldGroup>
    </>
  )
}
