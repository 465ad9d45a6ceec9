import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { MEDIA_MIME_TYPES } from './calls.ts'
import styles from './Media.module.css'
import { mediaTexts } from './texts.ts'
import { UploadList } from './UploadList.tsx'
import type { MediaUploads } from './use-uploads.ts'

interface Props {
  uploads: MediaUploads
  /** Accepted MIME types; the service checks the files themselves. */
  accept: string
  children: ReactNode
}

/** Takes files: dropped anywhere here, or chosen by the button; what is on its way stands above. */
export function UploadArea({ uploads, accept, children }: Props) {
  const { take } = uploads
  const t = useTranslator(mediaTexts)
  const [isOver, setOver] = useState(false)
  const handleDragOver = (event: DragEvent): void => {
    event.preventDefault()
    setOver(true)
  }
  const handleDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    take([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be chosen by the button within.
    <div
      className={styles['area']}
      data-media-drop
      data-over={isOver || undefined}
      onDragOver={handleDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={handleDrop}
    >
      <div className={styles['take']}>
        <span>{t(accept === MEDIA_MIME_TYPES ? 'dropDocuments' : 'drop')}</span>
        <FileButton multiple accept={accept} onChange={(files) => take(files)}>
          {(props) => (
            <Button {...props} size="xs" variant="default" leftSection={<IconUpload size={15} aria-hidden />}>
              {t('chooseFile')}
            </Button>
          )}
        </FileButton>
      </div>
      <UploadList uploads={uploads} />
      {children}
    </div>
  )
}
