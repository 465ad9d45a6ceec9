import { Button, FileButton } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './ImportsPage.module.css'
import { importTexts } from './texts.ts'

export const IMPORT_FILE_TYPES = '.csv,.tsv,.txt,.xlsx,.xlsm,.zip,.gz,.tgz'

/** Takes a file: dropped here, or chosen. */
export function ImportFileDrop({ isBusy, onFile }: { isBusy: boolean; onFile(file: File): void }) {
  const t = useTranslator(importTexts)
  const [isOver, setOver] = useState(false)
  const handleDragOver = (event: DragEvent): void => {
    event.preventDefault()
    setOver(true)
  }
  const handleDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [droppedFile] = event.dataTransfer.files
    if (droppedFile) onFile(droppedFile)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be chosen by the button within.
    <section
      className={styles['drop']}
      data-over={isOver || undefined}
      onDragOver={handleDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={handleDrop}
    >
      <h2>{t('drop')}</h2>
      <p>{t('dropWhy')}</p>
      <FileButton accept={IMPORT_FILE_TYPES} onChange={(file) => file && onFile(file)}>
        {(props) => (
          <Button {...props} loading={isBusy}>
            {t('choose')}
          </Button>
        )}
      </FileButton>
    </section>
  )
}
