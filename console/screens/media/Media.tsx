import { getRouteApi } from '@tanstack/react-router'
import { useMay } from '../../api/me.ts'
import { Empty } from '../../components/layout/Empty.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { FILES } from '../../components/media/calls.ts'
import styles from '../../components/media/Media.module.css'
import { MediaGrid } from '../../components/media/MediaGrid.tsx'
import { mediaTexts } from '../../components/media/texts.ts'
import { UploadArea } from '../../components/media/UploadArea.tsx'
import { useUploads } from '../../components/media/use-uploads.ts'
import { SearchField } from '../../components/SearchField.tsx'
import { useText } from '../../text/catalogue.ts'
import { Details } from './Details.tsx'
import { mediaScreenTexts } from './texts.ts'

const route = getRouteApi('/media')

/** The pictures and documents of the account; one of them open. */
export function Media() {
  const [t, words] = [useText(mediaScreenTexts), useText(mediaTexts)]
  const { q = '', id } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('write')
  const uploads = useUploads()
  const show = (next: number | undefined): void =>
    void navigate({
      search: ({ id: _, ...rest }) => (next === undefined ? rest : { ...rest, id: next }),
      replace: true,
    })
  const empty = <Empty title={t('empty')}>{t(mayWrite ? 'emptyWhy' : 'emptyWhyReader')}</Empty>
  const grid = <MediaGrid q={q} empty={empty} onChoose={(media) => show(media.id)} />
  return (
    <Page title={t('media')} note={t('kept')}>
      <div className={styles['picker']}>
        <SearchField
          label={words('search')}
          value={q}
          onChange={(next) => void navigate({ search: (before) => ({ ...before, q: next }), replace: true })}
        />
        {mayWrite ? (
          <UploadArea uploads={uploads} accept={FILES}>
            {grid}
          </UploadArea>
        ) : (
          grid
        )}
      </div>
      {id !== undefined && <Details id={id} onClose={() => show(undefined)} />}
    </Page>
  )
}
