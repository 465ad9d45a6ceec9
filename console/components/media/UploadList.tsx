import { CloseButton, Progress } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import styles from './Media.module.css'
import { mediaTexts } from './texts.ts'
import type { MediaUpload, MediaUploads } from './use-uploads.ts'

function UploadEntry({ upload, onForget }: { upload: MediaUpload; onForget(): void }) {
  const t = useTranslator(mediaTexts)
  const { name, share, error } = upload
  if (error !== null)
    return (
      <li className={styles['refused']}>
        <ProblemAlert error={error} title={name} />
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

/** Files on their way, and those that were refused with why. */
export function UploadList({ uploads: { entries, forget } }: { uploads: MediaUploads }) {
  if (entries.length === 0) return null
  return (
    <ul className={styles['uploads']}>
      {entries.map((upload) => (
        <UploadEntry key={upload.key} upload={upload} onForget={() => forget(upload.key)} />
      ))}
    </ul>
  )
}
