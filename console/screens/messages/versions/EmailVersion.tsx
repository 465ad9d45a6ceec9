import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Action } from '../action.ts'
import { CodePart } from '../email/CodePart.tsx'
import { Sender } from '../email/Sender.tsx'
import { emailTexts } from '../email/texts.ts'
import type { ContentProps } from '../write/channel.ts'
import { versionTexts } from './texts.ts'

const PARTS = ['html', 'text'] as const
type Part = (typeof PARTS)[number]

/** Subject, sender and body of a version of an email. */
export function EmailVersion(own: ContentProps<Action>) {
  const t = useText(emailTexts)
  const words = useText(versionTexts)
  const [part, setPart] = useState<Part>('html')
  return (
    <>
      <TextField {...own} at="/content/subject" label={t('subject')} />
      <Sender {...own} hasReply={false} />
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
        <CodePart key={part} {...own} part={part} />
      </FieldGroup>
    </>
  )
}
