import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../api/me.ts'
import { useText } from '../../text/catalogue.ts'
import { Empty } from '../layout/Empty.tsx'
import { SearchField } from '../SearchField.tsx'
import { FILES, type Media, PICTURES } from './calls.ts'
import styles from './Media.module.css'
import { MediaGrid } from './MediaGrid.tsx'
import { mediaTexts } from './texts.ts'
import { UploadArea } from './UploadArea.tsx'
import { useUploads } from './use-uploads.ts'

interface Props {
  /** Documents too. */
  isAny?: boolean
  onChoose(media: Media): void
  onClose(): void
}

/** A picture, or any file, is chosen among those of the account, or uploaded. */
export function MediaPicker({ isAny = false, onChoose, onClose }: Props) {
  const t = useText(mediaTexts)
  const mayWrite = useMay('write')
  const [q, setSought] = useState('')
  const uploads = useUploads()
  const grid = (
    <MediaGrid q={q} isPicture={!isAny} empty={<Empty title={t('empty')}>{t('emptyWhy')}</Empty>} onChoose={onChoose} />
  )
  return (
    <Modal opened onClose={onClose} title={t('pickTitle')} size={900} closeButtonProps={{ 'aria-label': t('close') }}>
      <div className={styles['picker']}>
        <SearchField label={t('search')} value={q} onChange={setSought} />
        {mayWrite ? (
          <UploadArea uploads={uploads} accept={isAny ? FILES : PICTURES}>
            {grid}
          </UploadArea>
        ) : (
          grid
        )}
      </div>
    </Modal>
  )
}
