import { Button, Modal } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
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

const at = (id: number) => ({ path: { id: String(id) } })

function Known({ media: { type, address, creationDate } }: { media: ApiMedia }) {
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
function Deletion({ media: { id, name }, onClose }: { media: ApiMedia; onClose(): void }) {
  const t = useTranslator(mediaScreenTexts)
  const queries = useQueryClient()
  const mayForce = useHasRight('admin')
  const [asked, setAsked] = useState<'delete' | 'force' | null>(null)
  const [uses, setUses] = useState<readonly ObjectUse[]>([])
  const remove = async (force: boolean): Promise<void> => {
    try {
      await readAnswer(apiClient.DELETE('/media/{id}', { params: { ...at(id), query: force ? { force } : {} } }))
    } catch (error) {
      const found = findMediaUses(error)
      if (!found) throw error
      setUses(found)
      return
    }
    onClose()
    showToast(t('deleted', { name }))
    await queries.invalidateQueries({ queryKey: ['media', 'list'] })
  }
  return (
    <div className={styles['deletion']}>
      {uses.length > 0 && (
        <div role="alert">
          <p>{t('inUse')}</p>
          <ObjectUseList uses={uses} />
        </div>
      )}
      <div>
        {uses.length === 0 ? (
          <Button size="xs" variant="default" onClick={() => setAsked('delete')}>
            {t('delete')}
          </Button>
        ) : (
          mayForce && (
            <Button size="xs" variant="default" onClick={() => setAsked('force')}>
              {t('deleteAllTheSame')}
            </Button>
          )
        )}
      </div>
      {asked !== null && (
        <ConfirmDialog
          title={t('deleteTitle', { name })}
          action={t(asked === 'force' ? 'deleteAllTheSame' : 'delete')}
          onConfirm={() => remove(asked === 'force')}
          onClose={() => setAsked(null)}
        >
          {asked === 'force' ? t('forceWhy', { count: uses.length }) : t('deleteWhy')}
        </ConfirmDialog>
      )}
    </div>
  )
}

function Shown({ media, onClose }: { media: ApiMedia; onClose(): void }) {
  const t = useTranslator(mediaScreenTexts)
  const mayWrite = useHasRight('write')
  const { id } = media
  return (
    <div className={styles['details']}>
      <div className={styles['picture']}>
        <MediaThumbnail media={media} />
      </div>
      <MediaCaption media={media} />
      {media.type === 'image/svg+xml' && <p className={styles['note']}>{t('svg')}</p>}
      <Known media={media} />
      <section>
        <h3>{t('used')}</h3>
        <WhereUsed
          path={`/media/${id}/links`}
          load={(signal) => readAnswer(apiClient.GET('/media/{id}/links', { params: at(id), signal }))}
        />
      </section>
      {mayWrite && <Deletion media={media} onClose={onClose} />}
    </div>
  )
}

/** One of the media: what it is, its address, where it is used. */
export function MediaDetails({ id, onClose }: { id: number; onClose(): void }) {
  const t = useTranslator(mediaScreenTexts)
  const read = useQuery({
    queryKey: ['media', id],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/media/{id}', { params: at(id), signal })),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={<bdi>{read.data?.name ?? t('media')}</bdi>}
      size={560}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {read.error && <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && <LoadingSkeleton />}
      {read.data && <Shown media={read.data} onClose={onClose} />}
    </Modal>
  )
}
