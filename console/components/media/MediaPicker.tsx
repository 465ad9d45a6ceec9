import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useHasRight } from '../../api/me.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { EmptyState } from '../layout/EmptyState.tsx'
import { SearchField } from '../SearchField.tsx'
import { type ApiMedia, MEDIA_MIME_TYPES, PICTURE_MIME_TYPES } from './calls.ts'
import styles from './Media.module.css'
import { MediaGrid } from './MediaGrid.tsx'
import { mediaTexts } from './texts.ts'
import { UploadArea } from './UploadArea.tsx'
import { useMediaUploads } from './use-uploads.ts'

interface Props {
  /** Documents too. */
  isAny?: boolean
  onChoose(media: ApiMedia): void
  onClose(): void
}

/** A picture, or any file, is chosen among those of the account, or uploaded. */
export function MediaPicker({ isAny = false, onChoose, onClose }: Props) {
  const t = useTranslator(mediaTexts)
  const canWrite = useHasRight('write')
  const [searchText, setSought] = useState('')
  const uploads = useMediaUploads()
  const mediaGrid = (
    <MediaGrid
      q={searchText}
      isPicture={!isAny}
      empty={<EmptyState title={t('empty')}>{t('emptyWhy')}</EmptyState>}
      onChoose={onChoose}
    />
  )
  return (
    <Modal opened onClose={onClose} title={t('pickTitle')} size={900} closeButtonProps={{ 'aria-label': t('close') }}>
      <div className={styles['picker']}>
        <SearchField label={t('search')} value={searchText} onChange={setSought} />
        {canWrite ? (
          <UploadArea uploads={uploads} accept={isAny ? MEDIA_MIME_TYPES : PICTURE_MIME_TYPES}>
            {mediaGrid}
          </UploadArea>
        ) : (
          mediaGrid
        )}
      </div>
    </Modal>
  )
}
