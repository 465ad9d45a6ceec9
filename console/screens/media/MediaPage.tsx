import { getRouteApi } from '@tanstack/react-router'
import { useHasRight } from '../../api/me.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { MEDIA_MIME_TYPES } from '../../components/media/calls.ts'
import styles from '../../components/media/Media.module.css'
import { MediaGrid } from '../../components/media/MediaGrid.tsx'
import { mediaTexts } from '../../components/media/texts.ts'
import { UploadArea } from '../../components/media/UploadArea.tsx'
import { useMediaUploads } from '../../components/media/use-uploads.ts'
import { SearchField } from '../../components/SearchField.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { MediaDetails } from './MediaDetails.tsx'
import { mediaScreenTexts } from './texts.ts'

const route = getRouteApi('/media')

/** The pictures and documents of the account; one of them open. */
export function MediaPage() {
  const [t, mediaT] = [useTranslator(mediaScreenTexts), useTranslator(mediaTexts)]
  const { q = '', id } = route.useSearch()
  const navigate = route.useNavigate()
  const canWrite = useHasRight('write')
  const uploads = useMediaUploads()
  const showMedia = (next: number | undefined): void =>
    void navigate({
      search: ({ id: _, ...remainingSearch }) =>
        next === undefined ? remainingSearch : { ...remainingSearch, id: next },
      replace: true,
    })
  const emptyState = <EmptyState title={t('empty')}>{t(canWrite ? 'emptyWhy' : 'emptyWhyReader')}</EmptyState>
  const mediaGrid = <MediaGrid q={q} empty={emptyState} onChoose={(media) => showMedia(media.id)} />
  return (
    <ScreenPage title={t('media')} note={t('kept')}>
      <div className={styles['picker']}>
        <SearchField
          label={mediaT('search')}
          value={q}
          onChange={(next) => void navigate({ search: (before) => ({ ...before, q: next }), replace: true })}
        />
        {canWrite ? (
          <UploadArea uploads={uploads} accept={MEDIA_MIME_TYPES}>
            {mediaGrid}
          </UploadArea>
        ) : (
          mediaGrid
        )}
      </div>
      {id !== undefined && <MediaDetails id={id} onClose={() => showMedia(undefined)} />}
    </ScreenPage>
  )
}
