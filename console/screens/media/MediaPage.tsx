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
  const [t, words] = [useTranslator(mediaScreenTexts), useTranslator(mediaTexts)]
  const { q = '', id } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useHasRight('write')
  const uploads = useMediaUploads()
  const show = (next: number | undefined): void =>
    void navigate({
      search: ({ id: _, ...rest }) => (next === undefined ? rest : { ...rest, id: next }),
      replace: true,
    })
  const empty = <EmptyState title={t('empty')}>{t(mayWrite ? 'emptyWhy' : 'emptyWhyReader')}</EmptyState>
  const grid = <MediaGrid q={q} empty={empty} onChoose={(media) => show(media.id)} />
  return (
    <ScreenPage title={t('media')} note={t('kept')}>
      <div className={styles['picker']}>
        <SearchField
          label={words('search')}
          value={q}
          onChange={(next) => void navigate({ search: (before) => ({ ...before, q: next }), replace: true })}
        />
        {mayWrite ? (
          <UploadArea uploads={uploads} accept={MEDIA_MIME_TYPES}>
            {grid}
          </UploadArea>
        ) : (
          grid
        )}
      </div>
      {id !== undefined && <MediaDetails id={id} onClose={() => show(undefined)} />}
    </ScreenPage>
  )
}
