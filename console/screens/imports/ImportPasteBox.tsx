import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { buildPastedFile } from './columns/pasted-file.ts'
import styles from './ImportsPage.module.css'
import { importTexts } from './texts.ts'

/** Takes addresses, or rows of a spreadsheet, that go the same way as a file. */
export function ImportPasteBox({ isBusy, onFile }: { isBusy: boolean; onFile(file: File): void }) {
  const t = useTranslator(importTexts)
  const [text, setText] = useState('')
  const submitText = (event: FormEvent): void => {
    event.preventDefault()
    onFile(buildPastedFile(text, t('pastedName')))
  }
  return (
    <PagePanel title={t('paste')}>
      <form className={styles['paste']} onSubmit={submitText}>
        <Textarea
          label={t('pasteLabel')}
          description={t('pasteHelp')}
          autosize
          minRows={4}
          maxRows={12}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div>
          <Button type="submit" variant="default" loading={isBusy} disabled={text.trim() === ''}>
            {t('pasteContinue')}
          </Button>
        </div>
      </form>
    </PagePanel>
  )
}
