import { Button, Modal } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { Copy } from '../../components/Copy.tsx'
import { Facts } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { type Media, usesIn } from '../../components/media/calls.ts'
import { MediaWords, Thumbnail } from '../../components/media/MediaGrid.tsx'
import { Time } from '../../components/Time.tsx'
import { type Use, UseList, WhereUsed } from '../../components/where-used/WhereUsed.tsx'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Details.module.css'
import { mediaScreenTexts } from './texts.ts'

const at = (id: number) => ({ path: { id: String(id) } })

function Known({ media: { type, address, creationDate } }: { media: Media }) {
  const t = useText(mediaScreenTexts)
  return (
    <Facts
      facts={[
        { key: 'type', label: t('type'), value: type },
        { key: 'added', label: t('added'), value: <Time at={creationDate} /> },
        { key: 'address', label: t('address'), value: <Copy value={address} label={t('copyAddress')} /> },
      ]}
    />
  )
}

/** Deletes a file; while something shows it, says what, and lets an admin delete it all the same. */
function Deletion({ media: { id, name }, onClose }: { media: Media; onClose(): void }) {
  const t = useText(mediaScreenTexts)
  const queries = useQueryClient()
  const mayForce = useMay('admin')
  const [asked, setAsked] = useState<'delete' | 'force' | null>(null)
  const [uses, setUses] = useState<readonly Use[]>([])
  const remove = async (force: boolean): Promise<void> => {
    try {
      await data(api.DELETE('/media/{id}', { params: { ...at(id), query: force ? { force } : {} } }))
    } catch (error) {
      const found = usesIn(error)
      if (!found) throw error
      setUses(found)
      return
    }
    onClose()
    tell(t('deleted', { name }))
    await queries.invalidateQueries({ queryKey: ['media', 'list'] })
  }
  return (
    <div className={styles['deletion']}>
      {uses.length > 0 && (
        <div role="alert">
          <p>{t('inUse')}</p>
          <UseList uses={uses} />
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
        <Confirm
          title={t('deleteTitle', { name })}
          action={t(asked === 'force' ? 'deleteAllTheSame' : 'delete')}
          onConfirm={() => remove(asked === 'force')}
          onClose={() => setAsked(null)}
        >
          {asked === 'force' ? t('forceWhy', { count: uses.length }) : t('deleteWhy')}
        </Confirm>
      )}
    </div>
  )
}

function Shown({ media, onClose }: { media: Media; onClose(): void }) {
  const t = useText(mediaScreenTexts)
  const mayWrite = useMay('write')
  const { id } = media
  return (
    <div className={styles['details']}>
      <div className={styles['picture']}>
        <Thumbnail media={media} />
      </div>
      <MediaWords media={media} />
      {media.type === 'image/svg+xml' && <p className={styles['note']}>{t('svg')}</p>}
      <Known media={media} />
      <section>
        <h3>{t('used')}</h3>
        <WhereUsed
          path={`/media/${id}/links`}
          load={(signal) => data(api.GET('/media/{id}/links', { params: at(id), signal }))}
        />
      </section>
      {mayWrite && <Deletion media={media} onClose={onClose} />}
    </div>
  )
}

/** One of the media: what it is, its address, where it is used. */
export function Details({ id, onClose }: { id: number; onClose(): void }) {
  const t = useText(mediaScreenTexts)
  const read = useQuery({
    queryKey: ['media', id],
    queryFn: ({ signal }) => data(api.GET('/media/{id}', { params: at(id), signal })),
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={<bdi>{read.data?.name ?? t('media')}</bdi>}
      size={560}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && <Skeleton />}
      {read.data && <Shown media={read.data} onClose={onClose} />}
    </Modal>
  )
}
