import { Button, CloseButton, FileButton, Progress } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { useText } from '../../text/catalogue.ts'
import { Problem } from '../Problem.tsx'
import { FILES } from './calls.ts'
import styles from './Media.module.css'
import { mediaTexts } from './texts.ts'
import type { Upload, Uploads } from './use-uploads.ts'

function Entry({ upload, onForget }: { upload: Upload; onForget(): void }) {
  const t = useText(mediaTexts)
  const { name, share, error } = upload
  if (error !== null)
    return (
      <li className={styles['refused']}>
        <Problem error={error} title={name} />
        <CloseButton size="sm" aria-label={t('close')} onClick={onForget} />
      </li>
    )
  return (
    <li>
      <bdi>{name}</bdi>
      <Progress.Root size="sm">
        <Progress.Section value={share * 100} aria-label={t('uploading', { name })} animated={share === 1} />
      </Progress.Root>
    </li>
  )
}

interface Props {
  uploads: Uploads
  /** What may be chosen; the service looks at the files themselves. */
  accept: string
  children: ReactNode
}

/** Takes files: dropped anywhere here, or chosen by the button; what is on its way stands above. */
export function UploadArea({ uploads: { entries, take, forget }, accept, children }: Props) {
  const t = useText(mediaTexts)
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent): void => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent): void => {
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
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className={styles['take']}>
        <span>{t(accept === FILES ? 'dropDocuments' : 'drop')}</span>
        <FileButton multiple accept={accept} onChange={take}>
          {(props) => (
            <Button {...props} size="xs" variant="default" leftSection={<IconUpload size={15} aria-hidden />}>
              {t('chooseFile')}
            </Button>
          )}
        </FileButton>
      </div>
      {entries.length > 0 && (
        <ul className={styles['uploads']}>
          {entries.map((upload) => (
            <Entry key={upload.key} upload={upload} onForget={() => forget(upload.key)} />
          ))}
        </ul>
      )}
      {children}
    </div>
  )
}
