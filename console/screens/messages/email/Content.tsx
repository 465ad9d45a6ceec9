import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Action } from '../action.ts'
import { Findings } from '../Findings.tsx'
import type { ContentProps } from '../write/channel.ts'
import { Blocks } from './Blocks.tsx'
import { CodePart } from './CodePart.tsx'
import classes from './Content.module.css'
import { Links } from './Links.tsx'
import { Sender } from './Sender.tsx'
import { Settings } from './Settings.tsx'
import { emailTexts } from './texts.ts'

const WAYS = ['blocks', 'html', 'text'] as const
type Way = (typeof WAYS)[number]

/** As it was written; an empty one begins with blocks. */
function wayOf({ content: { design, html, text }, settings }: Action): Way {
  if (design || (!html && !text)) return 'blocks'
  return settings.editionMode === 2 || !html ? 'text' : 'html'
}

/** What an email says: subject, sender, and its body as blocks, as HTML with Liquid, or as text. */
export function Content({ form, isReadOnly }: ContentProps<Action>) {
  const t = useText(emailTexts)
  const [way, setWay] = useState<Way>(() => wayOf(form.value))
  const { content } = form.value
  const own = { form, isReadOnly }
  return (
    <>
      <Findings message={form.value} />
      <div className={classes.heads}>
        <div className={classes.words}>
          <TextField {...own} at="/name" label={t('name')} />
          <TextField {...own} at="/content/subject" label={t('subject')} />
          {content.design && (
            <TextField {...own} at="/content/design/preheader" label={t('preheader')} help={t('preheaderWhy')} />
          )}
        </div>
        <Sender {...own} />
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
        {way === 'blocks' && <Blocks {...own} />}
        {way !== 'blocks' && <CodePart key={way} {...own} part={way} />}
      </FieldGroup>
      <Links html={content.html ?? ''} />
      <Settings {...own} />
    </>
  )
}
