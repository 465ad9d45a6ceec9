import { Button } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import cards from '../layout/Cards.module.css'
import { LoadingSkeleton } from '../layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { type ApiMedia, useMediaList } from './calls.ts'
import styles from './Media.module.css'
import { mediaTexts } from './texts.ts'

/** A picture as small as there is; what stands for a document. Its name stands beside it. */
export function MediaThumbnail({ media: { type, address, sizes } }: { media: ApiMedia }) {
  if (type === 'application/pdf') return <IconFileTypePdf size={40} stroke={1.2} aria-hidden />
  return <img src={sizes[0]?.address ?? address} alt="" loading="lazy" />
}

/** Name, dimensions and size of a file. */
export function MediaCaption({ media: { name, width, height, octets } }: { media: ApiMedia }) {
  const t = useTranslator(mediaTexts)
  const format = useLocaleFormat()
  const size =
    width !== null && height !== null ? `${t('sizeOf', { width: String(width), height: String(height) })} · ` : ''
  return (
    <span className={`${cards['words']} ${styles['words']}`}>
      <bdi title={name}>{name}</bdi>
      <small>
        {size}
        {format.bytes(octets)}
      </small>
    </span>
  )
}

interface Props {
  q: string
  /** Pictures that messages can show, alone. */
  isPicture?: boolean
  /** In place of a list that has nothing at all. */
  empty: ReactNode
  onChoose(media: ApiMedia): void
}

/** The media of the account as pictures, each a button. */
export function MediaGrid({ q, isPicture = false, empty, onChoose }: Props) {
  const t = useTranslator(mediaTexts)
  const list = useMediaList({ q, isPicture })
  if (list.error) return <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <LoadingSkeleton />
  const all = list.data.pages.flatMap(({ items }) => items)
  const shown = isPicture ? all.filter(({ type }) => type !== 'image/svg+xml') : all
  if (shown.length === 0 && !list.hasNextPage) return q === '' ? empty : <p>{t('noMatch')}</p>
  return (
    <>
      <ul className={`${cards['cards']} ${styles['grid']}`}>
        {shown.map((media) => (
          <li key={media.id}>
            <button type="button" className={cards['card']} onClick={() => onChoose(media)}>
              <span className={styles['thumbnail']}>
                <MediaThumbnail media={media} />
              </span>
              <MediaCaption media={media} />
            </button>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <div>
          <Button
            size="xs"
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('more')}
          </Button>
        </div>
      )}
    </>
  )
}
