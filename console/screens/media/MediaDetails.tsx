import { Button, Modal } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { FactList } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { type ApiMedia, findMediaUses } from '../../components/media/calls.ts'
import { MediaCaption, MediaThumbnail } from '../../components/media/MediaGrid.tsx'
import { type ObjectUse, ObjectUseList, WhereUsed } from '../../components/where-used/WhereUsed.tsx'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './MediaDetails.module.css'
import { mediaScreenTexts } from './texts.ts'

const buildParams = (id: number) => ({ path: { id: String(id) } })

function MediaSummary({ media: { type, address, creationDate } }: { media: ApiMedia }) {
  const t = useTranslator(mediaScreenTexts)
  return (
    <FactList
      facts={[
        { key: 'type', label: t('type'), value: type },
        { key: 'added', label: t('added'), value: <FormattedTime at={creationDate} /> },
        { key: 'address', label: t('address'), value: <CopyButton value={address} label={t('copyAddress')} /> },
      ]}
    />
  )
}

/** Deletes a file; while something shows it, says what, and lets an admin delete it all the same. */
function DeleteAction({ media: { id, name }, onClose }: { media: ApiMedia; onClose(): void }) {
  const t = useTranslator(mediaScreenTexts)
  const queryClient = useQueryClient()
  const canForce = useHasRight('admin')
  const [openDialog, setOpenDialog] = useState<'delete' | 'force' | null>(null)
  const [mediaUses, setMediaUses] = useState<readonly ObjectUse[]>([])
  const deleteMedia = async (force: boolean): Promise<void> => {
    try {
      await apiClient.deleteMedia({ ...buildParams(id), query: force ? { force } : {} })
    } catch (error) {
      const blockingUses = findMediaUses(error)
      if (!blockingUses) throw error
      setMediaUses(blockingUses)
      return
    }
    onClose()
    showToast(t('deleted', { name }))
    await queryClient.invalidateQueries({ queryKey: ['media', 'list'] })
  }
  return (
    <div className={styles['deletion']}>
      {mediaUses.length > 0 && (
        <div role="alert">
          <p>{t('inUse')}</p>
          <ObjectUseList uses={mediaUses} />
        </div>
      )}
      <div>
        {mediaUses.length === 0 ? (
          <Button size="xs" variant="default" onClick={() => setOpenDialog('delete')}>
            {t('delete')}
          </Button>
        ) : (
          canForce && (
            <Button size="xs" variant="default" onClick={() => setOpenDialog('force')}>
              {t('deleteAllTheSame')}
            </Button>
          )
        )}
      </div>
      {openDialog !== null && (
        <ConfirmDialog
          title={t('deleteTitle', { name })}
          action={t(openDialog === 'force' ? 'deleteAllTheSame' : 'delete')}
          onConfirm={() => deleteMedia(openDialog === 'force')}
          onClose={() => setOpenDialog(null)}
        >
          {openDialog === 'force' ? t('forceWhy', { count: mediaUses.length }) : t('deleteWhy')}
        </ConfirmDialog>
      )}
    </div>
  )
}

function LoadedMedia({ media, onClose }: { media: ApiMedia; onClose(): void }) {
  const t = useTranslator(mediaScreenTexts)
  const canWrite = useHasRight('write')
  const { id } = media
  return (
    <div className={styles['details']}>
      <div className={styles['picture']}>
        <MediaThumbnail media={media} />
      </div>
      <MediaCaption media={media} />
      {media.type === 'image/svg+xml' && <p className={styles['note']}>{t('svg')}</p>}
      <MediaSummary media={media} />
      <section>
        <h3>{t('used')}</h3>
        <WhereUsed
          path={`/media/${id}/links`}
          load={(signal) => apiClient.listMediaLinks({ ...buildParams(id), signal })}
        />
      </section>
      {canWrite && <DeleteAction media={media} onClose={onClose} />}
    </div>
  )
}

/** One of the media: what it is, its address, where it is used. */
export function MediaDetails({ id, onClose }: { id: number; onClose(): void }) {
  const t = useTranslator(mediaScreenTexts)
  const mediaQuery = useQuery({
    queryKey: ['media', id],
    queryFn: ({ signal }) => apiClient.getMedia({ ...buildParams(id), signal }),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={<bdi>{mediaQuery.data?.name ?? t('media')}</bdi>}
      size={560}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {mediaQuery.error && <ProblemAlert error={mediaQuery.error} onRetry={() => void mediaQuery.refetch()} />}
      {mediaQuery.isPending && <LoadingSkeleton />}
      {mediaQuery.data && <LoadedMedia media={mediaQuery.data} onClose={onClose} />}
    </Modal>
  )
}
