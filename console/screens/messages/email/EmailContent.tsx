import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiAction } from '../action.ts'
import { useFindingPlace } from '../finding-place.ts'
import { MessageFindings } from '../MessageFindings.tsx'
import { LiquidTextField } from '../phones/LiquidTextField.tsx'
import type { MessageContentProps } from '../write/channel.ts'
import { EmailBlockEditor } from './EmailBlockEditor.tsx'
import { EmailCodeEditor } from './EmailCodeEditor.tsx'
import classes from './EmailContent.module.css'
import { EmailLinks } from './EmailLinks.tsx'
import { EmailSenderFields } from './EmailSenderFields.tsx'
import { EmailSettings } from './EmailSettings.tsx'
import { emailTexts } from './texts.ts'

const EDITING_MODES = ['blocks', 'html', 'text'] as const
type EditingMode = (typeof EDITING_MODES)[number]

/** As it was written; an empty one begins with blocks. */
function detectEditingMode({ content: { design, html, text }, settings }: ApiAction): EditingMode {
  if (design || (!html && !text)) return 'blocks'
  return settings.editionMode === 2 || !html ? 'text' : 'html'
}

/** Content of an email: subject, sender, and its body as blocks, as HTML with Liquid, or as text. */
export function EmailContent({ form, isReadOnly }: MessageContentProps<ApiAction>) {
  const t = useTranslator(emailTexts)
  const [editingMode, setEditingMode] = useState<EditingMode>(() => detectEditingMode(form.value))
  const { content } = form.value
  const subjectRef = useFindingPlace<HTMLDivElement>('subject')
  const bodyRef = useFindingPlace<HTMLDivElement>('html', 'amp', 'text')
  const fieldProps = { form, isReadOnly }
  return (
    <>
      <MessageFindings message={form.value} />
      <div className={classes.heads}>
        <div className={classes.words}>
          <TextField {...fieldProps} at="/name" label={t('name')} />
          <div ref={subjectRef}>
            <LiquidTextField {...fieldProps} isLine at="/content/subject" label={t('subject')} />
          </div>
          {content.design && (
            <LiquidTextField
              {...fieldProps}
              isLine
              at="/content/design/preheader"
              label={t('preheader')}
              help={t('preheaderWhy')}
            />
          )}
        </div>
        <EmailSenderFields {...fieldProps} />
      </div>
      <FieldGroup title={t('way')}>
        <div ref={bodyRef}>
          <SegmentedControl
            size="xs"
            aria-label={t('way')}
            data={EDITING_MODES.map((value) => ({ value, label: t(value) }))}
            value={editingMode}
            onChange={(next) => setEditingMode(next as EditingMode)}
          />
        </div>
        {editingMode === 'blocks' && <EmailBlockEditor {...fieldProps} />}
        {editingMode !== 'blocks' && <EmailCodeEditor key={editingMode} {...fieldProps} part={editingMode} />}
      </FieldGroup>
      <EmailLinks html={content.html ?? ''} />
      <EmailSettings {...fieldProps} />
    </>
  )
}
