import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiAction } from '../action.ts'
import { MessageFindings } from '../MessageFindings.tsx'
import type { MessageContentProps } from '../write/channel.ts'
import { EmailBlockEditor } from './EmailBlockEditor.tsx'
import { EmailCodeEditor } from './EmailCodeEditor.tsx'
import classes from './EmailContent.module.css'
import { EmailLinks } from './EmailLinks.tsx'
import { EmailSenderFields } from './EmailSenderFields.tsx'
import { EmailSettings } from './EmailSettings.tsx'
import { emailTexts } from './texts.ts'

const WAYS = ['blocks', 'html', 'text'] as const
type Way = (typeof WAYS)[number]

/** As it was written; an empty one begins with blocks. */
function wayOf({ content: { design, html, text }, settings }: ApiAction): Way {
  if (design || (!html && !text)) return 'blocks'
  return settings.editionMode === 2 || !html ? 'text' : 'html'
}

/** What an email says: subject, sender, and its body as blocks, as HTML with Liquid, or as text. */
export function EmailContent({ form, isReadOnly }: MessageContentProps<ApiAction>) {
  const t = useTranslator(emailTexts)
  const [way, setWay] = useState<Way>(() => wayOf(form.value))
  const { content } = form.value
  const own = { form, isReadOnly }
  return (
    <>
      <MessageFindings message={form.value} />
      <div className={classes.heads}>
        <div className={classes.words}>
          <TextField {...own} at="/name" label={t('name')} />
          <TextField {...own} at="/content/subject" label={t('subject')} />
          {content.design && (
            <TextField {...own} at="/content/design/preheader" label={t('preheader')} help={t('preheaderWhy')} />
          )}
        </div>
        <EmailSenderFields {...own} />
      </div>
      <FieldGroup title={t('way')}>
        <div>
          <SegmentedControl
            size="xs"
            aria-label={t('way')}
            data={WAYS.map((value) => ({ value, label: t(value) }))}
            value={way}
            onChange={(next) => setWay(next as Way)}
          />
        </div>
        {way === 'blocks' && <EmailBlockEditor {...own} />}
        {way !== 'blocks' && <EmailCodeEditor key={way} {...own} part={way} />}
      </FieldGroup>
      <EmailLinks html={content.html ?? ''} />
      <EmailSettings {...own} />
    </>
  )
}
